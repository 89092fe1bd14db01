#include "tools/fuzz/campaign_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;

nlohmann::json progress_of(const fs::path& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
}

void add_row(const nlohmann::json& row, CampaignState& sums) {
  const auto add = [&row](const char* key, std::int64_t& sum) {
    sum += row.value(key, std::int64_t{0});
  };
  sums.cpu_seconds += row.value("cpu_seconds", 0.0);
  sums.answer_seconds += row.value("answer_seconds", 0.0);
  sums.refusal_seconds += row.value("refusal_seconds", 0.0);
  add("timed_answers", sums.timed_answers);
  add("timed_refusals", sums.timed_refusals);
  add("cases", sums.cases);
  add("refused", sums.refused);
  add("known", sums.known);
  add("findings", sums.findings);
  add("both_right", sums.both_right);
  add("not_judged", sums.not_judged);
  add("not_asked", sums.not_asked);
  add("escapes", sums.escapes);
  const nlohmann::json known = row.value("known_by_id", nlohmann::json::object());
  for (const auto& [id, count] : known.items()) sums.known_by_id[id] += count.get<std::int64_t>();
}

/// Whether a file holds the counts of a process. A name that ends with .new is one that is being
/// written.
bool is_progress(const std::string& name) {
  return name.starts_with("progress.") && !name.ends_with(".new");
}

}  // namespace

std::int64_t last_number_after(const std::string& word, const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  constexpr std::streamoff kTail = 1 << 14;
  stream.seekg(0, std::ios::end);
  stream.seekg(std::max<std::streamoff>(0, stream.tellg() - kTail));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t at = text.rfind(word);
  return at == text.npos ? 0 : std::strtoll(text.c_str() + at + word.size(), nullptr, 10);
}

bool is_engine_output(const std::string& name) {
  return name.starts_with("job-") && name.ends_with("out");
}

std::int64_t cases_of(const std::string& log, pid_t pid) {
  const nlohmann::json row = progress_of(fmt::format("{}/progress.{}", log, pid));
  return row.is_object() ? row.value("cases", std::int64_t{0}) : 0;
}

void add_counts(const std::string& log, CampaignState& sums) {
  for (const auto& entry : fs::directory_iterator(log)) {
    const std::string name = entry.path().filename().string();
    if (is_engine_output(name))
      sums.features = std::max(sums.features, last_number_after(" ft: ", entry.path().string()));
    if (!is_progress(name)) continue;
    const nlohmann::json row = progress_of(entry.path());
    if (row.is_object()) add_row(row, sums);
  }
}

}  // namespace upcast::tools
