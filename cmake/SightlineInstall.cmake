# What `cmake --install` gives besides the targets, each of which its folder installs: the package that
# find_package(Sightline) finds. tests/install builds and runs a project that uses it.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Sightline)
install(EXPORT SightlineTargets NAMESPACE Sightline:: DESTINATION ${package_dir})

configure_package_config_file(cmake/SightlineConfig.cmake.in SightlineConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(SightlineConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/SightlineConfig.cmake
  ${PROJECT_BINARY_DIR}/SightlineConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT sdk)
install(FILES LICENSE README.md README.zh.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})  # The README links to its pages.
