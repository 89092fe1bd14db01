#include "fuzz/finding_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "fuzz/engine_exit.h"
#include "oracle/verdict_json.h"

namespace upcast::fuzz {
namespace {

/// How many findings with the same essence are kept. Findings of one essence differ in dtypes and
/// kinds only.
constexpr int kMaxOfAnEssence = 4;
/// Every how many cases the clock is read: reading it for each case would cost speed.
constexpr std::int64_t kTickCases = 256;
/// The shortest time between two writings of progress. Thousands of engines may share a file
/// server.
constexpr auto kTickApart = std::chrono::seconds(1);

std::string text_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

OnFinding on_finding(const std::string& folder) {
  const std::string text = text_of("UPCAST_FUZZ_ON_FINDING");
  if (text == "log") return OnFinding::kLog;
  if (text == "end") return OnFinding::kEnd;
  return text.empty() && !folder.empty() ? OnFinding::kLog : OnFinding::kAbort;
}

/// The file of findings, locked while this object lives. Other processes wait for the lock.
class LockedFile {
 public:
  explicit LockedFile(const std::string& path)
      : file_(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
    if (file_ < 0) std::perror(path.c_str());
    while (file_ >= 0 && flock(file_, LOCK_EX) != 0 && errno == EINTR) continue;
  }
  ~LockedFile() {
    if (file_ >= 0) close(file_);
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  int get() const { return file_; }

 private:
  int file_;
};

/// The content of an open file from the byte `start` to the end.
std::string tail_of(int file, std::int64_t start) {
  std::string text;
  std::array<char, 1 << 14> bytes;
  for (;;) {
    const auto at = static_cast<off_t>(start + static_cast<std::int64_t>(text.size()));
    const ssize_t n = pread(file, bytes.data(), bytes.size(), at);
    if (n <= 0) return text;
    text.append(bytes.data(), static_cast<std::size_t>(n));
  }
}

/// Reports that the disk is full, and ends the engine with a code that ends the campaign too.
[[noreturn]] void end_of_disk(const std::string& path, int error) {
  std::fprintf(stderr, "upcast: %s cannot be written (%s)\n", path.c_str(),
               error == 0 ? "is the disk full?" : std::strerror(error));
  std::_Exit(kEngineMistake);
}

}  // namespace

FindingLog::FindingLog(std::string_view target)
    : FindingLog(target, text_of("UPCAST_FUZZ_LOG"), on_finding(text_of("UPCAST_FUZZ_LOG"))) {}

FindingLog::FindingLog(std::string_view target, const std::string& folder)
    : FindingLog(target, folder, OnFinding::kLog) {}

FindingLog::FindingLog(std::string_view target, std::string folder, OnFinding on_finding)
    : target_(target), folder_(std::move(folder)), on_finding_(on_finding) {
  const std::string findings = path_of(kFindingsFile);
  if (findings.empty() || !std::filesystem::exists(findings)) return;
  const LockedFile file(findings);
  catch_up(file.get());
}

void FindingLog::catch_up(int file) {
  const std::string text = tail_of(file, read_);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json row = read_json(line);
    if (row.is_object()) is_new(row.value("hash", 0U), row.value("essence", ""));
  }
  read_ += static_cast<std::int64_t>(text.size());
}

bool FindingLog::is_new(std::uint32_t hash, std::string_view essence) {
  if (!seen_.insert(hash).second) return false;
  const auto of_essence = essences_.find(essence);
  int& count = of_essence != essences_.end() ? of_essence->second : essences_[std::string(essence)];
  return count++ < kMaxOfAnEssence;
}

std::string FindingLog::path_of(std::string_view file) const {
  return folder_.empty() ? "" : fmt::format("{}/{}", folder_, file);
}

FindingLog::~FindingLog() { tick(true); }

void FindingLog::add(const FindingRow& row, std::string_view essence) {
  ++progress.findings;
  const std::uint32_t hash = hash_of(row.signature);
  if (seen_.contains(hash)) return;
  nlohmann::json json{{"$schema", json_schemas::kFinding},
                      {"target", target_},
                      {"check", row.check},
                      {"hash", hash},
                      {"signature", row.signature},
                      {"essence", essence},
                      {"verdict", row.verdict},
                      {"line", row.line},
                      {"subject", row.subject},
                      {"oracle", row.oracle},
                      {"detail", row.detail},
                      {"subject_side", row.subject_side},
                      {"oracle_side", row.oracle_side},
                      {"command", row.command}};
  if (row.evidence) json["evidence"] = *row.evidence;
  if (folder_.empty()) {
    if (!is_new(hash, essence)) return;
  } else {
    const LockedFile file(path_of(kFindingsFile));
    catch_up(file.get());
    if (!is_new(hash, essence)) return;
    // A process that was killed while it wrote a row leaves a line without end.
    const bool cut = read_ > 0 && tail_of(file.get(), read_ - 1) != "\n";
    const std::string text = (cut ? "\n" : "") + dump_json(json) + "\n";
    if (const ssize_t n = write(file.get(), text.data(), text.size()); n != std::ssize(text))
      end_of_disk(path_of(kFindingsFile), n < 0 ? errno : ENOSPC);  // a finding must not be lost
    read_ += static_cast<std::int64_t>(text.size());
  }
  ++progress.signatures;
  if (on_finding_ == OnFinding::kEnd) {  // then one finding is enough
    tick(true);
    std::_Exit(0);
  }
  if (on_finding_ == OnFinding::kLog) return;
  std::fprintf(stderr, "ASSERTION FAILED: %s\nreproduce: %s\n",
               crash_line(hash, row.signature).c_str(), row.command.c_str());
  std::abort();
}

void FindingLog::tick(bool now) {
  if (!now && ++progress.cases % kTickCases != 0) return;
  const auto time = std::chrono::steady_clock::now();
  if (folder_.empty() || (!now && time - ticked_ < kTickApart)) return;
  ticked_ = time;
  nlohmann::json json{{"cases", progress.cases},
                      {"refused", progress.refused},
                      {"known", progress.known},
                      {"both_right", progress.both_right},
                      {"findings", progress.findings},
                      {"not_judged", progress.not_judged},
                      {"not_asked", progress.not_asked},
                      {"escapes", progress.escapes},
                      {"signatures", progress.signatures},
                      {"known_by_id", known_},
                      {"timed_answers", progress.answers.cases},
                      {"answer_seconds", progress.answers.seconds},
                      {"timed_refusals", progress.refusals.cases},
                      {"refusal_seconds", progress.refusals.seconds},
                      {"cpu_seconds", static_cast<double>(std::clock()) / CLOCKS_PER_SEC}};
  const std::string path = fmt::format("{}/progress.{}", folder_, getpid());
  std::ofstream draft(path + ".new");
  draft << json.dump() << '\n';
  draft.close();
  // A draft is renamed when it is complete: counts that were cut off must not replace whole ones.
  if (!draft) end_of_disk(path, errno);
  std::error_code ignored;  // the next tick writes the progress again
  std::filesystem::rename(path + ".new", path, ignored);
}

}  // namespace upcast::fuzz
