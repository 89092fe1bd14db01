// Our implementation, but it dies at chosen cases, so that tests can see that a run goes on after
// deaths.
#include <csignal>
#include <string>
#include <utility>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/impl_subject.h"
#include "oracle/planted/planted_bugs.h"

namespace upcast {
namespace {

constexpr std::pair<std::string_view, int> kSignals[]{
    {"SIGABRT", SIGABRT}, {"SIGFPE", SIGFPE}, {"SIGSEGV", SIGSEGV}};

class DyingSubject : public Subject {
 public:
  DyingSubject(int signal, std::string_view start) : signal_(signal), start_(start) {}
  void answer(const Case& c, Answer& answer) override {
    if (print_case(c).starts_with(start_)) raise(signal_);
    impl_.answer(c, answer);
  }
  Storages storages(const Case& c) override { return impl_.storages(c); }

 private:
  int signal_;
  std::string start_;
  ImplSubject impl_;
};

}  // namespace

std::unique_ptr<Subject> make_dying_subject(const Side& side) {
  for (const auto& [name, signal] : kSignals)
    if (const std::string_view start = side.setting(name); !start.empty())
      return std::make_unique<DyingSubject>(signal, start);
  throw UsageError(
      "write dying?SIGNAL=START, such as dying?SIGABRT=neg(int8[2]), with one of "
      "SIGABRT, SIGFPE, SIGSEGV");
}

}  // namespace upcast
