#include "fuzz/finding_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cases/json_schemas.h"

namespace upcast::fuzz {
namespace {

/// Of one essence: they differ in dtypes and kinds only.
constexpr int kMaxOfAnEssence = 4;
constexpr std::int64_t kTickCases = 4096;

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

/// One write: processes share the file.
void append(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return;
  if (write(file, text.data(), text.size()) < 0) std::perror(path.c_str());
  close(file);
}

}  // namespace

FindingLog::FindingLog(std::string_view target)
    : target_(target), folder_(text_of("UPCAST_FUZZ_LOG")), on_finding_(on_finding(folder_)) {
  if (folder_.empty()) return;
  std::ifstream earlier(folder_ + "/findings.ndjson");
  for (std::string line; std::getline(earlier, line);) {
    const nlohmann::json row = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!row.is_object()) continue;
    seen_.insert(row.value("hash", 0U));
    ++essences_[row.value("essence", "")];
  }
}

std::string FindingLog::path_of(std::string_view file) const {
  return folder_.empty() ? "" : fmt::format("{}/{}", folder_, file);
}

FindingLog::~FindingLog() { tick(true); }

void FindingLog::add(const FindingRow& row, std::string_view essence) {
  ++progress.findings;
  if (!seen_.insert(row.hash).second) return;
  const auto of_essence = essences_.find(essence);
  int& count = of_essence != essences_.end() ? of_essence->second : essences_[std::string(essence)];
  if (count++ >= kMaxOfAnEssence) return;
  ++progress.signatures;
  const nlohmann::json json{{"$schema", json_schemas::kFinding},
                            {"target", target_},
                            {"check", row.check},
                            {"hash", row.hash},
                            {"signature", row.signature},
                            {"essence", essence},
                            {"verdict", row.verdict},
                            {"line", row.line},
                            {"subject", row.subject},
                            {"oracle", row.oracle},
                            {"detail", row.detail}};
  if (!folder_.empty()) append(folder_ + "/findings.ndjson", json.dump() + "\n");
  if (on_finding_ == OnFinding::kEnd) {  // the first finding is all that is asked for
    tick(true);
    std::_Exit(0);
  }
  if (on_finding_ == OnFinding::kLog) return;
  std::fprintf(stderr, "ASSERTION FAILED: %s\nreproduce: upcast run '%s'\n",
               crash_line(row.hash, row.signature).c_str(), row.line.c_str());
  std::abort();
}

void FindingLog::tick(bool now) {
  if (!now && ++progress.cases % kTickCases != 0) return;
  if (folder_.empty()) return;
  nlohmann::json json{{"cases", progress.cases},
                      {"refused", progress.refused},
                      {"known", progress.known},
                      {"findings", progress.findings},
                      {"not_judged", progress.not_judged},
                      {"not_asked", progress.not_asked},
                      {"escapes", progress.escapes},
                      {"signatures", progress.signatures},
                      {"known_by_id", known_},
                      {"cpu_seconds", static_cast<double>(std::clock()) / CLOCKS_PER_SEC}};
  const std::string path = fmt::format("{}/progress.{}", folder_, getpid());
  std::ofstream(path + ".new") << json.dump() << '\n';
  std::error_code ignored;  // the next tick writes it again
  std::filesystem::rename(path + ".new", path, ignored);
}

}  // namespace upcast::fuzz
