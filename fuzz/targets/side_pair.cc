#include "fuzz/targets/side_pair.h"

#include <cstdio>
#include <cstdlib>

#include "fuzz/engine_exit.h"
#include "fuzz/target_sides.h"
#include "impl/core/error.h"
#include "oracle/libtorch/register.h"
#include "oracle/modules/emulated_subject.h"
#include "oracle/planted/planted_bugs.h"

namespace upcast::fuzz {
namespace {

/// The processor time, in seconds, that a side may take for one case.
constexpr double kSeconds = 0.2;

std::string name_from(const char* variable, std::string_view otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::string(otherwise) : value;
}

std::unique_ptr<libtorch::Guard> make_guard() {
  register_libtorch_subjects();
  register_emulated_subject();
  register_planted_subjects();
  if (std::getenv("UPCAST_FUZZ_NO_GUARD") != nullptr) return nullptr;
  return std::make_unique<libtorch::Guard>(kSeconds);
}

}  // namespace

SidePair::SidePair(const char* target) try
    : log(target),
      guard(make_guard()),
      subject(name_from("UPCAST_FUZZ_SUBJECT", sides_of_target(target)->subject)),
      oracle(name_from("UPCAST_FUZZ_ORACLE", sides_of_target(target)->oracle)),
      sides(subject, oracle, guard.get(), log) {
  if (const char* control = std::getenv("UPCAST_FUZZ_CONTROL"))
    sides.set_control(make_subject(control));
} catch (const UsageError& error) {
  // an exception that left this function would look like a crash
  std::fprintf(stderr, "upcast: %s\n", error.what());
  std::_Exit(kEngineMistake);
}

}  // namespace upcast::fuzz
