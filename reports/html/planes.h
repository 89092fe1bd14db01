// Stores byte columns for the page: deflated and in base64. Equal columns are stored once.
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

/// A pool of deflated base64 columns, each with a number. Equal columns have the same number: most
/// ops promote alike.
class PlanePool {
 public:
  /// Adds a column and returns its number. Returns -1 for a column of zeros, which is not stored.
  int add(std::string_view bytes);
  const std::vector<std::string>& planes() const { return planes_; }

 private:
  std::vector<std::string> planes_;
  std::unordered_map<std::string, int> numbers_;
};

}  // namespace upcast::reports
