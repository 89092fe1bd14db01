// Stores byte columns for the page: deflated, in base64, each different one once.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace upcast::reports {

/// The bytes as a zlib stream (RFC 1950), which the browser's DecompressionStream("deflate") reads.
std::string deflated(std::string_view bytes);

/// The bytes in base64 (RFC 4648), with padding.
std::string base64(std::string_view bytes);

/// A pool of deflated base64 columns. Equal columns have one number, because most ops promote
/// alike.
class PlanePool {
 public:
  /// The column's number; -1 for one that holds zeros only.
  int add(std::string_view bytes);
  const std::vector<std::string>& planes() const { return planes_; }

 private:
  std::vector<std::string> planes_;
  std::unordered_map<std::string, int> numbers_;
};

}  // namespace upcast::reports
