// Which tuples a campaign has tried: a file that its processes share and mark in place, so that
// nothing is lost with a process that is killed, and nothing has to be merged.
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
inline constexpr std::uint8_t kAnswered = 2;  // and the subject did not refuse

/// Marks. An empty path: marks nothing.
class TupleMap {
 public:
  /// Makes the file where it is not there, of a byte a tuple. Throws UsageError where it cannot, or
  /// where a file of another length is there.
  explicit TupleMap(const std::string& path);
  ~TupleMap();
  TupleMap(const TupleMap&) = delete;
  TupleMap& operator=(const TupleMap&) = delete;

  void mark(const Case& c, const Answer& subject);

 private:
  TupleSpace space_;
  std::uint8_t* bytes_ = nullptr;
};

/// The bytes of such a file by the number of the tuple; all 0 where there is no file.
std::vector<std::uint8_t> read_tuple_map(const std::string& path, const TupleSpace& space);

}  // namespace upcast::fuzz
