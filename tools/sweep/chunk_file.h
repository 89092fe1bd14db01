// The file in which a sweep keeps what it has done, so that it can go on.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace upcast::tools {

using SweepVersions = std::map<std::string, std::string>;

/// The contents of such a file: JSON lines. The header says which sweep it is, {"sweep", "plan",
/// "kind", "sides"}; lines with "versions" say who answered; the others are one for each chunk.
struct ChunkLines {
  nlohmann::json header{};
  SweepVersions versions{};
  std::vector<nlohmann::json> chunks{};
};

/// A line that was cut off is dropped, and files of one sweep may be joined. Nothing for no file,
/// or an empty one. Throws UsageError where a line is none of the three, or files of two sweeps or
/// of two versions were joined.
std::optional<ChunkLines> read_chunk_lines(const std::string& path);

/// Adds versions to those of one sweep. Throws UsageError, which names `path`, where one is
/// another.
void add_versions(const SweepVersions& more, const std::string& path, SweepVersions& versions);

/// "sin(float32[..]..., seed=0) of impl:cpu, libtorch:cpu": a header for people.
std::string sweep_text(const nlohmann::json& header);

/// A file of chunks that is being written.
class ChunkFile {
 public:
  /// Reads what is there. "" for no file. Throws UsageError where the file is another sweep's, or
  /// cannot be written.
  ChunkFile(const std::string& path, const nlohmann::json& header);
  const std::vector<nlohmann::json>& chunks() const { return lines_.chunks; }
  const SweepVersions& versions() const { return lines_.versions; }
  /// Notes the versions that answer from here on. Throws UsageError where they are others.
  void add_versions(const SweepVersions& versions);
  /// Writes a line at once. Throws UsageError where it cannot.
  void add(const std::string& line);

 private:
  void rewrite();

  std::string path_;
  std::ofstream file_;
  ChunkLines lines_;
};

}  // namespace upcast::tools
