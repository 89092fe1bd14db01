// Which vector instructions a loop is compiled for. Contraction is off, so every version of a loop
// gives the same bits; they differ in speed only.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace upcast {

enum class Capability : std::uint8_t { kBaseline, kV3, kV4 };
inline constexpr int kCapabilityCount = 3;

constexpr std::string_view name(Capability capability) {
  constexpr std::array<std::string_view, kCapabilityCount> kNames{"baseline", "x86-64-v3",
                                                                  "x86-64-v4"};
  return kNames[static_cast<int>(capability)];
}

/// This machine's highest, or UPCAST_CAPABILITY's. Throws UsageError if it cannot run that one.
Capability best_capability();

// UPCAST_TARGET_Vn compiles a function for that capability. Use it only on an instantiation that
// calls an always_inline body, so that no function shared between translation units is compiled so.
#if defined(__x86_64__) && defined(__clang__)
#define UPCAST_TARGET_V3 [[gnu::target("arch=x86-64-v3"), gnu::flatten]]
#define UPCAST_TARGET_V4 [[gnu::target("arch=x86-64-v4"), gnu::flatten]]
#elif defined(__x86_64__)
#define UPCAST_TARGET_V3 [[gnu::target("arch=x86-64-v3"), gnu::flatten]]
#define UPCAST_TARGET_V4 [[gnu::target("arch=x86-64-v4,prefer-vector-width=512"), gnu::flatten]]
#else
#define UPCAST_TARGET_V3
#define UPCAST_TARGET_V4
#endif

}  // namespace upcast
