# What is installed: the header-only promotion library, the C ABI of plug-ins, and their CMake package; and what the
# author of a backend needs to check it: the programs and modules (those that are built), both templates, and the Python
# package of processes, where the programs look for it. A project that uses one writes find_package(upcast), links
# upcast::promotion, includes <upcast/impl/promotion/promotion.h>, or links upcast::plugin and includes
# <upcast/oracle/plugin/plugin.h>, and brings DLPack's header itself.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/upcast)

install(TARGETS upcast_promotion upcast_plugin EXPORT upcastTargets COMPONENT package)
install(FILES ${PROJECT_SOURCE_DIR}/oracle/plugin/plugin.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/upcast/oracle/plugin
  COMPONENT package)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/impl/core ${PROJECT_SOURCE_DIR}/impl/promotion
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/upcast/impl COMPONENT package FILES_MATCHING PATTERN "*.h"
  PATTERN "testing" EXCLUDE)
set(programs upcast upcast-worker upcast-plugin-worker upcast-minimize upcast-repro upcast-sweep upcast-fuzz upcast-fuzz-chains)
foreach(target elementwise kernel iterator chain promotion notation store)
  list(APPEND programs fuzz-${target})
endforeach()
foreach(program ${programs})
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)  # LibTorch's
    install(TARGETS ${program} DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL COMPONENT package)
  endif()
endforeach()
# Completion and the manual page, which the program writes itself.
foreach(page
    "completion bash|share/bash-completion/completions/upcast" "completion zsh|share/zsh/site-functions/_upcast"
    "completion fish|share/fish/vendor_completions.d/upcast.fish" "man|share/man/man1/upcast.1")
  string(REPLACE "|" ";" page "${page}")
  list(GET page 0 words)
  list(GET page 1 file)
  separate_arguments(words)
  get_filename_component(folder ${file} DIRECTORY)
  install(CODE "if(EXISTS \"$<TARGET_FILE:upcast>\")
    set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    file(MAKE_DIRECTORY \"\${prefix}/${folder}\")
    execute_process(COMMAND \"$<TARGET_FILE:upcast>\" ${words} OUTPUT_FILE \"\${prefix}/${file}\" COMMAND_ERROR_IS_FATAL ANY)
    message(STATUS \"Installing: \${prefix}/${file}\")
  endif()" COMPONENT package)
endforeach()
# The folder where the worker looks for modules (oracle/modules). No package has the module of CUDA.
set(modules ${CMAKE_INSTALL_BINDIR}/../lib/upcast)
if(TARGET upcast_emulated_module)
  install(TARGETS upcast_emulated_module LIBRARY DESTINATION ${modules} OPTIONAL COMPONENT package)
endif()
if(TARGET upcast_cuda_module)
  install(TARGETS upcast_cuda_module LIBRARY DESTINATION ${modules} OPTIONAL COMPONENT cuda)
endif()
set(share ${CMAKE_INSTALL_BINDIR}/../share/upcast)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/oracle/plugin/template DESTINATION ${share} COMPONENT package)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/oracle/frameworks/python DESTINATION ${share} COMPONENT package
  PATTERN "__pycache__" EXCLUDE PATTERN "testing" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cases DESTINATION ${share} COMPONENT package
  FILES_MATCHING PATTERN "*.cases" PATTERN "known_differences.toml")
# Only in a wheel or an archive (ci/wheel.sh): a file that names the needed LibTorch. There the programs look for it
# themselves (tools/libtorch_home.h).
if(LibTorch_FOUND)
  file(WRITE ${PROJECT_BINARY_DIR}/libtorch_version ${LibTorch_VERSION})
  install(FILES ${PROJECT_BINARY_DIR}/libtorch_version DESTINATION ${share} COMPONENT package EXCLUDE_FROM_ALL)
endif()
# Only in an installation of this tree: a file that names the LibTorch with which the programs are linked, and the
# command that restores it. It may be deleted, because it is in the cache that ci/setup.sh fills.
if(LibTorch_FOUND)
  set(restore "pip install torch==${LibTorch_VERSION}")
  if(LibTorch_ROOT MATCHES "/upcast/libtorch-[^/]*(/torch)?$")
    set(restore "${PROJECT_SOURCE_DIR}/ci/setup.sh report")
  endif()
  file(WRITE ${PROJECT_BINARY_DIR}/libtorch_linked "${LibTorch_VERSION}\n${LibTorch_ROOT}\n${restore}\n")
  install(FILES ${PROJECT_BINARY_DIR}/libtorch_linked DESTINATION ${share} COMPONENT linked)
endif()
install(EXPORT upcastTargets FILE upcastConfig.cmake NAMESPACE upcast:: DESTINATION ${package_dir} COMPONENT package)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/upcastConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/upcastConfigVersion.cmake DESTINATION ${package_dir} COMPONENT package)
