#include "tools/sweep/chunk_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cases/json_text.h"
#include "cases/output_file.h"
#include "impl/core/error.h"

namespace upcast::tools {
namespace {

using nlohmann::json;

bool are_texts(const json& array) {
  return array.is_array() &&
         std::all_of(array.begin(), array.end(), [](const json& item) { return item.is_string(); });
}

bool is_header(const json& line) {
  return line.is_object() && line.contains("plan") && line.contains("kind") &&
         line.value("sweep", json()).is_string() && are_texts(line.value("sides", json()));
}

bool is_chunk(const json& line) {
  return line.is_object() && line.value("chunk", json()).is_number_integer() &&
         line.value("sides", json()).is_object();
}

bool are_versions(const json& line) {
  const json versions = line.is_object() ? line.value("versions", json()) : json();
  if (!versions.is_object()) return false;
  for (const json& version : versions)
    if (!version.is_string()) return false;
  return true;
}

}  // namespace

void add_versions(const SweepVersions& more, const std::string& path, SweepVersions& versions) {
  for (const auto& [key, version] : more) {
    const auto [known, is_new] = versions.emplace(key, version);
    if (!is_new && known->second != version)
      throw UsageError(fmt::format("{} has results of {} {}, not {}: they are not from one sweep",
                                   path, key, known->second, version));
  }
}

std::string sweep_text(const json& header) {
  return fmt::format("{} of {}", header.at("sweep").get<std::string>(),
                     fmt::join(header.at("sides").get<std::vector<std::string>>(), ", "));
}

std::optional<ChunkLines> read_chunk_lines(const std::string& path) {
  std::ifstream in(path);
  std::string text;
  if (!std::getline(in, text)) return {};
  ChunkLines lines{.header = read_json(text)};
  if (!is_header(lines.header))
    throw UsageError(path +
                     " is not a file that this version's upcast sweep --out writes: name another");
  for (std::int64_t number = 2; std::getline(in, text); ++number) {
    json line = read_json(text);
    if (line.is_discarded()) continue;
    if (is_chunk(line)) {
      lines.chunks.push_back(std::move(line));
    } else if (are_versions(line)) {
      add_versions(line["versions"].get<SweepVersions>(), path, lines.versions);
    } else if (!is_header(line)) {
      throw UsageError(fmt::format("{}, line {}: not a chunk of a sweep", path, number));
    } else if (line != lines.header) {
      throw UsageError(fmt::format(
          "{}, line {}: this line is of another sweep ({}) than the lines before it ({})", path,
          number, sweep_text(line), sweep_text(lines.header)));
    }
  }
  return lines;
}

ChunkFile::ChunkFile(const std::string& path, const json& header)
    : path_(path), lines_{.header = header} {
  if (path.empty()) return;
  if (!means_a_file(path))
    throw UsageError(path + " is not a file, and a sweep goes on from one: name a file");
  lock_.emplace(path);
  auto found = read_chunk_lines(path);
  if (found && found->header != header)
    throw UsageError(path + " holds another sweep (" + sweep_text(found->header) +
                     "): name another file, or delete it");
  file_.open(path, std::ios::app);
  if (found) {
    lines_ = std::move(*found);
    end_last_line();
  } else {
    add(header.dump());
  }
}

void ChunkFile::add_versions(const SweepVersions& versions) {
  const SweepVersions before = lines_.versions;
  tools::add_versions(versions, path_.empty() ? "the sweep" : path_, lines_.versions);
  if (lines_.versions != before) add(json{{"versions", lines_.versions}}.dump());
}

void ChunkFile::add(const std::string& line) {
  if (path_.empty()) return;
  file_ << line << '\n' << std::flush;
  if (!file_) throw UsageError("cannot write " + path_ + ": is the disk full?");
}

void ChunkFile::end_last_line() {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(-1, std::ios::end);
  if (file.get() != '\n') add("");
}

}  // namespace upcast::tools
