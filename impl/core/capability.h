// A capability says which vector instructions a loop is compiled for. The compiler fuses no
// operations, so all versions of a loop give the same bits; only their speed differs.
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

/// The highest capability of this machine, or the one that the environment variable
/// UPCAST_CAPABILITY names. Throws UsageError if this machine cannot run the named one.
Capability best_capability();

// UPCAST_TARGET_Vn compiles a function for capability Vn. Use it only on an instantiation that
// calls an always_inline body. A function shared between translation units must not be compiled for
// Vn, because a machine without these instructions might run it.
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
