// A group of elements in registers: read from memory at its own width, then converted. Reading and
// converting are apart so that all operands are under way before the first is needed; converting is
// a function of its own, one a compute type and not one an op.
#pragma once

#include <bit>

#include "impl/core/element.h"
#include "impl/cuda/element_groups.h"
#include "impl/cuda/kernel_args.h"

namespace upcast {

/// The bits of a group: Words 64-bit words an element.
template <int Words>
struct RawGroup {
  std::array<std::array<std::uint64_t, Words>, kGroup> words{};
};

/// Values of a group.
template <class T>
struct GroupValues {
  std::array<T, kGroup> values;
};

/// Words that a compute type's operands need. A real one sees the real part of complex128 only.
template <class T>
inline constexpr int kWordsOf = kIsComplex<T> ? 2 : 1;

template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) Vector {
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

template <class Element, int Words>
UPCAST_HOST_DEVICE Element element_of(const std::array<std::uint64_t, Words>& words) {
  if constexpr (sizeof(Element) == 1)
    return std::bit_cast<Element>(static_cast<std::uint8_t>(words[0]));
  else if constexpr (sizeof(Element) == 2)
    return std::bit_cast<Element>(static_cast<std::uint16_t>(words[0]));
  else if constexpr (sizeof(Element) == 4)
    return std::bit_cast<Element>(static_cast<std::uint32_t>(words[0]));
  else if constexpr (sizeof(Element) == 8)
    return std::bit_cast<Element>(words[0]);
  else
    return std::bit_cast<Element>(std::array<std::uint64_t, 2>{words[0], words[Words - 1]});
}

template <class Element, int Words>
UPCAST_HOST_DEVICE std::array<std::uint64_t, Words> words_of(Element element) {
  if constexpr (sizeof(Element) == 1)
    return {std::bit_cast<std::uint8_t>(element)};
  else if constexpr (sizeof(Element) == 2)
    return {std::bit_cast<std::uint16_t>(element)};
  else if constexpr (sizeof(Element) == 4)
    return {std::bit_cast<std::uint32_t>(element)};
  else if constexpr (sizeof(Element) == 8)
    return {std::bit_cast<std::uint64_t>(element)};
  else
    return std::bit_cast<std::array<std::uint64_t, 2>>(element);
}

/// Calls f(row) for the row of a dtype.
template <class... Rows, class F>
UPCAST_HOST_DEVICE void with_element(ElementRows<Rows...>, DType dtype, F&& f) {
  static_cast<void>(((Rows::dtype == dtype && (f(Rows{}), true)) || ...));
}

/// A value as one of a reduced dtype holds it: float or Complex<float>.
template <class Wide>
UPCAST_HOST_DEVICE auto rounded_through(Wide value, DType dtype) {
  using Reduced =
      ElementRows<ElementRow<Half, DType::kFloat16>, ElementRow<BFloat16, DType::kBFloat16>,
                  ElementRow<Half, DType::kComplex32>, ElementRow<BFloat16, DType::kBComplex32>,
                  ElementRow<Float8E5M2, DType::kFloat8E5M2>,
                  ElementRow<Float8E4M3FN, DType::kFloat8E4M3FN>,
                  ElementRow<Float8E5M2FNUZ, DType::kFloat8E5M2FNUZ>,
                  ElementRow<Float8E4M3FNUZ, DType::kFloat8E4M3FNUZ>,
                  ElementRow<Float8E8M0FNU, DType::kFloat8E8M0FNU>>;
  if constexpr (kIsComplex<Wide>) {
    return Complex<float>{rounded_through(value.re, dtype), rounded_through(value.im, dtype)};
  } else {
    float rounded = 0;
    with_element(Reduced{}, dtype, [&](auto row) {
      rounded = static_cast<float>(convert<typename decltype(row)::type>(value));
    });
    return rounded;
  }
}

/// A value of any dtype as float64, from which it rounds on as it would have itself.
template <class From>
UPCAST_HOST_DEVICE double exact_or_odd(From value) {
  if constexpr (std::is_integral_v<From> && sizeof(From) == 8)
    return integer_to_odd_double(value);
  else
    return convert<double>(value);
}

template <class T, class From>
UPCAST_HOST_DEVICE T convert_through(From value, DType through) {
  if constexpr (std::is_same_v<T, float>) {
    if (through != DType::kUndefined) return rounded_through(exact_or_odd(value), through);
  } else if constexpr (std::is_same_v<T, Complex<float>>) {
    if (through != DType::kUndefined) {
      if constexpr (kIsComplex<From>)
        return rounded_through(Complex<double>{exact_or_odd(value.re), exact_or_odd(value.im)},
                               through);
      else
        return rounded_through(Complex<double>{exact_or_odd(value), 0.0}, through);
    }
  }
  return convert<T>(value);
}

/// The dtypes that are stored in Words words.
template <class Row, int Words>
inline constexpr bool kFits = sizeof(typename Row::type) <= 8 * Words;

}  // namespace internal

/// Reads a group of elements. Addresses: of each, or in a vector of the first.
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

/// Writes the elements that are there. A second word that there is no room for in Words is 0: the
/// imaginary part of a real number.
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
        auto* const words = reinterpret_cast<std::uint64_t*>(
            group.vector ? addresses[0] + 16 * i : addresses[i]);
        words[0] = raw.words[i][0];
        words[1] = Words > 1 ? raw.words[i][Words - 1] : 0;
      }
  }
}

/// Elements of a dtype as values of the compute type, rounded to `through` on the way.
template <class T>
UPCAST_DEVICE_NOINLINE UPCAST_HOST_DEVICE GroupValues<T> values_of(RawGroup<kWordsOf<T>> raw, DType from,
                                                      DType through) {
  GroupValues<T> group{};
  internal::with_element(AllElements{}, from, [&](auto row) {
    if constexpr (internal::kFits<decltype(row), kWordsOf<T>>)
      for (std::uint32_t i = 0; i < kGroup; ++i)
        group.values[i] = internal::convert_through<T>(
            internal::element_of<typename decltype(row)::type, kWordsOf<T>>(raw.words[i]),
            through);
  });
  return group;
}

/// Results as elements of a dtype, rounded to `through` on the way.
template <class R>
UPCAST_DEVICE_NOINLINE UPCAST_HOST_DEVICE RawGroup<kWordsOf<R>> elements_of(GroupValues<R> group, DType to,
                                                                     DType through) {
  RawGroup<kWordsOf<R>> raw;
  internal::with_element(AllElements{}, to, [&](auto row) {
    if constexpr (internal::kFits<decltype(row), kWordsOf<R>>)
      for (std::uint32_t i = 0; i < kGroup; ++i)
        raw.words[i] = internal::words_of<typename decltype(row)::type, kWordsOf<R>>(
            convert<typename decltype(row)::type>(
                internal::convert_through<R>(group.values[i], through)));
  });
  return raw;
}

}  // namespace upcast
