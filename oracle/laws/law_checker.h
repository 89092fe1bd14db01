// Checks one side by the laws (docs/laws.md): asks it both calls of each pair, and compares the
// answers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "cases/known_differences.h"
#include "cases/laws/broken_laws.h"
#include "cases/laws/call_pair.h"
#include "cases/laws/identity.h"
#include "oracle/answer.h"
#include "oracle/known/declared_answer.h"
#include "oracle/side.h"
#include "oracle/verdict.h"

namespace upcast {

/// A call and the side's reply to it.
struct Answered {
  Case call{};
  Reply reply{};
};

/// A pair of calls whose answers break a law.
struct LawFinding {
  Law law = Law::kCast;
  std::string identity{};  // for kSiblings: the identity as its file writes it; "" for other laws
  VerdictCode code = VerdictCode::kDifferRefusal;
  Answered call{};     // the call whose answer is at fault
  Answered witness{};  // the call whose answer contradicts it
};

/// All findings with one explanation or one signature, of which only the first is kept.
struct LawFindings {
  LawFinding first{};
  std::int64_t count = 0;
};

struct LawCounts {
  std::int64_t pairs = 0;
  // Pairs whose witness answered and can be compared, so that the law could be broken.
  std::int64_t binding = 0;
  std::int64_t not_judged = 0;
  std::int64_t explained = 0;
  std::int64_t unexplained = 0;
};

struct LawReport {
  std::array<LawCounts, kLaws.size()> counts{};
  // Findings by the id of the entry that explains them.
  std::map<std::string, LawFindings> explained{};
  std::map<std::string, LawFindings> unexplained{};  // findings by law and signature

  bool passes() const { return unexplained.empty(); }
};

class LawChecker {
 public:
  using Ask = std::function<Reply(const Case&)>;

  /// What may explain a broken law: entries of broken_laws.toml, and known differences that declare
  /// the wrong answer of the call at fault.
  struct Explanations {
    std::vector<BrokenLaw> broken{};
    std::vector<KnownDifference> known{};
    std::string libtorch{};  // the side's version; "": entries of every version apply
  };

  LawChecker(Ask ask, const Side& side, Explanations explanations);

  /// Checks a law for all pairs of calls whose first call is one of this op.
  void check(Law law, const Op& op);
  /// Checks an identity for all dtypes of x, or all pairs of dtypes of x and y that promote.
  void check(const Identity& identity);

  const LawReport& report() const { return report_; }
  /// The entries of broken_laws.toml that apply to the side but have explained nothing so far.
  std::vector<std::string> unused() const;

 private:
  struct Known {
    KnownDifference entry;
    DeclaredAnswer answer;
  };

  Answered ask(const Case& c);
  void check(const CallPair& pair);
  void check(const Identity& identity, DType x, DType y);
  /// Evaluates an expression from its variables. Returns its outermost call, or the first inner
  /// call that gives no tensor.
  Answered evaluate(const Expression& expression, const std::map<std::string, Operand>& variables);
  /// Whether the witness tells what the call must answer: it gives a tensor, whose values the dtype
  /// `written` can hold.
  static bool binds(const Answered& witness, DType written);
  void compare(Law law, const std::string& identity, Answered call, Answered witness, Alike alike,
               DType written, bool both_ways);
  /// Adds a finding to the report. `expected`: the witness's reply, converted to the dtype that the
  /// call writes.
  void add(LawFinding finding, const Reply& expected);
  std::string explanation(const LawFinding& finding, const Reply& expected) const;

  Ask ask_;
  Sides sides_;
  std::vector<BrokenLaw> broken_;
  std::vector<Known> known_;
  // {case line: the side's reply} for calls of the current op.
  std::unordered_map<std::string, Reply> replies_;
  LawReport report_;
};

}  // namespace upcast
