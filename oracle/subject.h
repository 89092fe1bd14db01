// The one interface of all that answers cases: subjects and oracles.
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

/// The bytes of a call's storages: one for each argument of the case, then one for out, then one
/// for the second out.
using Storages = std::vector<std::vector<std::byte>>;

/// Thrown by a subject whose answers come from another process, if that process dies or times out
/// on a case. It becomes the case's verdict, and this process goes on.
struct SideDied {
  bool timed_out = false;
  std::string how;  // how it died: "crash(SIGSEGV)", "crash(exit 3)", "timeout"
  std::string why;  // what the process printed last; may be ""
};

/// How long a subject may wait for another process, and how it shows meanwhile that it is alive.
struct Watch {
  double time_limit = 10;       // seconds that the process may take for one case
  std::function<void()> alive;  // called again and again while the subject waits
};

class Subject {
 public:
  virtual ~Subject() = default;
  /// Announces `count` cases of the plan, in order from `first` on, without the skipped ones. A
  /// side in another process may then answer them ahead. The plan must outlive the subject's last
  /// answer.
  virtual void expect(const Plan& plan, std::int64_t first, std::int64_t count,
                      std::span<const std::int64_t> skipped) {
    static_cast<void>(plan), static_cast<void>(first), static_cast<void>(count);
    static_cast<void>(skipped);
  }
  /// Tells the subject how it is watched. Called before the first case, if a supervisor watches
  /// this process.
  virtual void watched_by(const Watch& watch) { static_cast<void>(watch); }
  /// Answers a case. `answer` is used again from call to call, so every field that its tag uses
  /// must be set. Throws SideDied.
  virtual void answer(const Case& c, Answer& answer) = 0;
  /// Whether the subject answers announced cases before answer() asks for them. If so, answer()
  /// must be called for each of them.
  virtual bool answers_ahead() const { return false; }
  /// The storages of the operands after the call of the case answered last, without bytes for an
  /// argument that is no tensor. Empty if the side cannot read them.
  virtual Storages storages(const Case& c) {
    static_cast<void>(c);
    return {};
  }
  /// Versions of the software that made the answers: {"libtorch": "2.15.0", ...}.
  virtual std::map<std::string, std::string> versions() const { return {}; }
  /// The files that the answers come from: at least the program that this code was loaded from, and
  /// a library, a module, a plug-in, or what a command names. A file may be named twice.
  virtual std::vector<std::string> programs() const;
  /// The manifest in which a side says what it supports (oracle/plugin/manifest.h); null if it has
  /// none.
  virtual const Manifest* manifest() const { return nullptr; }
  /// How many bytes the side's process has allocated and not freed; nothing if the side cannot
  /// tell.
  virtual std::optional<std::int64_t> bytes_in_use() { return std::nullopt; }
};

inline Answer answer_of(Subject& side, const Case& c) {
  Answer answer;
  side.answer(c, answer);
  return answer;
}

/// Makes the subject that a side's name means. Throws UsageError for an unknown one; the message
/// lists the known ones.
std::unique_ptr<Subject> make_subject(const Side& side);
/// Makes a subject by its name, such as "libtorch:cpu?capability=native".
std::unique_ptr<Subject> make_subject(std::string_view name);

/// Makes a kind of subject. register_subject() adds it to the program's subjects; call it in
/// main().
using SubjectFactory = std::unique_ptr<Subject> (*)(const Side& side);
void register_subject(std::string_view prefix, SubjectFactory factory);

}  // namespace upcast
