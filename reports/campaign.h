// Reads fuzzing campaigns, as `upcast fuzz --json` wrote them, with the findings of their logs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace upcast::reports {

/// A difference that a campaign found: one for each signature.
struct CampaignFinding {
  std::string signature{}, line{}, subject{}, oracle{}, verdict{};
};

/// How many tuples of values (op and dtype, op and form and kind, ...) a campaign may try, and how
/// many it tried.
struct TupleCounts {
  int64_t possible = 0, asked = 0, answered = 0;
};

/// Values of factors. The last one was never asked together with the others.
struct TupleGap {
  std::vector<std::string> of{}, missing{};
};

/// The tuples of two or three factors.
struct TupleCombination {
  std::vector<std::string> factors{};  // "op", "dtype"
  TupleCounts counts{};
  std::vector<TupleGap> gaps{};  // the largest first
  int64_t gaps_left_out = 0;
};

/// How many tuples an op is part of.
struct OpTuples {
  std::string op{};
  TupleCounts counts{};
};

/// The progress of a campaign after some seconds.
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
  std::string missing_log{};  // where no findings were found; "" if there are some
  bool has_coverage = false;
  TupleCounts pairs{}, triples{};
  std::vector<TupleCombination> combinations{};
  std::vector<OpTuples> ops{};
  std::vector<CampaignSample> samples{};  // in order of time; may be empty
};

/// Reads the file, and `findings.ndjson` of the log folder that it names, as it stands there, or
/// next to the file. UsageError: no such file, or not what `upcast fuzz --json` writes.
Campaign load_campaign(const std::string& path);

}  // namespace upcast::reports
