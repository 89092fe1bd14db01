#include "impl/core/cast.h"

#include <array>
#include <cstring>

#include "impl/core/element.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

template <class From, class To>
void cast_run(const std::byte* source, std::int64_t source_stride, std::byte* destination,
              std::int64_t destination_stride, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    From from;
    std::memcpy(&from, source + i * source_stride, sizeof from);
    const To to = convert<To>(from);
    std::memcpy(destination + i * destination_stride, &to, sizeof to);
  }
}

using CastTable = std::array<std::array<CastLoop, kDTypeCount>, kDTypeCount>;

constexpr CastTable make_cast_table() {
  CastTable table{};
  for_each_element(AllElements{}, [&table](auto from) {
    for_each_element(AllElements{}, [&table, from](auto to) {
      table[code(from.dtype)][code(to.dtype)] =
          &cast_run<typename decltype(from)::type, typename decltype(to)::type>;
    });
  });
  return table;
}

constexpr CastTable kCastTable = make_cast_table();

}  // namespace

CastLoop cast_loop(DType from, DType to) { return kCastTable[code(from)][code(to)]; }

void cast_elements(DType from, const std::byte* source, DType to, std::byte* destination,
                   std::int64_t n) {
  const CastLoop loop = cast_loop(from, to);
  check(loop != nullptr, "cast_elements: both dtypes are elementwise");
  loop(source, itemsize(from), destination, itemsize(to), n);
}

}  // namespace upcast
