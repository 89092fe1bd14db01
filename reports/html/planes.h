// Byte columns for the page: deflated, in base64, each different one stored once.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace upcast::reports {

/// zlib stream (RFC 1950) of the bytes, as the browser's DecompressionStream("deflate") takes it.
std::string deflated(std::string_view bytes);

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// Deflated base64 columns. Equal columns share a number: most ops promote alike.
class PlanePool {
 public:
  /// The column's number, -1 for one that holds zeros only.
  int add(std::string_view bytes);
  const std::vector<std::string>& planes() const { return planes_; }

 private:
  std::vector<std::string> planes_;
  std::unordered_map<std::string, int> numbers_;
};

}  // namespace upcast::reports
