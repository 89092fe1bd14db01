# LibTorch::LibTorch: torch_cpu and c10 of the torch wheel, without its own CMake package (that one
# wants a CUDA toolkit). Looked for in LIBTORCH (variable or environment: a folder that holds lib/ and
# include/, or a torch/ folder that does), else in the cache that ci/setup.sh fills.
#   LibTorch_VERSION, LibTorch_ROOT   the version found, and the folder that holds lib/ and include/
#   LibTorch_NATIVE_FUNCTIONS         native_functions.yaml, empty where the package has none
set(_cache $ENV{XDG_CACHE_HOME})
if(NOT _cache)
  set(_cache $ENV{HOME}/.cache)
endif()
file(STRINGS ${PROJECT_SOURCE_DIR}/ci/libtorch.txt _pin REGEX "^torch==")
string(REGEX REPLACE "^torch==([^ ]+).*" "\\1" _pin "${_pin}")
set(_hint ${LIBTORCH})
if(NOT _hint)
  set(_hint $ENV{LIBTORCH})
endif()
if(NOT _hint)
  set(_hint ${_cache}/upcast/libtorch-${_pin})
endif()

# No find_path cache entries: a changed LIBTORCH must take effect on the next configure.
unset(LibTorch_ROOT)
foreach(dir ${_hint} ${_hint}/torch)
  if(EXISTS ${dir}/lib/libtorch_cpu.so AND EXISTS ${dir}/include/ATen/ATen.h)
    set(LibTorch_ROOT ${dir})
  endif()
endforeach()

if(LibTorch_ROOT)
  set(LibTorch_VERSION "")
  set(_header ${LibTorch_ROOT}/include/torch/headeronly/version.h)
  if(NOT EXISTS ${_header})  # before 2.9
    set(_header ${LibTorch_ROOT}/include/torch/csrc/api/include/torch/version.h)
  endif()
  file(STRINGS ${_header} _macros REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
  foreach(part MAJOR MINOR PATCH)
    string(REGEX MATCH "TORCH_VERSION_${part} ([0-9]+)" _ "${_macros}")
    list(APPEND LibTorch_VERSION ${CMAKE_MATCH_1})
  endforeach()
  list(JOIN LibTorch_VERSION "." LibTorch_VERSION)
  find_file(LibTorch_NATIVE_FUNCTIONS native_functions.yaml NO_CACHE NO_DEFAULT_PATH
    PATHS ${LibTorch_ROOT}/../torchgen/packaged/ATen/native)

  # The libcudart and libcupti that libtorch_cpu asks for, if it does, are not in its wheel.
  execute_process(COMMAND ${CMAKE_READELF} -d ${LibTorch_ROOT}/lib/libtorch_cpu.so
    OUTPUT_VARIABLE _dynamic COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "libcu(dart|pti)\\.so\\.[0-9]+" _needed "${_dynamic}")
  find_program(_nvcc nvcc NO_CACHE)
  if(_nvcc)
    cmake_path(GET _nvcc PARENT_PATH _nvcc_bin)
    cmake_path(GET _nvcc_bin PARENT_PATH _toolkit)
  endif()
  file(STRINGS ${PROJECT_SOURCE_DIR}/ci/cuda_runtime.txt _runtime REGEX "^nvidia-cuda-runtime==")
  string(REGEX REPLACE ".*==([^ ]+).*" "\\1" _runtime "${_runtime}")
  set(_folders "")
  foreach(root ${LibTorch_ROOT} ${LibTorch_ROOT}/../nvidia/cu13 ${LibTorch_ROOT}/../nvidia/cuda_runtime
      ${LibTorch_ROOT}/../nvidia/cuda_cupti $ENV{CUDA_HOME} ${_toolkit}
      ${_cache}/upcast/cuda-runtime-${_runtime}/nvidia/cu13)
    list(APPEND _folders ${root}/lib64 ${root}/extras/CUPTI/lib64 ${root}/lib)
  endforeach()
  set(_rpaths "")
  set(_missing "")
  foreach(library ${_needed})
    find_library(_found NAMES ${library} NO_CACHE NO_DEFAULT_PATH PATHS ${_folders})
    if(_found)
      get_filename_component(_found ${_found} DIRECTORY)
      list(APPEND _rpaths ${_found})
    else()
      list(APPEND _missing ${library})
    endif()
    unset(_found)
  endforeach()
  list(REMOVE_DUPLICATES _rpaths)
endif()

set(_why "run ci/setup.sh, or set LIBTORCH to a folder that holds lib/ and include/")
if(_missing)
  set(_why "${_missing} not found: run ci/setup.sh, or set CUDA_HOME")
  unset(LibTorch_ROOT)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch REQUIRED_VARS LibTorch_ROOT VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "${_why}")

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  add_library(LibTorch::c10 SHARED IMPORTED)
  set_target_properties(LibTorch::c10 PROPERTIES IMPORTED_LOCATION ${LibTorch_ROOT}/lib/libc10.so)
  add_library(LibTorch::torch_cpu SHARED IMPORTED)
  set_target_properties(LibTorch::torch_cpu PROPERTIES IMPORTED_LOCATION ${LibTorch_ROOT}/lib/libtorch_cpu.so)
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  # Imported, so its headers are system headers and raise no warnings.
  set_target_properties(LibTorch::LibTorch PROPERTIES INTERFACE_COMPILE_DEFINITIONS _GLIBCXX_USE_CXX11_ABI=1
    INTERFACE_INCLUDE_DIRECTORIES "${LibTorch_ROOT}/include;${LibTorch_ROOT}/include/torch/csrc/api/include")
  # RPATH, not RUNPATH: only RPATH also serves what libtorch_cpu loads in its turn.
  set(_link -Wl,--disable-new-dtags)
  foreach(dir ${_rpaths})
    list(APPEND _link -Wl,-rpath,${dir} -Wl,-rpath-link,${dir})
  endforeach()
  set_target_properties(LibTorch::LibTorch PROPERTIES INTERFACE_LINK_OPTIONS "${_link}"
    INTERFACE_LINK_LIBRARIES "LibTorch::torch_cpu;LibTorch::c10;Threads::Threads")
endif()
