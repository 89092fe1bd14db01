// A Subject in a process of its own: two configurations of LibTorch cannot share one.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "oracle/host/answer_process.h"
#include "oracle/subject.h"

namespace upcast {

/// Whether two sides need a process each: both are this build's LibTorch, but in two
/// configurations.
bool need_two_processes(const Side& subject, const Side& oracle);

/// Answers a plan's cases from a child process, which runs ahead: it starts on a block as soon as
/// expect() names it. If the child dies, this process dies in the same way; the journal then names
/// the case that was asked.
class RemoteSubject : public Subject {
 public:
  /// Starts the child of a side. Throws UsageError as AnswerProcess does.
  RemoteSubject(const Side& side, const WorkerSetup& setup) : process_(side, setup) {}

  bool answers_ahead() const override { return true; }
  void expect(const Plan& plan, std::int64_t first, std::int64_t count,
              std::span<const std::int64_t> skipped) override;
  void answer(const Case& c, Answer& answer) override;
  std::map<std::string, std::string> versions() const override { return process_.versions(); }
  std::vector<std::string> programs() const override { return process_.programs(); }

 private:
  [[noreturn]] void die_with_child();

  AnswerProcess process_;
};

/// Makes a side of a setup. It gets a process of its own if it names a version of LibTorch, or if
/// it cannot share this process with `other`.
std::unique_ptr<Subject> make_side(const Side& side, const Side& other, const WorkerSetup& setup);

}  // namespace upcast
