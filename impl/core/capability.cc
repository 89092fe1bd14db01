#include "impl/core/capability.h"

#include <cstdlib>
#include <string>

#include "impl/core/error.h"
#include "impl/core/parse_capability.h"

namespace upcast {
namespace {

Capability capability_of_cpu() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd"))
    return Capability::kV4;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    return Capability::kV3;
#endif
  return Capability::kBaseline;
}

Capability capability_of_process() {
  constexpr const char* kVariable = "UPCAST_CAPABILITY";
  const Capability best = capability_of_cpu();
  const char* const text = std::getenv(kVariable);
  return text == nullptr ? best : parse_capability(text, best, kVariable);
}

}  // namespace

Capability best_capability() {
  static const Capability best = capability_of_process();
  return best;
}

Capability parse_capability(std::string_view text, Capability best, std::string_view where) {
  std::string known;
  for (int i = 0; i < kCapabilityCount; ++i) {
    const auto capability = static_cast<Capability>(i);
    known += (i == 0 ? "" : ", ") + std::string(name(capability));
    if (name(capability) != text) continue;
    if (capability > best)
      throw UsageError(std::string(where) + ": this machine has no " + std::string(text) +
                       "; its best capability is " + std::string(name(best)));
    return capability;
  }
  throw UsageError(std::string(where) + ": unknown capability '" + std::string(text) +
                   "'; there are " + known);
}

}  // namespace upcast
