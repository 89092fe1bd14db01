// Reads the results of fuzzing campaigns, as `upcast fuzz --json` wrote them, with the findings in
// their logs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace upcast::reports {

/// A difference that a campaign found. Findings with the same signature are one.
struct CampaignFinding {
  std::string signature{}, line{}, subject{}, oracle{}, verdict{};
};

/// Counts of tuples of factor values (op and dtype, op and form and kind, ...): those that a
/// campaign may try, and those that it tried.
struct TupleCounts {
  int64_t possible = 0, asked = 0, answered = 0;
};

/// A gap in a campaign's coverage: factor values `of`, and the values `missing` of one more factor
/// that no case had together with them.
struct TupleGap {
  std::vector<std::string> of{}, missing{};
};

/// A combination of two or three factors, and how many of its tuples a campaign tried.
struct TupleCombination {
  std::vector<std::string> factors{};  // "op", "dtype"
  TupleCounts counts{};
  std::vector<TupleGap> gaps{};  // the gaps with the most missing values first
  int64_t gaps_left_out = 0;
};

/// The tuples that contain an op: how many are possible, and how many were tried.
struct OpTuples {
  std::string op{};
  TupleCounts counts{};
};

/// The progress of a campaign at some seconds after its start.
struct CampaignSample {
  double seconds = 0;
  int64_t cases = 0, features = 0, findings = 0;
};

struct Campaign {
  std::string target{};
  double seconds = 0, cases_per_second = 0;
  int64_t cases = 0, features = 0, signatures = 0, finding_cases = 0, known = 0, corpus = 0;
  bool complete = true;
  std::map<std::string, int64_t> known_by_id{};
  std::vector<std::string> crashes{};  // of engines
  std::vector<CampaignFinding> findings{};
  std::string missing_log{};  // the folder that has no log of findings; "" if the log was found
  bool has_coverage = false;
  TupleCounts pairs{}, triples{};
  std::vector<TupleCombination> combinations{};
  std::vector<OpTuples> ops{};
  std::vector<CampaignSample> samples{};  // in the order of time; empty if the campaign has none
};

/// Reads a campaign from a file, and its findings from `findings.ndjson` in the log folder that the
/// file names: at that path as written, or next to the file. Throws UsageError if there is no such
/// file, or if `upcast fuzz --json` did not write it.
Campaign load_campaign(const std::string& path);

}  // namespace upcast::reports
