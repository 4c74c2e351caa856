# What the build finds on the machine. Only threads are needed; all else is optional and shows in the table.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# Header only and used in one file; looked for by path so that users of the library never hear of it.
find_path(SNUG_JSON_INCLUDE nlohmann/json.hpp)
if(SNUG_JSON_INCLUDE)
  snug_feature("glTF reading" on "nlohmann-json in ${SNUG_JSON_INCLUDE}")
else()
  snug_feature("glTF reading" off "nlohmann-json not found (nlohmann-json3-dev)")
endif()

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

# The kernel lives in a program of its own, snug-import; the library never hears of it. Asked for by components, the
# package as Debian ships it is not found.
set(SNUG_HAS_CAD OFF)
set(cad_packages "libocct-data-exchange-dev libocct-modeling-data-dev libocct-modeling-algorithms-dev libocct-ocaf-dev libocct-foundation-dev")
find_package(OpenCASCADE QUIET)
if(NOT SNUG_BUILD_CLI)
  snug_feature("CAD import" off "SNUG_BUILD_CLI is off")
elseif(SNUG_SANITIZE)
  snug_feature("CAD import" off "left out under sanitizers, which its limit on memory does not suffer")
elseif(OpenCASCADE_FOUND AND EXISTS "${OpenCASCADE_INCLUDE_DIR}/STEPCAFControl_Reader.hxx")
  set(SNUG_HAS_CAD ON)
  snug_feature("CAD import" on "bin/snug-import, OpenCASCADE ${OpenCASCADE_VERSION}")
else()
  snug_feature("CAD import" off "OpenCASCADE not found (${cad_packages})")
endif()

find_path(SNUG_SECCOMP_INCLUDE seccomp.h)
find_library(SNUG_SECCOMP_LIBRARY seccomp)
if(SNUG_SECCOMP_INCLUDE AND SNUG_SECCOMP_LIBRARY)
  snug_feature("importer's filter" on "libseccomp: ${SNUG_SECCOMP_LIBRARY}")
else()
  snug_feature("importer's filter" off "libseccomp not found (libseccomp-dev): the importer is held by limits alone")
endif()

find_program(SNUG_CCACHE ccache)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  snug_feature("ccache" off "another launcher is set: ${CMAKE_CXX_COMPILER_LAUNCHER}")
elseif(SNUG_CCACHE)
  # Without this sloppiness ccache gives up on every file that uses a precompiled header; with paths relative to the
  # project, a second clone finds what the first has compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;CCACHE_BASEDIR=${PROJECT_SOURCE_DIR};CCACHE_NOHASHDIR=1;${SNUG_CCACHE}")
  snug_feature("ccache" on "${SNUG_CCACHE}")
else()
  snug_feature("ccache" off "not found; builds are slower")
endif()

set(SNUG_HAS_GTEST OFF)
if(NOT SNUG_BUILD_TESTS)
  snug_feature("tests" off "SNUG_BUILD_TESTS is off")
  return()
endif()

find_package(GTest QUIET CONFIG)
if(BUILD_SHARED_LIBS)
  snug_feature("tests" off "they read internals, which a shared library hides")
elseif(GTest_FOUND)
  set(SNUG_HAS_GTEST ON)
  snug_feature("tests" on "GoogleTest ${GTest_VERSION}, ${SNUG_TEST_SCALE} % of the cases")
else()
  snug_feature("tests" off "GoogleTest not found (libgtest-dev)")
endif()

# Data from elsewhere is never copied into the project; tests that want it skip aloud where it is missing.
if(DEFINED ENV{SNUG_DATA})
  set(SNUG_DATA_DIR "$ENV{SNUG_DATA}")
else()
  cmake_path(SET SNUG_DATA_DIR NORMALIZE "${PROJECT_SOURCE_DIR}/../shared/data")
endif()
if(IS_DIRECTORY "${SNUG_DATA_DIR}")
  snug_feature("test data" on "${SNUG_DATA_DIR}")
else()
  snug_feature("test data" off "no folder ${SNUG_DATA_DIR}; set SNUG_DATA")
  set(SNUG_DATA_DIR "")
endif()
