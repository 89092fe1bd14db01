// What a fuzzing process found, and how far it is: files in the campaign's folder.
#pragma once

#include <cstdint>
#include <map>
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
  std::int64_t findings = 0;    // cases that nothing explains
  std::int64_t not_judged = 0;  // no side can say
  std::int64_t not_asked = 0;   // endless ones
  std::int64_t escapes = 0;     // traps and endless calls that were survived
  std::int64_t signatures = 0;  // of the findings
};

/// One line of findings.ndjson.
struct FindingRow {
  std::string target;
  std::string check;  // "oracle", or the self-consistency that does not hold
  std::string signature;
  std::uint32_t hash = 0;
  std::string verdict;
  std::string line;
  std::string subject;
  std::string oracle;
  std::string detail;
};

/// What a process does with a finding; UPCAST_FUZZ_ON_FINDING says which: log, end, abort. Where
/// that is not set, a process with a folder logs. One without aborts: an engine on its own, as
/// ClusterFuzz starts it, has no other way to tell.
enum class OnFinding : std::uint8_t {
  kLog,   // goes on
  kEnd,   // ends: the first finding is all that is asked for
  kAbort  // with the line that ClusterFuzz groups by
};

class FindingLog {
 public:
  /// Writes to UPCAST_FUZZ_LOG, a folder; nothing where that is not set. Signatures that its
  /// findings.ndjson has are not new.
  explicit FindingLog(std::string_view target);
  ~FindingLog();
  FindingLog(const FindingLog&) = delete;
  FindingLog& operator=(const FindingLog&) = delete;

  /// Writes a finding unless its signature, or enough of its essence, is there already. May end the
  /// process.
  void add(const FindingRow& row, std::string_view essence);
  /// An explained difference, counted by its id.
  void count_known(const std::string& id) { ++known_[id]; }

  /// A file's path in the campaign's folder; "" where there is none.
  std::string path_of(std::string_view file) const;

  Progress progress;
  /// Writes the progress every some thousand cases; `now` at once.
  void tick(bool now = false);

 private:
  std::string target_;
  std::string folder_;
  OnFinding on_finding_;
  std::set<std::uint32_t> seen_;
  std::map<std::string, int, std::less<>> essences_;
  std::map<std::string, std::int64_t> known_;
};

}  // namespace upcast::fuzz
