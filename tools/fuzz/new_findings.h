// Reads the rows that a campaign's processes add to findings.ndjson while it runs.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace upcast::tools {

/// The findings that a campaign adds to its log after this object was made.
class NewFindings {
 public:
  NewFindings() = default;
  explicit NewFindings(const std::string& log);

  /// Reads the lines that were added since the last call. A line that is not complete is read
  /// later.
  void catch_up();
  const std::vector<nlohmann::json>& rows() const { return rows_; }
  /// The number of different signatures among the rows.
  std::int64_t signatures() const { return static_cast<std::int64_t>(hashes_.size()); }

 private:
  std::string file_;
  std::int64_t read_ = 0;
  std::vector<nlohmann::json> rows_;
  std::set<std::uint32_t> hashes_;
};

}  // namespace upcast::tools
