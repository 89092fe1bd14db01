// The file in which a sweep keeps what it has done, so that it can go on.
#pragma once

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace upcast::tools {

/// JSON lines: a header that says which sweep it is, then a line for each chunk.
class ChunkFile {
 public:
  /// Reads what is there; a line that was cut off is dropped. "" for no file. Throws UsageError
  /// where the file is another sweep's, or cannot be written.
  ChunkFile(const std::string& path, const nlohmann::json& header);
  const std::vector<nlohmann::json>& chunks() const { return chunks_; }
  /// Writes a line at once. Throws UsageError where it cannot.
  void add(const std::string& line);

 private:
  void rewrite(const nlohmann::json& header);

  std::string path_;
  std::ofstream file_;
  std::vector<nlohmann::json> chunks_;
};

}  // namespace upcast::tools
