// The bytes that a call moves through a GPU's memory, and the least time that they take. A model:
// no GPU needed.
#pragma once

#include <span>
#include <string_view>

#include "impl/cuda/make_launches.h"

namespace upcast::bench {

/// Bytes are fetched from memory, and written to it, in sectors of as many.
inline constexpr std::int64_t kSector = 32;

/// How the launches of a call read their operands (docs/gpu.md).
enum class GpuPath : unsigned char {
  kContiguous,  // the contiguous kernel: vectors of one dtype
  kMixed,       // the general kernel, dense operands: vectors, each at its own width
  kStrided,     // the general kernel, element by element
};
std::string_view name(GpuPath path);

/// Bytes of one call.
struct Traffic {
  GpuPath path = GpuPath::kContiguous;
  std::size_t launches = 0;
  std::int64_t elements = 0;
  /// Every sector that holds an element crosses the device's memory once: caches cannot avoid it if
  /// the operands are larger than they are.
  double memory_bytes = 0;
  /// Sectors that warps ask the caches for: more than that, where neighbouring threads read from
  /// different sectors.
  double cache_bytes = 0;

  double memory_bytes_per_element() const { return memory_bytes / static_cast<double>(elements); }
  double cache_bytes_per_element() const { return cache_bytes / static_cast<double>(elements); }
};

/// Derived from a plan and the launches made of it. An operand that is a kernel's constant moves
/// nothing.
Traffic traffic_of(const IteratorPlan& plan, std::span<const Launch> launches);

/// A device as its vendor describes it.
struct GpuDevice {
  std::string_view name;
  double bytes_per_second;  // of its memory, published
  std::string_view source;
};
std::span<const GpuDevice> gpu_devices();
/// Throws UsageError for a name that is not there.
const GpuDevice& find_gpu_device(std::string_view name);

/// Nanoseconds that the bytes of a call take at a bandwidth: no launch, no arithmetic. Tensors that
/// stay in a cache from call to call take less.
double least_nanoseconds(const Traffic& traffic, double bytes_per_second);

}  // namespace upcast::bench
