// A control for ci/check_fused.py: a kernel with the instruction that it looks for.
#include <immintrin.h>

__attribute__((target("fma"))) void run_v3_of_control(double* products) {
  const __m256d x = _mm256_loadu_pd(products);
  _mm256_storeu_pd(products, _mm256_fmaddsub_pd(x, x, x));
}
