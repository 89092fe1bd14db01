# What is installed: the header-only promotion library, the C ABI of plug-ins, and their CMake package. A project
# that uses one writes find_package(upcast), links upcast::promotion, includes <upcast/impl/promotion/promotion.h>,
# or links upcast::plugin and includes <upcast/oracle/plugin/plugin.h>, beside DLPack's header of its own.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/upcast)

install(TARGETS upcast_promotion upcast_plugin EXPORT upcastTargets)
install(FILES ${PROJECT_SOURCE_DIR}/oracle/plugin/plugin.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/upcast/oracle/plugin)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/impl/core ${PROJECT_SOURCE_DIR}/impl/promotion
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/upcast/impl FILES_MATCHING PATTERN "*.h"
  PATTERN "testing" EXCLUDE)
install(EXPORT upcastTargets FILE upcastConfig.cmake NAMESPACE upcast:: DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/upcastConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/upcastConfigVersion.cmake DESTINATION ${package_dir})
