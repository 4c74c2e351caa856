# How targets of this project are compiled, and helpers that create the recurring kinds.

# Warnings and arithmetic rules, PRIVATE: neither reaches the users of the library.
function(snug_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # Exact predicates rest on every operation being rounded once, in the order written; a user's own -ffast-math must
  # not reach them, and these come later on the command line.
  target_compile_options(${target} PRIVATE -fno-fast-math -ffp-contract=off)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Box tests join their comparisons by & so that they compile without branches.
    target_compile_options(${target} PRIVATE -Wno-bitwise-instead-of-logical)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # gcc 12 takes the inactive side of a std::variant for uninitialised.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms on "text" + std::string (gcc bug 105651) and on std::string::replace.
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow)
  endif()
  if(SNUG_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(SNUG_ASSERTS)
    target_compile_definitions(${target} PRIVATE SNUG_ASSERTS=1)
  endif()
endfunction()

# snug_precompile(<target> [header]...): the standard headers most files include, and those given.
function(snug_precompile target)
  if(SNUG_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <charconv> <cmath> <cstdint> <filesystem> <functional>
      <limits> <map> <memory> <numeric> <optional> <span> <string> <string_view> <utility> <variant> <vector> ${ARGN})
  endif()
endfunction()

# snug_batch(<target> <size>): the sources of each of its folders are compiled that many at a time. What they have of
# their own, in nameless namespaces, then meets: names must differ within a folder. Not CMake's own unity builds, whose
# files hold absolute paths: what another clone has compiled would have to be compiled again. Sources with definitions of
# their own, or SKIP_UNITY_BUILD_INCLUSION, stay alone; set these properties first.
function(snug_batch target size)
  if(NOT SNUG_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(folders "")
  foreach(source IN LISTS sources)
    get_source_file_property(alone "${source}" SKIP_UNITY_BUILD_INCLUSION)
    get_source_file_property(definitions "${source}" COMPILE_DEFINITIONS)
    if(alone OR definitions)
      continue()
    endif()
    set_property(SOURCE "${source}" PROPERTY HEADER_FILE_ONLY ON)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND lines_${folder} "#include \"${source}\"\n")
  endforeach()

  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH lines_${folder} count)
    foreach(first RANGE 0 ${count} ${size})
      if(first LESS count)
        list(SUBLIST lines_${folder} ${first} ${size} lines)
        string(JOIN "" content ${lines})
        set(batch "${CMAKE_CURRENT_BINARY_DIR}/batches/${target}_${folder}_${first}.cpp")
        file(CONFIGURE OUTPUT "${batch}" CONTENT "${content}" @ONLY)
        target_sources(${target} PRIVATE "${batch}")
      endif()
    endforeach()
  endforeach()
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
endfunction()

# snug_add_program(<target> SOURCES <file>... [FOLDER <below bin/>] [NAME <file name>] [INTERNALS])
# INTERNALS gives access to the headers in src/; it needs the static library.
function(snug_add_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INTERNALS" "FOLDER;NAME" "SOURCES")
  add_executable(${target} ${arg_SOURCES})
  snug_compile_options(${target})
  target_link_libraries(${target} PRIVATE snug::snug Threads::Threads)
  if(arg_INTERNALS)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  endif()
  if(arg_FOLDER)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/${arg_FOLDER}")
  endif()
  if(DEFINED arg_NAME)  # a program may be called "off"
    set_target_properties(${target} PROPERTIES OUTPUT_NAME "${arg_NAME}")
  endif()
endfunction()

# For programs that contain importer/system_call_filter.cpp.
function(snug_use_seccomp target)
  if(SNUG_SECCOMP_INCLUDE AND SNUG_SECCOMP_LIBRARY)
    target_compile_definitions(${target} PRIVATE SNUG_HAS_SECCOMP=1)
    target_include_directories(${target} SYSTEM PRIVATE "${SNUG_SECCOMP_INCLUDE}")
    target_link_libraries(${target} PRIVATE "${SNUG_SECCOMP_LIBRARY}")
  endif()
endfunction()

# Environment, labels and time limit of a ctest entry. Labels `long` allow an hour.
function(snug_test_properties name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS;ENVIRONMENT")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
    if("long" IN_LIST arg_LABELS)
      set(arg_TIMEOUT 3600)
    endif()
  endif()
  set(scale ${SNUG_TEST_SCALE})
  if("optimised" IN_LIST arg_LABELS)
    set(scale ${SNUG_TEST_SCALE_OPTIMISED})
  endif()
  set(environment SNUG_TEST_SCALE=${scale} ${arg_ENVIRONMENT})
  if(SNUG_DATA_DIR)
    list(APPEND environment "SNUG_DATA=${SNUG_DATA_DIR}")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" ENVIRONMENT "${environment}")
endfunction()

# What tests ask is optimised, they themselves are not: that saves up to a third of the time it takes to compile them.
function(snug_compile_as_test target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# snug_add_test(<name> SOURCES <file>... [LABELS <label>...] [SHARDS <n>] [TIMEOUT <s>])
# One GoogleTest program in bin/test. It is one ctest entry, which is faster than a process per case, or n entries that
# share its cases when it runs long enough to be worth spreading over the cores. Programs with a label can be built
# together: target tests_<label>.
function(snug_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SHARDS;TIMEOUT" "SOURCES;LABELS")
  snug_add_program(${name} SOURCES ${arg_SOURCES} FOLDER test INTERNALS)
  target_link_libraries(${name} PRIVATE snug_scenes GTest::gtest GTest::gtest_main)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/test" "${PROJECT_SOURCE_DIR}")
  snug_compile_as_test(${name})
  target_precompile_headers(${name} REUSE_FROM snug_test_pch)

  if(NOT arg_SHARDS)
    set(arg_SHARDS 1)
  endif()
  math(EXPR last "${arg_SHARDS} - 1")
  foreach(shard RANGE ${last})
    set(entry ${name})
    set(environment "")
    if(arg_SHARDS GREATER 1)
      set(entry ${name}.${shard})
      set(environment GTEST_TOTAL_SHARDS=${arg_SHARDS} GTEST_SHARD_INDEX=${shard})
    endif()
    add_test(NAME ${entry} COMMAND ${name})
    snug_test_properties(${entry} TIMEOUT "${arg_TIMEOUT}" LABELS ${arg_LABELS} ENVIRONMENT ${environment})
  endforeach()

  foreach(label IN LISTS arg_LABELS)
    if(NOT TARGET tests_${label})
      add_custom_target(tests_${label})
    endif()
    add_dependencies(tests_${label} ${name})
  endforeach()
endfunction()
