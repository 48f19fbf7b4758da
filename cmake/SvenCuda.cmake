# The CUDA language, for src/cuda. The compiler is found on the PATH or where the toolkit installs itself.
find_program(SVEN_NVCC nvcc HINTS /usr/local/cuda/bin)
mark_as_advanced(SVEN_NVCC)
if(NOT SVEN_NVCC)
    message(FATAL_ERROR "SVEN_CUDA is on, and there is no nvcc (CUDA 13) on the PATH or in /usr/local/cuda/bin")
endif()
if(NOT DEFINED CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${SVEN_NVCC})
endif()
# Machine code for Hopper, and PTX that the driver compiles for any other GPU since Turing: from Ampere on with products on the
# matrix units.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 75-virtual 80-virtual 90)
endif()
enable_language(CUDA)
find_package(CUDAToolkit 13 REQUIRED)
