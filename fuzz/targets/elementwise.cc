// One call: our implementation beside LibTorch, and beside itself on other ways to the same answer.
#include <cstdlib>
#include <memory>

#include "fuzz/codec.h"
#include "fuzz/in_process.h"
#include "fuzz/self_consistency.h"
#include "fuzz/targets/target.h"
#include "oracle/libtorch/register.h"

namespace upcast::fuzz {
namespace {

/// Processor time that a side may take for one case.
constexpr double kSeconds = 0.2;

std::string name_from(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? otherwise : value;
}

struct Target {
  FindingLog log{"elementwise"};
  std::unique_ptr<libtorch::Guard> guard;
  std::unique_ptr<InProcess> sides;
  std::unique_ptr<SelfConsistency> self;
  Case c;

  Target() {
    register_libtorch_subjects();
    if (std::getenv("UPCAST_FUZZ_NO_GUARD") == nullptr)
      guard = std::make_unique<libtorch::Guard>(kSeconds);
    const std::string subject = name_from("UPCAST_FUZZ_SUBJECT", "impl:cpu");
    sides = std::make_unique<InProcess>(subject, name_from("UPCAST_FUZZ_ORACLE", "libtorch:cpu"),
                                        guard.get(), log);
    if (subject == "impl:cpu") self = std::make_unique<SelfConsistency>(*sides);
  }
};

/// Made with the first input: libFuzzer sets its signal handlers before.
Target& target() {
  static Target made;
  return made;
}

}  // namespace
}  // namespace upcast::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto& target = upcast::fuzz::target();
  upcast::fuzz::decode_case({data, size}, target.c);
  target.sides->examine(target.c);
  if (target.self) target.self->examine(target.c);
  return 0;
}
