// The tuples that a campaign has tried. They are in a file that its processes share and mark in
// place, so that a killed process loses no mark, and nothing has to be merged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases/tuple_space.h"
#include "oracle/answer.h"

namespace upcast::fuzz {

/// The file's name in the campaign's folder.
inline constexpr std::string_view kTupleFile = "tuples.map";

/// Bits of a tuple's byte.
inline constexpr std::uint8_t kAsked = 1;     // both sides were asked
inline constexpr std::uint8_t kAnswered = 2;  // both, and the subject did not refuse

/// Marks tuples. With an empty path it marks nothing.
class TupleMap {
 public:
  /// Opens the file, or makes it with a byte for each tuple. Throws UsageError if it cannot, or if
  /// the file has another length.
  explicit TupleMap(const std::string& path);
  ~TupleMap();
  TupleMap(const TupleMap&) = delete;
  TupleMap& operator=(const TupleMap&) = delete;

  void mark(const Case& c, const Answer& subject);

 private:
  TupleSpace space_;
  std::uint8_t* bytes_ = nullptr;
};

/// The bytes of such a file, by the number of the tuple; all 0 if there is no file.
std::vector<std::uint8_t> read_tuple_map(const std::string& path, const TupleSpace& space);

}  // namespace upcast::fuzz
