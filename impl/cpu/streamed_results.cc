#include "impl/cpu/streamed_results.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstring>
#include <span>

namespace upcast::internal {
namespace {

constexpr std::int64_t kLeastRow = 4096;  // bytes

}  // namespace

#if defined(__x86_64__)

bool is_streamed(const IteratorPlan& plan, Capability capability) {
  if (capability == Capability::kBaseline) return false;
  if (plan.in_order || plan.output_count != 1 || plan.sizes.empty()) return false;
  const PlanOperand& output = plan.outputs[0];
  const std::int64_t size = itemsize(output.dtype);
  const bool is_large = numel(plan.sizes) * size >= kLeastStreamed;
  const bool has_long_rows = plan.sizes.back() * size >= kLeastRow;
  const bool is_aligned = bytes_into_cache_line(output.data) % size == 0;
  const bool is_apart = std::ranges::none_of(
      std::span(plan.inputs).first(plan.input_count),
      [&output](const PlanOperand& input) { return input.data == output.data; });
  return is_large && has_long_rows && is_aligned && is_apart && output.strides.back() == size;
}

[[gnu::target("avx")]] void stream(std::byte* to, const std::byte* from, std::int64_t bytes) {
  const std::int64_t streamed = bytes_into_cache_line(to) == 0 ? bytes - bytes % kCacheLine : 0;
  for (std::int64_t i = 0; i < streamed; i += static_cast<std::int64_t>(sizeof(__m256i)))
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i),
                        _mm256_load_si256(reinterpret_cast<const __m256i*>(from + i)));
  std::memcpy(to + streamed, from + streamed, bytes - streamed);
}

void end_streams() { _mm_sfence(); }

#else

bool is_streamed(const IteratorPlan&, Capability) { return false; }
void stream(std::byte* to, const std::byte* from, std::int64_t bytes) {
  std::memcpy(to, from, bytes);
}
void end_streams() {}

#endif

}  // namespace upcast::internal
