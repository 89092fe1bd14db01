// The coverage of a run: how much it judged of what the subject claims, and of everything.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "cases/select.h"

namespace upcast::reports {

/// The least share of judged cases with which a run can pass or fail. Below it too much is open.
inline constexpr double kCoverageFloor = 0.5;

/// The size of all that a run could have asked, and of the part that the subject claims in its
/// manifest.
struct Claim {
  PlanSize whole;                // the grid or list, after the user's selection
  PlanSize claimed;              // the part that the subject claims; all of it without a manifest
  std::string selection = "{}";  // the claim, as Selection::text() writes it

  bool operator==(const Claim&) const = default;
};

/// The coverage of the shards that were read.
struct Coverage {
  PlanSize whole;
  PlanSize claimed;
  int64_t left_out =
      0;               // planned cases that were left out, because the subject does not claim them
  int64_t judged = 0;  // cases
  int64_t answered = 0;  // ops with at least one judged answer of the subject
  double share = 1;      // judged cases / cases of `whole`; scaled up if shards are missing

  bool reaches_floor() const { return share >= kCoverageFloor; }
  bool has_outside() const { return claimed != whole; }
  /// The coverage in words: "4 cases judged of 4 claimed and 45,786 in all (0.00 %); 2 ops answered
  /// of 2 and 260".
  std::string words() const;
  /// The parts that the subject does not claim, in words: "outside of its manifest: 45,782 of
  /// 45,786 cases, 258 of 260 ops". "" if the subject claims all.
  std::string outside_words() const;
};

/// The coverage as a JSON object: {cases, claimed_cases, judged_cases, ops, claimed_ops,
/// answered_ops, share, floor}.
nlohmann::ordered_json coverage_json(const Coverage& coverage);

/// A share as "12.34 %". It is cut off, not rounded: only a whole run has 100 %.
std::string cut_percent(double share);

/// The value of --min-judged: a number of cases, or a share of all.
class LeastJudged {
 public:
  /// Reads the value of --min-judged: "1000" or "80%". Throws UsageError for another text.
  static LeastJudged parse(std::string_view text);

  bool is_met(const Coverage& coverage) const;
  /// The error message if too few cases were judged: "--min-judged 80%: 4 cases were judged, 0.01 %
  /// of 45,786".
  std::string complaint(const Coverage& coverage) const;

 private:
  double number_ = 0;
  bool is_percent_ = false;
  std::string text_;
};

}  // namespace upcast::reports
