// What supervisor and worker say to each other: a setup, a hello, then blocks of cases and results.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "oracle/host/journal.h"
#include "oracle/verdict.h"

namespace upcast {

/// All that a worker must know before its first block. The worker builds the plan from a grid's
/// name and selection, or from case lines, and its digest proves that it is the same plan. From a
/// grid it takes only what the subject claims.
struct WorkerSetup {
  std::string subject;
  std::string oracle;
  std::string grid;                      // a grid's name, or "" and lines
  std::vector<std::string> lines;        // canonical case lines
  std::string known_text;                // the text of known_differences.toml; may be ""
  std::string known_name;                // the path of that file, for messages
  double time_limit = 10;                // seconds that one side may take for one case
  std::vector<std::string> witnesses{};  // sides that are asked where the truth does not decide
  bool doubt = false;            // whether they are also asked where subject and oracle agree
  std::string selection = "{}";  // part of the grid (Selection::text)

  bool operator==(const WorkerSetup&) const = default;
};

/// A worker's first frame. `error` is the text of a UsageError; "" if the worker is ready.
struct WorkerHello {
  std::string error;
  std::string plan_digest;
  std::map<std::string, std::string> versions;
  std::string claim = "{}";  // the subject's claim (Selection::text)
};

/// A side that does not survive a case: a worker died, or went silent, while it was at work.
struct DeadSide {
  std::int64_t case_index = 0;
  Actor side = Actor::kNone;
  bool timed_out = false;
  std::string how;  // "crash(SIGFPE)", "crash(exit 3)", "timeout"
  std::string why;  // what the worker said last, may be ""

  bool operator==(const DeadSide&) const = default;
};

/// A request for the cases first..first+count-1. `dead` sides of a case are not asked again.
struct BlockRequest {
  std::int64_t id = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool record_all = false;  // whether every case gets a record, agreeing ones too
  std::vector<DeadSide> dead;

  bool operator==(const BlockRequest&) const = default;
};

/// One noteworthy case: the verdict, and what each side answered in the notation of cases.
struct CaseRecord {
  std::int64_t case_index = 0;
  Verdict verdict{};
  int known = 0;          // id of the known difference; 0: none
  std::string line{};     // "" where our own code dies on the case
  std::string subject{};  // "float32[4]{1,2,3,4}", "refuses(unsupported_dtype)", "crash(SIGFPE)"
  std::string oracle{};
  std::string signature{};  // crash_line() of an unexplained case (oracle/signature.h)

  bool operator==(const CaseRecord&) const = default;
};

/// At most this many records of one verdict a block, so that a hopeless subject cannot fill a disk.
inline constexpr int kMaxRecords = 64;
/// Known differences need no more than examples; a block's first case of each is always one.
inline constexpr int kMaxKnownRecords = 4;

/// Answer bytes of a side that gave none; the codes are those of the run store.
inline constexpr std::uint8_t kNotRunByte = 253;
inline constexpr std::uint8_t kTimeoutByte = 254;
inline constexpr std::uint8_t kCrashByte = 255;

/// Everything about cases first..first+count-1: one byte a case in each column.
struct BlockResult {
  std::int64_t id = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t values_judged = 0;
  std::vector<VerdictCode> verdict;
  std::vector<std::uint8_t> known;    // id of the known difference, or 0
  std::vector<std::uint8_t> subject;  // answer_code
  std::vector<std::uint8_t> oracle;
  /// The ruling on every case that differs and was ruled on. Empty if there was none.
  std::vector<Ruling::Outcome> ruling;
  std::vector<CaseRecord> records;  // in order of case_index
  std::vector<std::pair<int, std::int64_t>>
      matched;               // known id, and how many cases its selector names
  int deaths = 0;            // of processes that a side asks, while the worker survived
  std::int64_t doubted = 0;  // agreeing cases about which witnesses were asked

  bool operator==(const BlockResult&) const = default;
};

}  // namespace upcast
