#include "fuzz/targets/side_pair.h"

#include <cstdlib>

#include "oracle/libtorch/register.h"
#include "oracle/planted/planted_bugs.h"

namespace upcast::fuzz {
namespace {

/// Processor time that a side may take for one case.
constexpr double kSeconds = 0.2;

std::string name_from(const char* variable, std::string otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? otherwise : value;
}

std::unique_ptr<libtorch::Guard> make_guard() {
  register_libtorch_subjects();
  register_subject("planted", &make_planted_subject);
  if (std::getenv("UPCAST_FUZZ_NO_GUARD") != nullptr) return nullptr;
  return std::make_unique<libtorch::Guard>(kSeconds);
}

}  // namespace

SidePair::SidePair(const char* target, std::string own_subject, std::string own_oracle)
    : log(target),
      guard(make_guard()),
      subject(name_from("UPCAST_FUZZ_SUBJECT", std::move(own_subject))),
      oracle(name_from("UPCAST_FUZZ_ORACLE", std::move(own_oracle))),
      sides(subject, oracle, guard.get(), log) {
  if (const char* control = std::getenv("UPCAST_FUZZ_CONTROL"))
    sides.set_control(make_subject(control));
}

}  // namespace upcast::fuzz
