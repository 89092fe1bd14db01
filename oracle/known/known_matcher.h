// Finds the known differences that select a case, and decides which of them explains the case's
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
#include "cases/selector_index.h"
#include "oracle/answer.h"
#include "oracle/known/declared_answer.h"
#include "oracle/side.h"
#include "oracle/verdict.h"

namespace upcast {

/// A run's sides and versions, which decide which known differences apply to it.
struct KnownScope {
  Side subject;
  Side oracle;
  std::string libtorch;  // the oracle's version; "" if it is no LibTorch
  // Whether the run enumerates a whole grid, and not a part of one or a list of cases.
  bool enumerates = true;
  std::string
      libtorch_of_subject{};  // the subject's version, if it is another LibTorch than the oracle's

  /// The side whose wrong answer an entry declares in this run.
  enum class Wrong : std::uint8_t { kNeither, kOracle, kSubject };

  /// Whose wrong answer an entry declares in this run. By default an entry is about libtorch:cpu in
  /// a range of versions, compared with ours or with the truth; it may name another side. What
  /// LibTorch gets wrong before a kernel runs, or for numbers, libtorch:meta gets wrong too. If
  /// both sides are LibTorch, an entry whose range holds only the subject's version is about the
  /// subject.
  Wrong wrong_side(const KnownDifference& entry) const;
  bool applies(const KnownDifference& entry) const { return wrong_side(entry) != Wrong::kNeither; }
  /// Whether this run can find an entry stale, because the entry explains nothing. The subject must
  /// be our own implementation: another one may share the oracle's fault. A list of cases finds an
  /// entry stale by the entry's own case only, because a selector may name more cases than differ.
  bool finds_stale(const KnownDifference& entry) const;
  /// Whether an entry tells how one path of LibTorch differs from another. If two paths contradict
  /// each other in kind (oracle/contradiction.h), an element's answer depends on its position. Only
  /// an entry of class bug explains that.
  bool is_about_paths(const KnownDifference& entry) const;
};

/// The key in a run's versions under which a LibTorch subject that differs from the oracle has its
/// version (worker.cc).
inline constexpr std::string_view kLibTorchOfSubject = "libtorch.subject";

/// The scope of a run, by its sides and versions.
KnownScope known_scope(const Side& subject, const Side& oracle,
                       const std::map<std::string, std::string>& versions, bool enumerates);

/// Matches cases with entries. For each case it asks only the entries that select cases of the
/// current row, which mostly is none.
class KnownMatcher {
 public:
  /// Throws UsageError for more than 255 entries, and for an entry that DeclaredAnswer does not
  /// take.
  KnownMatcher(std::vector<KnownDifference> entries, const KnownScope& scope);
  /// How many of an entry's first cases all get a ruling. Later ones may be left out.
  static constexpr std::int64_t kAlwaysRuled = 16;

  void start_block();
  void enter_row(const GridRow& row);
  /// Finds the entries that select the case. For each entry that the case could prove stale, counts
  /// the case.
  void enter_case(const Case& c) {
    if (!of_row_.empty()) count(c);
  }
  /// Does what start_block(), enter_row() and enter_case() do, for a case without a block and a
  /// row.
  void enter_alone(const Case& c);

  /// Which entry explains a difference.
  struct Match {
    // The entry's number in known_differences.toml, from 1; 0: no entry explains the difference.
    int id = 0;
    /// Whether the truth must be asked. The entry then blames the oracle alone, and explains
    /// nothing if the subject is wrong too.
    bool is_to_be_ruled = false;
    bool is_bug = false;  // its class
  };
  /// Finds the entry that explains the verdict on a case.
  ///
  /// The entry names the case, or the case may have its cause (oracle/known/cause.h). It is of the
  /// verdict's kind, and declares exactly what the wrong side did: the oracle, or the subject for
  /// an entry about a subject. For a path of LibTorch, different entries may explain different
  /// elements: the first one is given. If both sides die, only a LibTorch subject may share the
  /// oracle's fault. A ruling is wanted for an entry's first kAlwaysRuled cases with different
  /// values, then for one in `rule_every`. `of_subject`: asks only entries about the subject.
  Match explain(const Case& c, VerdictCode verdict, const Reply& subject, const Reply& oracle,
                std::int64_t rule_every, bool of_subject = false);
  /// For each known difference, its id and how many cases it explained since start_block().
  std::vector<std::pair<int, std::int64_t>> matched() const;

 private:
  struct Entry {
    int id;
    KnownDifference difference;
    DeclaredAnswer answer;
    std::shared_ptr<const Selector> calls;  // all calls that the entry may explain (calls_of_cause)
    Case own_case;
    // Whether the entry is about the subject's wrong answer, and not the oracle's.
    bool of_subject;
    // Whether each element may also be the right one: for a subject's own entry, and for an oracle
    // with vector paths, whose tails are scalar code.
    bool of_path;
    // Whether the entry may explain a finite value against an infinite one, or an answer against a
    // refusal.
    bool explains_kind;
    bool counts;               // whether the entry could be stale
    std::int64_t rulings = 0;  // how many rulings were wanted so far
  };

  void count(const Case& c);
  /// Finds the first entry that explains elements which share a place in memory. The value of such
  /// an element is another element's, or comes of several computations. The entry's model must be
  /// wrong in the same call over tensors that share nothing, and the entry must explain all other
  /// elements that differ. Null if there is none.
  Entry* first_of_shared_places(const std::vector<Entry*>& entries, const Case& c,
                                const Answer& subject, const Answer& oracle) const;
  Match match_of(Entry& entry, const Case& c, VerdictCode verdict, std::int64_t rule_every);
  /// For a tensor in which each element is right, or declared by some entry about a path: the first
  /// of these entries. Null if an element is neither.
  Entry* first_of_several(const std::vector<Entry*>& entries, const Case& c, const Answer& subject,
                          const Answer& oracle) const;
  /// The first entry whose model computes the oracle's answer, except for elements with a value
  /// that another entry declares. Null if there is none.
  Entry* first_of_two(const std::vector<Entry*>& entries, const Case& c, const Answer& subject,
                      const Answer& oracle) const;
  /// Whether the entry declares exactly what the wrong side answered, or how it died.
  bool is_declared(const Entry& entry, const Case& c, const Reply& subject,
                   const Reply& oracle) const;
  /// Whether the subject must be right if this entry explains the case. That holds for an entry
  /// about the oracle alone, unless the subject is a LibTorch, which may share the oracle's fault.
  bool blames_oracle_alone(const Entry& entry, const Case& c) const;
  std::vector<Entry> entries_;         // the entries that apply to the run
  SelectorIndex index_;                // their places, by the callables that they are about
  std::vector<Entry*> of_row_;         // entries that may select a case of the current row
  std::vector<Entry*> of_case_;        // entries that select the current case
  std::vector<Entry*> of_calls_;       // entries whose cause covers calls of the current row
  std::vector<std::int64_t> matched_;  // by id
  // The sides whose bounds count when a path is compared with what an entry declares.
  Sides of_paths_;
  // Whether both sides are LibTorch, so that both may die in the same way.
  bool shares_faults_ = false;
  bool enumerates_ = true;
};

}  // namespace upcast
