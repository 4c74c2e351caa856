# Installed package: find_package(snug CONFIG) and pkg-config, both free of absolute paths.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/snug")
install(TARGETS snug EXPORT snugTargets FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT snugTargets NAMESPACE snug:: DESTINATION "${package_dir}")

# Consumers of a static library link oneTBB if it was built with it; those of a shared one need not know of it.
set(SNUG_CONSUMERS_NEED_TBB OFF)
get_target_property(snug_kind snug TYPE)
if(SNUG_HAS_TBB AND NOT snug_kind STREQUAL "SHARED_LIBRARY")
  set(SNUG_CONSUMERS_NEED_TBB ON)
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/snugConfig.cmake.in" "${PROJECT_BINARY_DIR}/snugConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/snugConfigVersion.cmake" COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/snugConfig.cmake" "${PROJECT_BINARY_DIR}/snugConfigVersion.cmake"
        DESTINATION "${package_dir}")

# The .pc file finds its prefix from its own place, however deep the library folder is.
set(pc_dir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pc_prefix "${pc_dir}" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH pc_libdir "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH pc_includedir "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
# What the library itself needs. A static one leaves that to whoever links it, whether or not they say --static.
set(pc_libs "")
set(pc_libs_private " -pthread")
if(SNUG_HAS_TBB)
  string(APPEND pc_libs_private " -ltbb")
endif()
if(NOT snug_kind STREQUAL "SHARED_LIBRARY")
  set(pc_libs "${pc_libs_private}")
  set(pc_libs_private "")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/snug.pc.in" "${PROJECT_BINARY_DIR}/snug.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/snug.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
