#include "bench/gpu/traffic.h"

#include <algorithm>
#include <string>

#include "impl/core/error.h"

namespace upcast::bench {
namespace {

constexpr std::int64_t kWarp = 32;

/// Bytes of the memory sectors (kSector) that hold an element of an operand. Strides are in bytes.
double touched_bytes(const Dims& sizes, const Dims& strides, std::int64_t itemsize) {
  std::vector<std::pair<std::int64_t, std::int64_t>> dims;  // stride, size
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] > 1 && strides[d] != 0) dims.emplace_back(strides[d], sizes[d]);
  std::sort(dims.begin(), dims.end());
  std::int64_t run = itemsize;  // bytes of a stretch without gaps wider than a sector
  std::int64_t runs = 1;
  for (const auto& [stride, size] : dims) {
    if (runs == 1 && stride <= std::max(run, kSector))
      run += stride * (size - 1);
    else
      runs *= size;
  }
  return static_cast<double>(runs * ((run + kSector - 1) / kSector * kSector));
}

/// Bytes of the sectors that a warp requests, for each element. The threads of a warp take
/// neighbouring elements of the fastest dimension.
double requested_bytes(const Dims& sizes, const Dims& strides, std::int64_t itemsize) {
  if (sizes.empty() || strides.back() == 0) return double{kSector} / kWarp;
  return static_cast<double>(std::clamp(strides.back(), itemsize, std::max(itemsize, kSector)));
}

Access access_of(const Launch& launch, int input) {
  if (const auto* const args = std::get_if<ContiguousArgs>(&launch.args))
    return args->access[input];
  return std::get<GeneralArgs>(launch.args).inputs[input].access;
}

GpuPath path_of(const Launch& launch) {
  if (std::holds_alternative<ContiguousArgs>(launch.args)) return GpuPath::kContiguous;
  const bool vectors = std::get<GeneralArgs>(launch.args).groups.vectors > 0;
  return vectors ? GpuPath::kMixed : GpuPath::kStrided;
}

}  // namespace

std::string_view name(GpuPath path) {
  constexpr std::array<std::string_view, 3> kNames{"contiguous", "mixed", "strided"};
  return kNames[static_cast<int>(path)];
}

Traffic traffic_of(const IteratorPlan& plan, std::span<const Launch> launches) {
  Traffic traffic{.launches = launches.size(), .elements = numel(plan.sizes)};
  if (launches.empty()) return traffic;
  for (const Launch& launch : launches) traffic.path = std::max(traffic.path, path_of(launch));
  const auto add = [&](const PlanOperand& operand) {
    const std::int64_t size = itemsize(operand.dtype);
    traffic.memory_bytes += touched_bytes(plan.sizes, operand.strides, size);
    traffic.cache_bytes +=
        static_cast<double>(traffic.elements) * requested_bytes(plan.sizes, operand.strides, size);
  };
  for (int i = 0; i < plan.output_count; ++i) add(plan.outputs[i]);
  for (int i = 0; i < plan.input_count; ++i)
    if (access_of(launches.front(), i) != Access::kConstant) add(plan.inputs[i]);
  return traffic;
}

std::span<const GpuDevice> gpu_devices() {
  static constexpr GpuDevice kDevices[] = {
      {"A100", 2039e9, "NVIDIA A100 80GB SXM datasheet: 2,039 GB/s"},
      {"H100", 3.35e12, "NVIDIA H100 SXM datasheet: 3.35 TB/s"},
      {"H200", 4.8e12, "NVIDIA H200 datasheet: 4.8 TB/s"},
      {"RTX5090", 1792e9, "NVIDIA GeForce RTX 5090 specifications: 1,792 GB/s"},
  };
  return kDevices;
}

const GpuDevice& find_gpu_device(std::string_view name) {
  std::string known;
  for (const GpuDevice& device : gpu_devices()) {
    if (device.name == name) return device;
    known += (known.empty() ? "" : ", ") + std::string(device.name);
  }
  throw UsageError("bench: no published bandwidth for a device '" + std::string(name) +
                   "'; there are " + known);
}

double least_nanoseconds(const Traffic& traffic, double bytes_per_second) {
  return traffic.memory_bytes / bytes_per_second * 1e9;
}

}  // namespace upcast::bench
