// Keeps the tuples that a campaign has tried, in a file that its processes share. They mark tuples
// in place, so that a killed process loses no mark, and nothing has to be merged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases/tuple_space.h"
#include "oracle/answer.h"

namespace upcast::fuzz {

/// The name of the file of tuples in the campaign's folder.
inline constexpr std::string_view kTupleFile = "tuples.map";

/// The bits of a tuple's byte in the file.
inline constexpr std::uint8_t kAsked = 1;     // both sides were asked about a case with the tuple
inline constexpr std::uint8_t kAnswered = 2;  // both sides were asked, and the subject answered

/// Marks tuples in a mapped file. If its path is empty it marks nothing.
class TupleMap {
 public:
  /// Opens the file, or makes it with a byte for each tuple. Throws UsageError if the file cannot
  /// be opened or made, or has another length.
  explicit TupleMap(const std::string& path);
  ~TupleMap();
  TupleMap(const TupleMap&) = delete;
  TupleMap& operator=(const TupleMap&) = delete;

  void mark(const Case& c, const Answer& subject);

 private:
  TupleSpace space_;
  std::uint8_t* bytes_ = nullptr;
};

/// The bytes of a file of tuples, by the number of the tuple. All bytes are 0 if there is no file.
std::vector<std::uint8_t> read_tuple_map(const std::string& path, const TupleSpace& space);

}  // namespace upcast::fuzz
