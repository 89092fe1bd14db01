# The CUDA compiler, which the build can do without. Looked for in CUDA_HOME, on PATH, and in the cache that
# ci/setup.sh fills; the first one that knows C++20 is taken.
#   Nvcc_EXECUTABLE, Nvcc_VERSION   nvcc, and its version
#   Nvcc_CUOBJDUMP                  cuobjdump, next to it or in the cache; empty where there is none
#   Nvcc_WHY_NOT                    why none was found
set(_cache $ENV{XDG_CACHE_HOME})
if(NOT _cache)
  set(_cache $ENV{HOME}/.cache)
endif()
foreach(part toolkit disassembler)
  file(STRINGS ${PROJECT_SOURCE_DIR}/ci/cuda_${part}.txt _pin REGEX "==" LIMIT_COUNT 1)
  string(REGEX REPLACE ".*==([^ ]+).*" "\\1" _pin "${_pin}")
  set(_${part} ${_cache}/upcast/cuda-${part}-${_pin}/nvidia/cu13)
endforeach()

set(Nvcc_EXECUTABLE "")
set(Nvcc_WHY_NOT "no nvcc was found: run ci/setup.sh, or set CUDA_HOME")
find_program(_on_path nvcc NO_CACHE NO_DEFAULT_PATH PATHS ENV PATH)
foreach(nvcc $ENV{CUDA_HOME}/bin/nvcc ${_on_path} ${_toolkit}/bin/nvcc)
  if(NOT Nvcc_EXECUTABLE AND EXISTS ${nvcc})
    execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE _text ERROR_QUIET)
    string(REGEX MATCH "release [0-9.]+, V([0-9.]+)" _ "${_text}")
    set(Nvcc_VERSION "${CMAKE_MATCH_1}")
    if(Nvcc_VERSION VERSION_GREATER_EQUAL 12)
      set(Nvcc_EXECUTABLE ${nvcc})
    else()
      set(Nvcc_WHY_NOT "${nvcc} is older than 12.0, which C++20 takes: run ci/setup.sh without it")
    endif()
  endif()
endforeach()

set(Nvcc_CUOBJDUMP "")
if(Nvcc_EXECUTABLE)
  cmake_path(GET Nvcc_EXECUTABLE PARENT_PATH _bin)
  foreach(folder ${_bin} ${_disassembler}/bin)  # with an nvdisasm in the same folder, which cuobjdump starts
    if(NOT Nvcc_CUOBJDUMP AND EXISTS ${folder}/cuobjdump AND EXISTS ${folder}/nvdisasm)
      set(Nvcc_CUOBJDUMP ${folder}/cuobjdump)
    endif()
  endforeach()
endif()

include(FindPackageHandleStandardArgs)
set(FPHSA_NAME_MISMATCHED ON)
find_package_handle_standard_args(Nvcc REQUIRED_VARS Nvcc_EXECUTABLE VERSION_VAR Nvcc_VERSION
  REASON_FAILURE_MESSAGE "${Nvcc_WHY_NOT}")
