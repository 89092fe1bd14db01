// Coverage: how much of what the subject claims, and of everything, a run
// judged.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "cases/select.h"

namespace upcast::reports {

/// Below this share of the cases a verdict is neither a pass nor a failure: too much is open.
inline constexpr double kCoverageFloor = 0.5;

/// All that a run could have asked, and the part that the subject's manifest names.
struct Claim {
  PlanSize whole;                // the grid or list, as its user selected it
  PlanSize claimed;              // the claimed part; a subject without a manifest claims all
  std::string selection = "{}";  // the claim (Selection::text)

  bool operator==(const Claim&) const = default;
};

/// The coverage of the shards at hand.
struct Coverage {
  PlanSize whole;
  PlanSize claimed;
  int64_t left_out =
      0;  // cases of the grid that the plan lacks, because the subject does not claim them
  int64_t judged = 0;    // cases
  int64_t answered = 0;  // ops for which an answer of the subject was judged
  double share = 1;      // judged cases of `whole`; with missing shards, scaled up

  bool reaches_floor() const { return share >= kCoverageFloor; }
  bool has_outside() const { return claimed != whole; }
  /// The coverage in words: "4 cases judged of 4 claimed and 45,786 in all (0.00 %); 2 ops answered
  /// of 2 and 260".
  std::string words() const;
  /// What the subject does not claim: "outside of its manifest: 45,782 of 45,786 cases, 258 of 260
  /// ops"; "" if it claims all.
  std::string outside_words() const;
};

/// The object of a run's JSON: {cases, claimed_cases, judged_cases, ops, claimed_ops, answered_ops,
/// share, floor}.
nlohmann::ordered_json coverage_json(const Coverage& coverage);

/// A share as "12.34 %", cut off: 100 % means all, and 0 means none.
std::string cut_percent(double share);

/// The value of --min-judged: a number of cases, or a share of all.
class LeastJudged {
 public:
  /// Reads "1000" or "80%". Throws UsageError.
  static LeastJudged parse(std::string_view text);

  bool is_met(const Coverage& coverage) const;
  /// The message if too few were judged: "--min-judged 80%: 4 cases were judged, 0.01 % of 45,786".
  std::string complaint(const Coverage& coverage) const;

 private:
  double number_ = 0;
  bool is_percent_ = false;
  std::string text_;
};

}  // namespace upcast::reports
