# Installed package: find_package(snug CONFIG) and pkg-config, both free of absolute paths.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/snug")
install(TARGETS snug EXPORT snugTargets FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT snugTargets NAMESPACE snug:: DESTINATION "${package_dir}")

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
set(pc_tbb "")
if(SNUG_HAS_TBB)
  set(pc_tbb " -ltbb")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/snug.pc.in" "${PROJECT_BINARY_DIR}/snug.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/snug.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
