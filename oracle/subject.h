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

/// Bytes of storages: that of each argument of a case, then of out, then of the second out.
using Storages = std::vector<std::vector<std::byte>>;

/// Thrown by a subject whose answers come from another process, when that process dies or times out
/// on a case. It becomes the verdict of the case; this process goes on.
struct SideDied {
  bool timed_out = false;
  std::string how;  // "crash(SIGSEGV)", "crash(exit 3)", "timeout"
  std::string why;  // what the process said last, may be ""
};

/// What a subject that waits for another process needs.
struct Watch {
  double time_limit = 10;       // seconds that the process may take for one case
  std::function<void()> alive;  // called while it waits, as a sign of life
};

class Subject {
 public:
  virtual ~Subject() = default;
  /// Announces `count` cases of the plan from `first` on, in order, without the skipped ones: a
  /// side in another process may answer them ahead. The plan outlives the subject's last answer.
  virtual void expect(const Plan& plan, std::int64_t first, std::int64_t count,
                      std::span<const std::int64_t> skipped) {
    static_cast<void>(plan), static_cast<void>(first), static_cast<void>(count);
    static_cast<void>(skipped);
  }
  /// Called before the first case, where a supervisor watches this process.
  virtual void watched_by(const Watch& watch) { static_cast<void>(watch); }
  /// Answers a case. `answer` is reused between calls: every field that its tag names is set.
  /// Throws SideDied.
  virtual void answer(const Case& c, Answer& answer) = 0;
  /// Whether it answers announced cases before answer() asks for them. Then answer() must be called
  /// for every announced case.
  virtual bool answers_ahead() const { return false; }
  /// The storages of the operands after the call of the last answered case; no bytes for an
  /// argument that is no tensor. An empty list from a side that cannot look.
  virtual Storages storages(const Case& c) {
    static_cast<void>(c);
    return {};
  }
  /// Versions of the software that made the answers: {"libtorch": "2.15.0", ...}.
  virtual std::map<std::string, std::string> versions() const { return {}; }
  /// The manifest in which a side says what it supports (oracle/plugin/manifest.h); null if it has
  /// none.
  virtual const Manifest* manifest() const { return nullptr; }
  /// Bytes that the side's process has allocated and not freed; nothing where it cannot tell.
  virtual std::optional<std::int64_t> bytes_in_use() { return std::nullopt; }
};

inline Answer answer_of(Subject& side, const Case& c) {
  Answer answer;
  side.answer(c, answer);
  return answer;
}

/// The subject that `side` names. Throws UsageError, which lists the known ones, for any other.
std::unique_ptr<Subject> make_subject(const Side& side);
/// Makes a subject by its name, such as "libtorch:cpu?capability=native".
std::unique_ptr<Subject> make_subject(std::string_view name);

/// Adds a kind of subject. `prefix` is what stands before '?'; after ':' or '@' at its end any text
/// may follow ("process:", "libtorch@"). For main() of programs that hold more than impl:cpu.
using SubjectFactory = std::unique_ptr<Subject> (*)(const Side& side);
void register_subject(std::string_view prefix, SubjectFactory factory);

}  // namespace upcast
