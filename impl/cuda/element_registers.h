// A group of elements in registers: read from memory at its own width, then converted. Reading and
// converting are separate, so that the reads of all operands begin before the first value is
// needed. There is one conversion function for each compute type, not for each op.
#pragma once

#include "impl/core/element.h"
#include "impl/cuda/element_groups.h"
#include "impl/cuda/kernel_args.h"

namespace upcast {

/// The bits of a group of elements. Each element occupies `Words` words of 64 bits.
template <int Words>
struct RawGroup {
  std::array<std::array<std::uint64_t, Words>, kGroup> words{};
};

/// The values of a group of elements, in the compute type T.
template <class T>
struct GroupValues {
  std::array<T, kGroup> values;
};

/// How many 64-bit words an element of an operand needs for the compute type T. A real T reads only
/// the real part of a complex128 element, so one word is enough.
template <class T>
inline constexpr int kWordsOf = kIsComplex<T> ? 2 : 1;

/// N elements that one instruction reads or writes. They are aligned to their total size, but at
/// most to MaxAlignment bytes.
template <class T, int N, int MaxAlignment = 16>
struct alignas(sizeof(T) * N < MaxAlignment ? sizeof(T) * N : MaxAlignment) Vector {
  std::array<T, N> values;
};

namespace internal {

template <class Element, int Words>
UPCAST_HOST_DEVICE void read_raw(const std::byte* const (&addresses)[kGroup], bool vector,
                                 RawGroup<Words>& raw) {
  if (vector) {
    const auto read = *reinterpret_cast<const Vector<Element, kGroup>*>(addresses[0]);
    for (std::uint32_t i = 0; i < kGroup; ++i) raw.words[i][0] = read.values[i];
  } else {
    for (std::uint32_t i = 0; i < kGroup; ++i)
      raw.words[i][0] = *reinterpret_cast<const Element*>(addresses[i]);
  }
}

template <class Element, int Words>
UPCAST_HOST_DEVICE void write_raw(std::byte* const (&addresses)[kGroup], const ElementGroup& group,
                                  const RawGroup<Words>& raw) {
  if (group.vector) {
    Vector<Element, kGroup> written;
    for (std::uint32_t i = 0; i < kGroup; ++i)
      written.values[i] = static_cast<Element>(raw.words[i][0]);
    *reinterpret_cast<Vector<Element, kGroup>*>(addresses[0]) = written;
  } else {
    for (std::uint32_t i = 0; i < kGroup; ++i)
      if (i < group.count)
        *reinterpret_cast<Element*>(addresses[i]) = static_cast<Element>(raw.words[i][0]);
  }
}

}  // namespace internal

/// Reads a group of elements. `addresses` has one address for each element; for a vector only the
/// first is used.
template <int Words>
UPCAST_HOST_DEVICE RawGroup<Words> read_group(const std::byte* const (&addresses)[kGroup],
                                              bool vector, int itemsize) {
  RawGroup<Words> raw;
  switch (itemsize) {
    case 1:
      internal::read_raw<std::uint8_t>(addresses, vector, raw);
      break;
    case 2:
      internal::read_raw<std::uint16_t>(addresses, vector, raw);
      break;
    case 4:
      internal::read_raw<std::uint32_t>(addresses, vector, raw);
      break;
    case 8:
      internal::read_raw<std::uint64_t>(addresses, vector, raw);
      break;
    default:
      for (std::uint32_t i = 0; i < kGroup; ++i) {
        const std::byte* const address = vector ? addresses[0] + 16 * i : addresses[i];
        for (int word = 0; word < Words; ++word)
          raw.words[i][word] = reinterpret_cast<const std::uint64_t*>(address)[word];
      }
  }
  return raw;
}

/// Writes the group's elements. If an element is wider than its Words, its second word is written
/// as 0: the imaginary part of a real result.
template <int Words>
UPCAST_HOST_DEVICE void write_group(std::byte* const (&addresses)[kGroup],
                                    const ElementGroup& group, int itemsize,
                                    const RawGroup<Words>& raw) {
  switch (itemsize) {
    case 1:
      return internal::write_raw<std::uint8_t>(addresses, group, raw);
    case 2:
      return internal::write_raw<std::uint16_t>(addresses, group, raw);
    case 4:
      return internal::write_raw<std::uint32_t>(addresses, group, raw);
    case 8:
      return internal::write_raw<std::uint64_t>(addresses, group, raw);
    default:
      for (std::uint32_t i = 0; i < kGroup; ++i) {
        if (i >= group.count) break;
        auto* const words =
            reinterpret_cast<std::uint64_t*>(group.vector ? addresses[0] + 16 * i : addresses[i]);
        words[0] = raw.words[i][0];
        words[1] = Words > 1 ? raw.words[i][Words - 1] : 0;
      }
  }
}

/// Converts elements of a dtype to values of the compute type; they are first rounded to `through`.
/// The definitions are in element_conversion.cc, which is compiled once for the device and once for
/// the host.
template <class T>
UPCAST_DEVICE_NOINLINE UPCAST_HOST_DEVICE GroupValues<T> values_of(RawGroup<kWordsOf<T>> raw,
                                                                   DType from, DType through);

/// Converts results of a compute type to elements of a dtype; they are first rounded to `through`.
template <class R>
UPCAST_DEVICE_NOINLINE UPCAST_HOST_DEVICE RawGroup<kWordsOf<R>> elements_of(GroupValues<R> group,
                                                                            DType to,
                                                                            DType through);

}  // namespace upcast
