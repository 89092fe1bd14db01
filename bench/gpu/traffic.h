// A model of a GPU's memory: the bytes that a call moves through it, and the least time that they
// take. The model needs no GPU.
#pragma once

#include <span>
#include <string_view>

#include "impl/cuda/make_launches.h"

namespace upcast::bench {

/// Bytes of a sector: the unit in which a GPU reads its memory and writes to it.
inline constexpr std::int64_t kSector = 32;

/// The three ways in which a call's kernels read their operands (docs/gpu.md).
enum class GpuPath : unsigned char {
  kContiguous,  // the contiguous kernel: vector loads of one dtype
  kMixed,       // the general kernel on dense operands: vector loads, each operand at its own width
  kStrided,     // the general kernel on strided operands: one element at a time
};
std::string_view name(GpuPath path);

/// The bytes that one call moves.
struct Traffic {
  GpuPath path = GpuPath::kContiguous;
  std::size_t launches = 0;
  std::int64_t elements = 0;
  /// Bytes between the device's memory and its caches. Every sector that holds an element crosses
  /// once, if the operands are larger than the caches.
  double memory_bytes = 0;
  /// Bytes of the sectors that warps request from the caches. More than memory_bytes where
  /// neighbouring threads read from different sectors.
  double cache_bytes = 0;

  double memory_bytes_per_element() const { return memory_bytes / static_cast<double>(elements); }
  double cache_bytes_per_element() const { return cache_bytes / static_cast<double>(elements); }
};

/// The bytes that a call moves, from its plan and the launches made of it. An operand that is a
/// constant of the kernel moves none.
Traffic traffic_of(const IteratorPlan& plan, std::span<const Launch> launches);

/// A device with the figures that its vendor publishes.
struct GpuDevice {
  std::string_view name;
  double bytes_per_second;  // the published bandwidth of its memory
  std::string_view source;
};
std::span<const GpuDevice> gpu_devices();
/// The device with this name. Throws UsageError if gpu_devices() has none.
const GpuDevice& find_gpu_device(std::string_view name);

/// Nanoseconds that the bytes of a call take at a bandwidth, without launches and arithmetic. A
/// call can take less if its tensors stay in a cache from call to call.
double least_nanoseconds(const Traffic& traffic, double bytes_per_second);

}  // namespace upcast::bench
