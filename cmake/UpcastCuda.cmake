# Enables the CUDA language if a compiler for it works; only then is CMAKE_CUDA_COMPILER set afterwards.
set(why_not "UPCAST_ENABLE_CUDA is off")
if(NOT UPCAST_ENABLE_CUDA)
  unset(CMAKE_CUDA_COMPILER CACHE)  # an earlier configuration with CUDA may have set CMAKE_CUDA_COMPILER
else()
  find_package(Nvcc QUIET)
  set(why_not "${Nvcc_WHY_NOT}")
  if(Nvcc_FOUND)
    set(CMAKE_CUDA_ARCHITECTURES ${UPCAST_CUDA_ARCHITECTURES})
    if(UPCAST_CUDA_ARCHITECTURES STREQUAL all)  # the architectures that this nvcc knows
      execute_process(COMMAND ${Nvcc_EXECUTABLE} --list-gpu-arch OUTPUT_VARIABLE known COMMAND_ERROR_IS_FATAL ANY)
      set(CMAKE_CUDA_ARCHITECTURES "")
      foreach(architecture 80 90 120)
        if(known MATCHES "compute_${architecture}\n")
          list(APPEND CMAKE_CUDA_ARCHITECTURES ${architecture})
        endif()
      endforeach()
    endif()
    set(ENV{CUDACXX} ${Nvcc_EXECUTABLE})
    include(CheckLanguage)
    check_language(CUDA)
    set(why_not "${Nvcc_EXECUTABLE} cannot compile a program (CMakeFiles/CMakeError.log)")
  endif()
endif()
if(CMAKE_CUDA_COMPILER)
  enable_language(CUDA)
  # Not FindCUDAToolkit: it needs libcudart.so, which PyPI's wheels do not have; we link the static one.
  find_library(UPCAST_CUDART_STATIC cudart_static NO_CACHE REQUIRED NO_DEFAULT_PATH
    PATHS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} ${CMAKE_CUDA_HOST_IMPLICIT_LINK_DIRECTORIES})
  add_library(CUDA::cudart_static STATIC IMPORTED GLOBAL)
  set_target_properties(CUDA::cudart_static PROPERTIES IMPORTED_LOCATION ${UPCAST_CUDART_STATIC}
    INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};rt")
  list(TRANSFORM CMAKE_CUDA_ARCHITECTURES PREPEND "sm_" OUTPUT_VARIABLE architectures)
  list(JOIN architectures " " architectures)
  message(STATUS "CUDA: nvcc ${CMAKE_CUDA_COMPILER_VERSION} (${CMAKE_CUDA_COMPILER}), ${architectures}")
else()
  message(STATUS "CUDA: left out, because ${why_not}")
endif()
