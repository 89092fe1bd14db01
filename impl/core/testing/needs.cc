// upcast-needs runs a test if this machine has the vector instructions that the test needs.
//
//   upcast-needs                        lists all capabilities, with 1 after those that this
//   machine has upcast-needs CAPABILITY COMMAND...  runs the command; exits with 77 if the machine
//   lacks the capability
#include <unistd.h>

#include <cstdio>

#include "impl/core/error.h"
#include "impl/core/parse_capability.h"

namespace {

using upcast::Capability;

int print_all() {
  for (int i = 0; i < upcast::kCapabilityCount; ++i) {
    const auto capability = static_cast<Capability>(i);
    const bool has = capability <= upcast::best_capability();
    std::printf("%s %d\n", upcast::name(capability).data(), has ? 1 : 0);
  }
  return 0;
}

int run(const char* needed, char** command) {
  const auto highest = static_cast<Capability>(upcast::kCapabilityCount - 1);
  if (upcast::parse_capability(needed, highest, "upcast-needs") > upcast::best_capability()) {
    std::printf("skipped: this machine has no %s\n", needed);
    return 77;
  }
  execvp(*command, command);
  std::perror(*command);
  return 2;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 2) throw upcast::UsageError("upcast-needs: a command must follow the capability");
  return argc == 1 ? print_all() : run(argv[1], argv + 2);
} catch (const upcast::UsageError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
