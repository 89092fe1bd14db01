#include "impl/core/cast.h"

#include <array>
#include <cstring>

#include "impl/core/element.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

template <class From, class To>
[[gnu::always_inline]] inline void cast_one(const std::byte* source, std::byte* destination) {
  From from;
  std::memcpy(&from, source, sizeof from);
  const To to = convert<To>(from);
  std::memcpy(destination, &to, sizeof to);
}

template <class From, class To>
[[gnu::always_inline]] inline void cast_body(const std::byte* source, std::int64_t source_stride,
                                             std::byte* destination,
                                             std::int64_t destination_stride, std::int64_t n) {
  if (source_stride == sizeof(From) && destination_stride == sizeof(To)) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
      cast_one<From, To>(source + i * sizeof(From), destination + i * sizeof(To));
  } else {
    for (std::int64_t i = 0; i < n; ++i)
      cast_one<From, To>(source + i * source_stride, destination + i * destination_stride);
  }
}

template <class From, class To>
void cast_baseline(const std::byte* source, std::int64_t source_stride, std::byte* destination,
                   std::int64_t destination_stride, std::int64_t n) {
  cast_body<From, To>(source, source_stride, destination, destination_stride, n);
}
template <class From, class To>
UPCAST_TARGET_V3 void cast_v3(const std::byte* source, std::int64_t source_stride,
                              std::byte* destination, std::int64_t destination_stride,
                              std::int64_t n) {
  cast_body<From, To>(source, source_stride, destination, destination_stride, n);
}
template <class From, class To>
UPCAST_TARGET_V4 void cast_v4(const std::byte* source, std::int64_t source_stride,
                              std::byte* destination, std::int64_t destination_stride,
                              std::int64_t n) {
  cast_body<From, To>(source, source_stride, destination, destination_stride, n);
}

template <class T>
inline constexpr bool kIsFloat8 = kIsPacked<T> && sizeof(T) == 1;

/// Casts worth a loop of their own for each capability: those that vectorise.
template <class From, class To>
inline constexpr bool kVectorises =
    !kIsComplex<From> && !kIsComplex<To> && !kIsFloat8<From> && !kIsFloat8<To>;

using CastRow = std::array<CastLoop, kCapabilityCount>;
using CastTable = std::array<std::array<CastRow, kDTypeCount>, kDTypeCount>;

template <class From, class To>
constexpr CastRow make_cast_row() {
  if constexpr (kVectorises<From, To>)
    return {&cast_baseline<From, To>, &cast_v3<From, To>, &cast_v4<From, To>};
  else
    return {&cast_baseline<From, To>, &cast_baseline<From, To>, &cast_baseline<From, To>};
}

constexpr CastTable make_cast_table() {
  CastTable table{};
  for_each_element(AllElements{}, [&table](auto from) {
    for_each_element(AllElements{}, [&table, from](auto to) {
      table[code(from.dtype)][code(to.dtype)] =
          make_cast_row<typename decltype(from)::type, typename decltype(to)::type>();
    });
  });
  return table;
}

constexpr CastTable kCastTable = make_cast_table();

}  // namespace

CastLoop cast_loop(DType from, DType to, Capability capability) {
  return kCastTable[code(from)][code(to)][static_cast<int>(capability)];
}

void cast_elements(DType from, const std::byte* source, DType to, std::byte* destination,
                   std::int64_t n) {
  const CastLoop loop = cast_loop(from, to, Capability::kBaseline);
  check(loop != nullptr, "cast_elements: both dtypes are elementwise");
  loop(source, itemsize(from), destination, itemsize(to), n);
}

}  // namespace upcast
