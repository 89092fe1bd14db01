# LibTorch::LibTorch: torch_cpu and c10 of the torch wheel, without its own CMake package (that one
# needs a CUDA toolkit). Looked for in LIBTORCH (variable or environment: a folder that holds lib/ and
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

# Forgets the folder found before: a changed LIBTORCH must take effect on the next configure.
unset(LibTorch_ROOT)
foreach(dir ${_hint} ${_hint}/torch)
  if(EXISTS ${dir}/lib/libtorch_cpu.so AND EXISTS ${dir}/include/ATen/ATen.h)
    set(LibTorch_ROOT ${dir})
  endif()
endforeach()

include(LibTorchTarget)
if(LibTorch_ROOT)
  libtorch_look(${LibTorch_ROOT} LibTorch_VERSION _rpaths _missing)
  find_file(LibTorch_NATIVE_FUNCTIONS native_functions.yaml NO_CACHE NO_DEFAULT_PATH
    PATHS ${LibTorch_ROOT}/../torchgen/packaged/ATen/native)
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
  libtorch_target(LibTorch ${LibTorch_ROOT} "${_rpaths}")
endif()
