# What is installed: the header-only promotion library, the C ABI of plug-ins, and their CMake package; and what the
# author of a backend needs to check it: the programs and modules (those that are built), both templates, and the Python package
# of processes, where the programs look for it. A project
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
foreach(program upcast upcast-worker upcast-plugin-worker upcast-minimize upcast-repro upcast-sweep)
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)  # LibTorch's
    install(TARGETS ${program} DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
  endif()
endforeach()
foreach(module cuda emulated)  # where the worker looks for them (oracle/modules)
  if(TARGET upcast_${module}_module)
    install(TARGETS upcast_${module}_module LIBRARY DESTINATION ${CMAKE_INSTALL_BINDIR}/../lib/upcast OPTIONAL)
  endif()
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/oracle/plugin/template DESTINATION ${CMAKE_INSTALL_BINDIR}/../share/upcast)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/oracle/frameworks/python DESTINATION ${CMAKE_INSTALL_BINDIR}/../share/upcast
  PATTERN "__pycache__" EXCLUDE)
install(EXPORT upcastTargets FILE upcastConfig.cmake NAMESPACE upcast:: DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/upcastConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/upcastConfigVersion.cmake DESTINATION ${package_dir})
