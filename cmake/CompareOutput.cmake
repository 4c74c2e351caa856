# cmake -DPROGRAM=<file> -DEXPECTED=<file> -P CompareOutput.cmake: runs the program in the folder of the expected output,
# where its input may lie; it must print just that.
cmake_path(GET EXPECTED PARENT_PATH folder)
execute_process(COMMAND "${PROGRAM}" WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE output RESULT_VARIABLE result)
file(READ "${EXPECTED}" expected)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${result}")
elseif(NOT output STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} printed\n${output}\ninstead of\n${expected}")
endif()
