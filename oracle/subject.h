// The one interface of everything that answers cases: subjects and oracles.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cases/grid.h"
#include "oracle/answer.h"
#include "oracle/side.h"

namespace upcast {

class Manifest;

/// The bytes of storages: by argument of a case, then of out and of the second out.
using Storages = std::vector<std::vector<std::byte>>;

/// Thrown by a subject whose answers come from another process, where that one does not survive
/// the case: the verdict of the case, while this process goes on.
struct SideDied {
  bool timed_out = false;
  std::string how;  // "crash(SIGSEGV)", "crash(exit 3)", "timeout"
  std::string why;  // what the process said last, may be ""
};

/// What a subject that waits for another process has to know.
struct Watch {
  double time_limit = 10;       // seconds that it may take for one case
  std::function<void()> alive;  // called while it waits, so that nobody takes it for dead
};

class Subject {
 public:
  virtual ~Subject() = default;
  /// Names the cases of the plan that are asked for next, in order, save for the skipped ones: a
  /// side in another process answers ahead. The plan outlives the subject's last answer.
  virtual void expect(const Plan& plan, std::int64_t first, std::int64_t count,
                      std::span<const std::int64_t> skipped) {
    static_cast<void>(plan), static_cast<void>(first), static_cast<void>(count);
    static_cast<void>(skipped);
  }
  /// Before the first case, where a supervisor looks on.
  virtual void watched_by(const Watch& watch) { static_cast<void>(watch); }
  /// Answers a case. `answer` is reused between calls: every field that its tag names is set.
  /// Throws SideDied.
  virtual void answer(const Case& c, Answer& answer) = 0;
  /// Whether it answers what expect() names before it is asked, so that it has to be asked for all
  /// of it.
  virtual bool answers_ahead() const { return false; }
  /// What the call of the last case that was answered left in the storages of its operands, empty
  /// for what is no tensor. Nothing from a side that cannot look.
  virtual Storages storages(const Case& c) {
    static_cast<void>(c);
    return {};
  }
  /// What made the answers: {"libtorch": "2.15.0", ...}.
  virtual std::map<std::string, std::string> versions() const { return {}; }
  /// What the side says of itself (oracle/plugin/manifest.h); null where it says nothing.
  virtual const Manifest* manifest() const { return nullptr; }
  /// Bytes that the side's process has allocated and not freed; nothing where it cannot tell.
  virtual std::optional<std::int64_t> bytes_in_use() { return std::nullopt; }
};

inline Answer answer_of(Subject& side, const Case& c) {
  Answer answer;
  side.answer(c, answer);
  return answer;
}

/// Throws UsageError for a side that this program does not hold, listing those that it does.
std::unique_ptr<Subject> make_subject(const Side& side);
/// By its name, such as "libtorch:cpu?capability=native".
std::unique_ptr<Subject> make_subject(std::string_view name);

/// Adds a kind of subject; `prefix` is what stands before '?', or ends with ':' or '@' and whatever
/// may follow ("process:", "libtorch@"). Called by main() of programs that hold more than impl:cpu.
using SubjectFactory = std::unique_ptr<Subject> (*)(const Side& side);
void register_subject(std::string_view prefix, SubjectFactory factory);

}  // namespace upcast
