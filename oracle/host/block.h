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

/// All that a worker must know before its first block. The worker makes the plan itself, from a
/// grid's name and selection or from case lines. A digest proves that its plan is the supervisor's.
/// From a grid it takes only what the subject claims.
struct WorkerSetup {
  std::string subject;
  std::string oracle;
  std::string grid;                      // a grid's name; "": the cases are `lines`
  std::vector<std::string> lines;        // canonical case lines
  std::string known_text;                // the text of known_differences.toml; may be ""
  std::string known_name;                // the path of known_differences.toml, for messages
  double time_limit = 10;                // seconds that one side may take for one case
  std::vector<std::string> witnesses{};  // sides that are asked where the truth does not decide
  bool doubt = false;            // whether witnesses are also asked where subject and oracle agree
  std::string selection = "{}";  // the part of the grid to run (Selection::text); "{}": all

  bool operator==(const WorkerSetup&) const = default;
};

/// A worker's first frame. `error` is the text of a UsageError; "" if the worker is ready.
struct WorkerHello {
  std::string error;
  std::string plan_digest;
  std::map<std::string, std::string> versions;
  std::string claim = "{}";             // the subject's claim (Selection::text)
  std::vector<std::string> programs{};  // Subject::programs() of all sides
};

/// A side that does not survive a case: the worker died or went silent while that side was asked.
struct DeadSide {
  std::int64_t case_index = 0;
  Actor side = Actor::kNone;
  bool timed_out = false;
  std::string how;  // how it died: "crash(SIGFPE)", "crash(exit 3)", "timeout"
  std::string why;  // what the worker said last; may be ""

  bool operator==(const DeadSide&) const = default;
};

/// A request to run the cases first..first+count-1. A side that `dead` names for a case is not
/// asked about it again.
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
  int known = 0;       // id of the known difference; 0: none
  std::string line{};  // the case line; "" where our own code dies on the case
  // What the subject answered: "float32[4]{1,2,3,4}", "refuses(unsupported_dtype)",
  // "crash(SIGFPE)".
  std::string subject{};
  std::string oracle{};
  // What tells causes of an unexplained case apart: crash_line() of oracle/signature.h.
  std::string signature{};

  bool operator==(const CaseRecord&) const = default;
};

/// At most this many records of one verdict a block, so that a hopeless subject cannot fill a disk.
inline constexpr int kMaxRecords = 64;
/// At most this many records of one known difference a block, because examples suffice. Each known
/// difference's first case in a block gets a record.
inline constexpr int kMaxKnownRecords = 4;

/// Bytes in the columns of answers for a side that gave none; all other codes are those of
/// answer_code().
inline constexpr std::uint8_t kNotRunByte = 253;
inline constexpr std::uint8_t kTimeoutByte = 254;
inline constexpr std::uint8_t kCrashByte = 255;

/// The results of cases first..first+count-1. Each column has one byte a case.
struct BlockResult {
  std::int64_t id = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t values_judged = 0;
  std::vector<VerdictCode> verdict;
  std::vector<std::uint8_t> known;  // id of the known difference, or 0
  // For each case the subject's answer_code(), or kNotRunByte, kTimeoutByte or kCrashByte.
  std::vector<std::uint8_t> subject;
  std::vector<std::uint8_t> oracle;
  /// The outcome of the ruling for each case; empty if no case of the block was ruled on.
  std::vector<Ruling::Outcome> ruling;
  std::vector<CaseRecord> records;  // in order of case_index
  std::vector<std::pair<int, std::int64_t>>
      // Id of a known difference, and how many cases of the block its selector names.
      matched;
  // Deaths of processes that a side asks; the worker itself survived them.
  int deaths = 0;
  std::int64_t doubted = 0;  // how many agreeing cases witnesses were asked about

  bool operator==(const BlockResult&) const = default;
};

}  // namespace upcast
