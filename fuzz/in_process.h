// Asks both sides about a case in this process, and judges their answers at full speed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cases/case.h"
#include "fuzz/finding_log.h"
#include "fuzz/tuple_map.h"
#include "oracle/conclude.h"
#include "oracle/libtorch/guard.h"
#include "oracle/subject.h"

namespace upcast::fuzz {

/// The name of a check, and the two sides with which `upcast run` shows its findings.
struct Asked {
  std::string_view check;
  std::string_view subject, oracle;
};

/// Compares two sides: it holds them, the judge, the known differences, and the truth for cases
/// that differ.
class InProcess {
 public:
  /// Makes both sides by name (make_subject). If `guard` is null, traps and endless calls end the
  /// process.
  InProcess(std::string subject, std::string oracle, libtorch::Guard* guard, FindingLog& log);

  /// Sets a control: a subject that is known to be right. If the control differs from the oracle
  /// too, there is no finding. It serves to measure how soon a planted bug is found.
  void set_control(std::unique_ptr<Subject> control) { control_ = std::move(control); }
  /// Sets who rules if values differ: by default the truth. If both answers are right there is no
  /// finding. A known difference does not excuse a subject that is itself wrong.
  void set_arbiter(Arbiter arbiter) { arbiter_ = std::move(arbiter); }

  /// Asks both sides about a case, marks features, and logs an unexplained difference.
  void examine(const Case& c);
  /// Compares what the two sides left in the storages of the last case's operands, if both sides
  /// answered alike.
  void compare_storages(const Case& c);
  /// Our side's reply to the last case.
  const Reply& subject_reply() const { return subject_reply_; }

  /// Judges and logs two replies to a case that the caller has. `asked` names the check and the two
  /// sides. `known` may explain a difference; null: nothing does.
  void judge_replies(const Case& c, const Reply& subject, const Reply& oracle, Sides sides,
                     const Asked& asked, KnownMatcher* known = nullptr);
  const std::string& oracle_name() const { return oracle_name_; }

  /// Makes the matcher of known differences for two sides.
  KnownMatcher known_of(const std::string& subject, const std::string& oracle) const;

 private:
  void ask(Subject& side, const Case& c, Reply& reply);
  /// Asks both sides about a case and judges their answers. Times some of the cases.
  void ask_both(const Case& c);
  /// Draws the conclusion about a judged case (oracle/conclude.h), and logs an unexplained
  /// difference.
  void settle(const Case& c, const Verdict& found, const Reply& subject, const Reply& oracle,
              Sides sides, const Asked& asked, KnownMatcher* known);
  /// Ends the process after too many calls that did not return, since each one leaks memory.
  void end_where_worn_out();

  std::string subject_name_, oracle_name_;
  std::unique_ptr<Subject> subject_, oracle_, control_;
  libtorch::Guard* guard_;
  std::int64_t most_escapes_;
  FindingLog& log_;
  Sides sides_;
  std::vector<KnownDifference> known_;
  std::optional<KnownMatcher> matcher_;
  Arbiter arbiter_;
  TupleMap tuples_;
  Reply subject_reply_, oracle_reply_;
  Verdict found_;  // the judge's verdict on the last case
};

}  // namespace upcast::fuzz
