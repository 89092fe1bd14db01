// Writes the findings and the progress of a fuzzing process to files in the campaign's folder.
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

/// What one process has counted since its start.
struct Progress {
  std::int64_t cases = 0;
  std::int64_t refused = 0;     // cases that our side refuses
  std::int64_t known = 0;       // cases that a known difference explains
  std::int64_t both_right = 0;  // cases that differ, with both sides within their bounds
  std::int64_t findings = 0;    // cases with an unexplained difference
  std::int64_t not_judged = 0;  // cases that a side cannot answer
  std::int64_t not_asked = 0;   // endless ones
  std::int64_t escapes = 0;     // traps and endless calls that the process survived
  std::int64_t signatures = 0;  // distinct signatures among the findings
  /// The processor time of a sample of cases: `answers` of cases that both sides answer, `refusals`
  /// of cases that both refuse.
  struct Timed {
    std::int64_t cases = 0;
    double seconds = 0;
  } answers, refusals;
};

/// A finding: one line of findings.ndjson.
struct FindingRow {
  std::string target;
  std::string check;      // "oracle", or the check of one side with itself that fails
  std::string signature;  // a hash; two checks of one case have two signatures
  std::string verdict;
  std::string line;     // the case line; "" if inputs of the target are no cases
  std::string subject;  // the subject's reply
  std::string oracle;
  std::string detail;
  std::optional<Verdict> evidence{};  // the verdict, if two sides were judged
  // The two sides and the command that show the finding again. "" if `upcast run` cannot show it
  // with any two sides. The checks "strided" and "alone" compare ours with itself. One of its two
  // answers then differs from the oracle's, and `line` is the case with that answer.
  std::string subject_side;
  std::string oracle_side;
  std::string command;
};

/// What a process does after a finding: log, end or abort. The variable UPCAST_FUZZ_ON_FINDING
/// decides. If it is not set, a process with a campaign's folder logs. A process without one
/// aborts: an engine that ClusterFuzz starts has no other way to tell.
enum class OnFinding : std::uint8_t {
  kLog,   // goes on
  kEnd,   // ends the process: the user wants the first finding only
  kAbort  // aborts with a line by which ClusterFuzz groups findings
};

/// The name of the file of findings in a campaign's folder.
inline constexpr std::string_view kFindingsFile = "findings.ndjson";

class FindingLog {
 public:
  /// Makes a log in the folder that UPCAST_FUZZ_LOG names. Without that variable nothing is written
  /// to files. Signatures that are already in the folder's findings.ndjson count as known,
  /// whichever process wrote them.
  explicit FindingLog(std::string_view target);
  /// Makes a log in `folder`. This log never ends the process.
  FindingLog(std::string_view target, const std::string& folder);
  ~FindingLog();
  FindingLog(const FindingLog&) = delete;
  FindingLog& operator=(const FindingLog&) = delete;

  /// Writes a finding, unless the file already has its signature, or enough findings of its
  /// essence. May end the process.
  void add(const FindingRow& row, std::string_view essence);
  /// Counts a difference that a known difference explains, by the id of the known one.
  void count_known(const std::string& id) { ++known_[id]; }

  /// The path of the file `name` in the campaign's folder; "" if the process has no folder.
  std::string path_of(std::string_view file) const;

  /// Whether the process belongs to a campaign: it has a campaign's folder.
  bool in_campaign() const { return !folder_.empty(); }

  Progress progress;
  /// Counts a case. Writes the progress about once a second, or at once if `now`.
  void tick(bool now = false);

 private:
  FindingLog(std::string_view target, std::string folder, OnFinding on_finding);
  /// Whether a signature is new, and there are not yet enough findings of its essence. Both count
  /// as known from now on.
  bool is_new(std::uint32_t hash, std::string_view essence);
  /// Reads what other processes added to the file of findings since the last call.
  void catch_up(int file);

  std::string target_;
  std::string folder_;
  OnFinding on_finding_;
  std::int64_t read_ = 0;  // bytes of findings.ndjson that were read
  std::chrono::steady_clock::time_point ticked_ = std::chrono::steady_clock::now();
  std::set<std::uint32_t> seen_;
  std::map<std::string, int, std::less<>> essences_;
  std::map<std::string, std::int64_t> known_;
};

}  // namespace upcast::fuzz
