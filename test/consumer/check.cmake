# One step of the consumer tests; see CMakeLists.txt beside this file for the variables.
cmake_minimum_required(VERSION 3.25)

# As in cmake/Features.cmake: what another clone has compiled need not be compiled again.
set(ENV{CCACHE_BASEDIR} "${SOURCE_DIR}")
set(ENV{CCACHE_NOHASHDIR} 1)

set(build_dir "${WORK_DIR}/${KIND}/${STEP}")
set(prefix "${WORK_DIR}/${KIND}/prefix")
set(staging "${WORK_DIR}/${KIND}/staging")
set(source "${SOURCE_DIR}/examples/${PROGRAM}.cpp")
file(READ "${SOURCE_DIR}/examples/${PROGRAM}.expected" expected)
set(shared OFF)
if(KIND STREQUAL "shared")
  set(shared ON)
endif()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Unoptimised, because only the packaging is on trial here.
function(configure folder)
  run(${CMAKE_COMMAND} -S "${folder}" -B "${build_dir}" -G "${GENERATOR}" --fresh
      "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
      -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 "-DCONSUMER_SOURCE=${source}" ${ARGN})
endfunction()

function(expect_output program)
  execute_process(COMMAND "${program}" WORKING_DIRECTORY "${SOURCE_DIR}/examples" OUTPUT_VARIABLE output RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(NOT result EQUAL 0 OR NOT output STREQUAL expected)
    message(FATAL_ERROR "${program} ended with ${result} and printed\n${output}${errors}\ninstead of\n${expected}")
  endif()
endfunction()

# Beside the program, one that calls what oneTBB may be behind.
function(expect_sweep program)
  set(expected "1 pair meets\n")
  expect_output("${program}")
endfunction()

if(STEP STREQUAL "install")
  file(REMOVE_RECURSE "${prefix}" "${staging}")
  configure("${SOURCE_DIR}" -DBUILD_SHARED_LIBS=${shared} "-DCMAKE_INSTALL_PREFIX=${staging}" -DSNUG_BUILD_CLI=OFF
            -DSNUG_BUILD_EXAMPLES=OFF -DSNUG_BUILD_TESTS=OFF -DSNUG_BUILD_BENCH=OFF -DSNUG_BUILD_PHYSICS=${PHYSICS}
            -DSNUG_UNITY=ON)
  run(${CMAKE_COMMAND} --build "${build_dir}")
  run(${CMAKE_COMMAND} --install "${build_dir}")
  # Whatever remembers the place it was installed to fails from here on.
  file(RENAME "${staging}" "${prefix}")

elseif(STEP STREQUAL "find_package")
  configure("${CMAKE_CURRENT_LIST_DIR}/find_package" "-DCMAKE_PREFIX_PATH=${prefix}")
  run(${CMAKE_COMMAND} --build "${build_dir}")
  expect_output("${build_dir}/consumer")
  expect_sweep("${build_dir}/sweep")
  # Where there is no oneTBB: a shared library does without, a static one names what is missing.
  execute_process(COMMAND ${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}/find_package" -B "${build_dir}_without_tbb" -G "${GENERATOR}"
                          --fresh "-DCMAKE_CXX_COMPILER=${CXX}" "-DCONSUMER_SOURCE=${source}" "-DCMAKE_PREFIX_PATH=${prefix}"
                          -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON
                  RESULT_VARIABLE result ERROR_VARIABLE errors OUTPUT_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " errors "${errors}")
  if(NOT result EQUAL 0 AND (shared OR NOT errors MATCHES "built with oneTBB, which was not found: install it"))
    message(FATAL_ERROR "find_package without oneTBB ended with ${result}: ${errors}")
  endif()

elseif(STEP STREQUAL "find_bullet")
  configure("${CMAKE_CURRENT_LIST_DIR}/find_package" "-DCMAKE_PREFIX_PATH=${prefix}" -DCONSUMER_COMPONENT=bullet)
  run(${CMAKE_COMMAND} --build "${build_dir}")
  expect_output("${build_dir}/consumer")

elseif(STEP STREQUAL "add_subdirectory")
  configure("${CMAKE_CURRENT_LIST_DIR}/add_subdirectory" -DBUILD_SHARED_LIBS=${shared} "-DSNUG_ROOT=${SOURCE_DIR}" -DSNUG_UNITY=ON)
  run(${CMAKE_COMMAND} --build "${build_dir}")
  expect_output("${build_dir}/consumer")
  expect_sweep("${build_dir}/sweep")

elseif(STEP STREQUAL "pkg_config")
  file(GLOB_RECURSE pc_file "${prefix}/*/snug.pc")
  cmake_path(GET pc_file PARENT_PATH pc_dir)
  cmake_path(GET pc_dir PARENT_PATH lib_dir)
  file(MAKE_DIRECTORY "${build_dir}")
  set(ENV{PKG_CONFIG_PATH} "${pc_dir}")
  set(ENV{PKG_CONFIG} "${PKG_CONFIG}")
  set(ENV{CXX} "${CXX}")
  set(ENV{LD_LIBRARY_PATH} "${lib_dir}")
  run(sh "${CMAKE_CURRENT_LIST_DIR}/pkg_config/build.sh" ${KIND} "${source}" "${build_dir}/consumer")
  expect_output("${build_dir}/consumer")
  run(sh "${CMAKE_CURRENT_LIST_DIR}/pkg_config/build.sh" ${KIND} "${CMAKE_CURRENT_LIST_DIR}/sweep.cpp" "${build_dir}/sweep")
  expect_sweep("${build_dir}/sweep")
  # The flags of those who have never heard of --static link a static library, too.
  run(sh "${CMAKE_CURRENT_LIST_DIR}/pkg_config/build.sh" plain "${CMAKE_CURRENT_LIST_DIR}/sweep.cpp" "${build_dir}/sweep_plain")
  expect_sweep("${build_dir}/sweep_plain")

else()
  message(FATAL_ERROR "unknown step '${STEP}'")
endif()
