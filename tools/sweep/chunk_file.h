// Reads and writes the file in which a sweep keeps its results, so that it can be resumed.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cases/writer_lock.h"

namespace upcast::tools {

using SweepVersions = std::map<std::string, std::string>;

/// The contents of the file that keeps a sweep's results, which has lines of JSON. The header says
/// which sweep it is: {"sweep", "plan", "kind", "sides"}. Lines with "versions" say which versions
/// answered. Each other line has the results of a chunk.
struct ChunkLines {
  nlohmann::json header{};
  SweepVersions versions{};
  std::vector<nlohmann::json> chunks{};
};

/// Reads the lines of a sweep's file. Drops a line that was cut off. The file may be several files
/// of one sweep, joined. Returns nothing for a missing or empty file. Throws UsageError for a line
/// of another kind, or if files of two sweeps or of two versions were joined.
std::optional<ChunkLines> read_chunk_lines(const std::string& path);

/// Adds the versions `more` to `versions`. Throws UsageError, which names the file `path`, if one
/// contradicts an earlier one.
void add_versions(const SweepVersions& more, const std::string& path, SweepVersions& versions);

/// The header of a sweep's file in words: "sin(float32[..]..., seed=0) of impl:cpu, libtorch:cpu".
std::string sweep_text(const nlohmann::json& header);

/// The file of a sweep that is running: keeps the results of earlier runs, and adds new ones. No
/// second sweep can open it meanwhile.
class ChunkFile {
 public:
  /// Opens the file to add results, and reads those that it has. The path "" means that no file is
  /// kept. Throws UsageError if the file is another sweep's, is open in another sweep, or cannot be
  /// written.
  ChunkFile(const std::string& path, const nlohmann::json& header);
  const std::vector<nlohmann::json>& chunks() const { return lines_.chunks; }
  const SweepVersions& versions() const { return lines_.versions; }
  /// Notes the versions of the sides that answer now. Throws UsageError if they differ from those
  /// of earlier runs.
  void add_versions(const SweepVersions& versions);
  /// Adds a line to the file, without buffering. Throws UsageError if that fails.
  void add(const std::string& line);

 private:
  /// Ends a line that was cut off, so that the next result begins on a new line.
  void end_last_line();

  std::string path_;
  std::optional<WriterLock> lock_;
  std::ofstream file_;
  ChunkLines lines_;
};

}  // namespace upcast::tools
