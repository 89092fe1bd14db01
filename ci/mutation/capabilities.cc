// Prints a line for each capability: its name, and 1 if this machine has it. See ci/mutation/capabilities.py.
#include "impl/core/capability.h"

#include <cstdio>
#include <exception>

int main() {
  try {
    for (int i = 0; i < upcast::kCapabilityCount; ++i) {
      const auto capability = static_cast<upcast::Capability>(i);
      const bool has = capability <= upcast::best_capability();
      std::printf("%s %d\n", upcast::name(capability).data(), has ? 1 : 0);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
