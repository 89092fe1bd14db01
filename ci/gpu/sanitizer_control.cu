// A program with a fault that compute-sanitizer must find: sanitizer_control memcheck|racecheck.
#include <cstdio>
#include <cstring>

// (kernels of upcast itself take the index of their thread from launch_index.h)
__global__ void writes_outside(int* one) { one[1 << 20] = 1; }

__global__ void races(int* sum) {
  __shared__ int shared;
  shared += 1;  // the race: all threads write, without a barrier
  *sum = shared;
}

int main(int argc, char** argv) {
  int* memory = nullptr;
  if (argc != 2 || cudaMalloc(&memory, sizeof(int)) != cudaSuccess) return 2;
  if (std::strcmp(argv[1], "memcheck") == 0)
    writes_outside<<<1, 1>>>(memory);
  else
    races<<<1, 64>>>(memory);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
