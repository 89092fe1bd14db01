// The findings and the progress of a fuzzing process: files in the campaign's folder.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "oracle/signature.h"

namespace upcast::fuzz {

/// Counts of one process since its start.
struct Progress {
  std::int64_t cases = 0;
  std::int64_t refused = 0;     // by our side
  std::int64_t known = 0;       // cases that a known difference explains
  std::int64_t both_right = 0;  // cases that differ, while each side is within its bound
  std::int64_t findings = 0;    // cases that nothing explains
  std::int64_t not_judged = 0;  // cases that a side cannot answer
  std::int64_t not_asked = 0;   // endless ones
  std::int64_t escapes = 0;     // traps and endless calls that were survived
  std::int64_t signatures = 0;  // of the findings
  /// Processor time of a sample: cases that both sides answer, and cases that both refuse.
  struct Timed {
    std::int64_t cases = 0;
    double seconds = 0;
  } answers, refusals;
};

/// One line of findings.ndjson.
struct FindingRow {
  std::string target;
  std::string check;      // "oracle", or the self-consistency that does not hold
  std::string signature;  // a hash that includes the check, so that two checks are two findings
  std::string verdict;
  std::string line;     // a case line, if the target's inputs are cases
  std::string subject;  // the sides' replies
  std::string oracle;
  std::string detail;
  std::optional<Verdict> evidence{};  // the verdict as data, if two sides were judged
  // The sides and the command that show the finding again; "" if no two sides of `upcast run` do.
  // The checks "strided" and "alone" compare ours with itself. One of the two answers then differs
  // from the oracle's, and `line` is the case of that answer.
  std::string subject_side;
  std::string oracle_side;
  std::string command;
};

/// What a process does with a finding: log, end or abort. UPCAST_FUZZ_ON_FINDING says which. If it
/// is not set, a process with a folder logs. One without a folder aborts: an engine on its own, as
/// ClusterFuzz starts it, has no other way to tell.
enum class OnFinding : std::uint8_t {
  kLog,   // goes on
  kEnd,   // ends the process: only the first finding is wanted
  kAbort  // aborts with the line that ClusterFuzz groups by
};

/// The file of findings in a campaign's folder.
inline constexpr std::string_view kFindingsFile = "findings.ndjson";

class FindingLog {
 public:
  /// A log in the folder that UPCAST_FUZZ_LOG names; no log if that is not set. Signatures in its
  /// findings.ndjson are not new, whichever process wrote them.
  explicit FindingLog(std::string_view target);
  /// A log in that folder, which never ends the process.
  FindingLog(std::string_view target, const std::string& folder);
  ~FindingLog();
  FindingLog(const FindingLog&) = delete;
  FindingLog& operator=(const FindingLog&) = delete;

  /// Writes a finding, unless its signature, or enough findings of its essence, are there already.
  /// May end the process.
  void add(const FindingRow& row, std::string_view essence);
  /// Counts an explained difference by the id of its entry.
  void count_known(const std::string& id) { ++known_[id]; }

  /// The path of a file in the campaign's folder; "" if there is no folder.
  std::string path_of(std::string_view file) const;

  /// Whether the process belongs to a campaign.
  bool in_campaign() const { return !folder_.empty(); }

  Progress progress;
  /// Counts a case, and writes the progress about once a second; with `now` at once.
  void tick(bool now = false);

 private:
  FindingLog(std::string_view target, std::string folder, OnFinding on_finding);
  /// Whether the signature is new, and there are not enough findings of the essence. From now on
  /// they are known.
  bool is_new(std::uint32_t hash, std::string_view essence);
  /// Reads what was added to the file since the last call.
  void catch_up(int file);

  std::string target_;
  std::string folder_;
  OnFinding on_finding_;
  std::int64_t read_ = 0;  // bytes of findings.ndjson
  std::chrono::steady_clock::time_point ticked_ = std::chrono::steady_clock::now();
  std::set<std::uint32_t> seen_;
  std::map<std::string, int, std::less<>> essences_;
  std::map<std::string, std::int64_t> known_;
};

}  // namespace upcast::fuzz
