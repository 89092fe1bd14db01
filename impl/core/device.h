// The devices that a tensor can lie on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace upcast {

enum class Device : std::uint8_t {
  kCpu,
  kCuda,
  kMeta  // tensors have a dtype, sizes and strides, but no elements
};

inline constexpr std::array<std::string_view, 3> kDeviceNames{"cpu", "cuda", "meta"};

constexpr std::string_view name(Device device) { return kDeviceNames[static_cast<int>(device)]; }

/// The device with this name; nullopt if there is none.
constexpr std::optional<Device> find_device(std::string_view text) {
  for (std::size_t i = 0; i < kDeviceNames.size(); ++i)
    if (kDeviceNames[i] == text) return static_cast<Device>(i);
  return std::nullopt;
}

/// Which operands of a call may lie on the CPU while the others lie on another device.
enum class CpuScalars : std::uint8_t {
  kNone,
  kOne,       // one zero-dim input may lie on the CPU
  kAny,       // every zero-dim input may lie on the CPU
  kAnyDevice  // any operand may lie on any device
};

/// Which operands may be a number or a zero-dim CPU tensor when other operands lie on CUDA; bit i
/// stands for operand i. It narrows what the op's CpuScalars allow.
struct GpuScalars {
  std::uint8_t bits = 0xff;         // the operands of functional and in-place forms
  std::uint8_t bits_of_out = 0xff;  // the operands of the out= form
};

inline constexpr GpuScalars kNoGpuScalars{0, 0};

}  // namespace upcast
