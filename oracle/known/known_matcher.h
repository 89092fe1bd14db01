// Finds the known difference that selects a case, and decides whether it explains the case's
// verdict.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cases/grid.h"
#include "cases/known_differences.h"
#include "oracle/answer.h"
#include "oracle/known/declared_answer.h"
#include "oracle/side.h"
#include "oracle/verdict.h"

namespace upcast {

/// Which entries of the file apply to a run.
struct KnownScope {
  Side subject;
  Side oracle;
  std::string libtorch;    // the oracle's version; "" if it is no LibTorch
  bool enumerates = true;  // a whole grid; false: a part of one, or a list of cases
  std::string
      libtorch_of_subject{};  // the subject's version, if it is another LibTorch than the oracle's

  /// The side whose wrong answer an entry declares in this run.
  enum class Wrong : std::uint8_t { kNeither, kOracle, kSubject };

  /// The file is about libtorch:cpu in a range of versions, compared with ours or with the truth,
  /// except for the entries that name another side. What LibTorch gets wrong before a kernel runs,
  /// or for numbers, libtorch:meta gets wrong too. Where both sides are LibTorch, an entry whose
  /// range holds the subject's version only is about the subject.
  Wrong wrong_side(const KnownDifference& entry) const;
  bool applies(const KnownDifference& entry) const { return wrong_side(entry) != Wrong::kNeither; }
  /// An entry that explains nothing is stale only in a run with our own implementation: another
  /// subject may share the oracle's fault. A list of cases proves an entry stale by the entry's own
  /// case only: a selector may name more cases than differ.
  bool finds_stale(const KnownDifference& entry) const;
  /// Whether an entry tells how one path of LibTorch differs from another. If two paths contradict
  /// each other in kind (oracle/contradiction.h), an element's answer depends on its position: only
  /// a bug explains that.
  bool is_about_paths(const KnownDifference& entry) const;
};

/// If the subject is another LibTorch than the oracle, the versions of a run hold its version under
/// this key (worker.cc).
inline constexpr std::string_view kLibTorchOfSubject = "libtorch.subject";

/// The scope of a run, by its sides and versions.
KnownScope known_scope(const Side& subject, const Side& oracle,
                       const std::map<std::string, std::string>& versions, bool enumerates);

/// Matches cases with entries. It asks only the entries that select a case of the current row;
/// mostly there is none.
class KnownMatcher {
 public:
  /// Throws UsageError for more than 255 entries, and as DeclaredAnswer does.
  KnownMatcher(std::vector<KnownDifference> entries, const KnownScope& scope);
  /// Cases of an entry that are ruled on before the first one is left out.
  static constexpr std::int64_t kAlwaysRuled = 16;

  void start_block();
  void enter_row(const GridRow& row);
  /// Finds the entries that select the case. Counts the case for each entry that it could prove
  /// stale.
  void enter_case(const Case& c) {
    if (!of_row_.empty()) count(c);
  }
  /// As start_block(), enter_row() and enter_case(), for a case that stands alone.
  void enter_alone(const Case& c);

  /// The entry that explains a difference.
  struct Match {
    int id = 0;  // 1, 2, ... in file order; 0: no entry explains it
    /// The entry blames the oracle alone: if the subject is off too, it explains nothing.
    bool is_to_be_ruled = false;
    bool is_bug = false;  // its class
  };
  /// The entry that names the case, or else one whose cause it may have
  /// (oracle/known/cause.h), that is of the verdict's kind and declares exactly what the
  /// oracle did, or, of a subject of its own, what the subject did. For a path of LibTorch,
  /// several entries may explain an element each: the first one is given. Where both die, only
  /// another LibTorch may share the oracle's fault. Rulings are wanted for an entry's first
  /// kAlwaysRuled cases with different values, then for one in `rule_every`. `of_subject`: by
  /// entries about the subject alone.
  Match explain(const Case& c, VerdictCode verdict, const Reply& subject, const Reply& oracle,
                std::int64_t rule_every, bool of_subject = false);
  /// Since start_block: the id of each known difference, and how many cases it explained.
  std::vector<std::pair<int, std::int64_t>> matched() const;

 private:
  struct Entry {
    int id;
    KnownDifference difference;
    DeclaredAnswer answer;
    std::shared_ptr<const Selector> calls;  // all calls that it explains (calls_of_cause)
    Case own_case;
    bool of_subject;     // it is about the subject's wrong answer; else the oracle's
    bool of_path;        // each element may also be the right one: a subject's own entry, and an
                         // oracle with vector paths, whose tails are scalar code
    bool explains_kind;  // finite against infinite, or an answer against a refusal
    bool counts;         // whether it could be stale
    std::int64_t rulings = 0;  // that were wanted
  };

  void count(const Case& c);
  /// An entry for elements that share a place in memory: their value is another element's, or comes
  /// of several computations. It is the first entry whose model errs in the same call over tensors
  /// that lie apart, and that explains all other elements that differ. Null if no model errs.
  Entry* first_of_shared_places(const std::vector<Entry*>& entries, const Case& c,
                                const Answer& subject, const Answer& oracle) const;
  Match match_of(Entry& entry, const Case& c, VerdictCode verdict, std::int64_t rule_every);
  /// An entry for a tensor in which each element is right, or declared by some entry about a path:
  /// the first of those entries. Null if an element is neither.
  Entry* first_of_several(const std::vector<Entry*>& entries, const Case& c, const Answer& subject,
                          const Answer& oracle) const;
  /// An entry whose model computes the oracle's answer, except for elements with the value that
  /// another entry declares. Null if there is none.
  Entry* first_of_two(const std::vector<Entry*>& entries, const Case& c, const Answer& subject,
                      const Answer& oracle) const;
  /// Whether the entry declares the wrong side's answer, or how it died.
  bool is_declared(const Entry& entry, const Case& c, const Reply& subject,
                   const Reply& oracle) const;
  /// Whether an entry that applies is about the oracle, and the subject is no LibTorch, which may
  /// share its fault. Then the subject has to be right, unless the entry says that both are off.
  bool blames_oracle_alone(const Entry& entry, const Case& c) const;
  std::vector<Entry> entries_;         // those that apply
  std::vector<Entry*> of_row_;         // entries that may select one of its cases
  std::vector<Entry*> of_case_;        // entries that select the case
  std::vector<Entry*> of_calls_;       // entries that cover the row's calls
  std::vector<std::int64_t> matched_;  // by id
  Sides of_paths_;                     // sides for comparing a path with what is declared of it
  bool shares_faults_ = false;         // both are LibTorch, so that one may die in the same way
  bool enumerates_ = true;
};

}  // namespace upcast
