#include <bit>

#include "impl/core/element.h"
#include "impl/cuda/element_registers.h"

namespace upcast {
namespace internal {

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

/// Calls f(row) for the row of `dtype`, if the list has one.
template <class... Rows, class F>
UPCAST_HOST_DEVICE void with_element(ElementRows<Rows...>, DType dtype, F&& f) {
  static_cast<void>(((Rows::dtype == dtype && (f(Rows{}), true)) || ...));
}

/// The type from which a value is rounded to a reduced dtype. It is float64 for floating values, so
/// that an int64 or float64 element is rounded only once.
template <class T>
struct WideOf {
  using type = T;  // all other types: the type itself
};
template <>
struct WideOf<float> {
  using type = double;
};
template <>
struct WideOf<Complex<float>> {
  using type = Complex<double>;
};
template <class T>
using Wide = typename WideOf<T>::type;

template <class W, class From>
UPCAST_HOST_DEVICE W widened(From value) {
  if constexpr (kIsComplex<W> && kIsComplex<From>)
    return {widened<double>(value.re), widened<double>(value.im)};
  else if constexpr (kIsComplex<W>)
    return {widened<double>(value), 0.0};
  else if constexpr (std::is_same_v<W, double> && std::is_integral_v<From> && sizeof(From) == 8)
    return integer_to_odd_double(value);
  else
    return convert<W>(value);
}

/// The value, rounded to the dtype Reduced and returned in the compute type T.
template <class Reduced, class T>
UPCAST_HOST_DEVICE T rounded_through(Wide<T> value) {
  if constexpr (kIsComplex<T>)
    return {rounded_through<Reduced, float>(value.re), rounded_through<Reduced, float>(value.im)};
  else
    return static_cast<T>(convert<Reduced>(value));
}

template <class... A, class... B>
ElementRows<A..., B...> joined(ElementRows<A...>, ElementRows<B...>);

template <class... Rows>
struct Joined {
  using type = ElementRows<>;
};
template <class First, class... Rest>
struct Joined<First, Rest...> {
  using type = decltype(joined(First{}, typename Joined<Rest...>::type{}));
};

/// A list of types for reduced dtypes, whose compute dtype is wider. For a reduced dtype it holds
/// the type of its parts; for other dtypes it is empty.
template <class Row>
using ReducedRow =
    std::conditional_t<compute_dtype(Row::dtype) == Row::dtype, ElementRows<>,
                       ElementRows<ElementRow<RealOf<typename Row::type>, Row::dtype>>>;

template <class... Rows>
typename Joined<ReducedRow<Rows>...>::type reduced(ElementRows<Rows...>);
using ReducedElements = decltype(reduced(AllElements{}));

template <class T>
UPCAST_HOST_DEVICE GroupValues<T> rounded_group(const GroupValues<Wide<T>>& wide, DType through) {
  GroupValues<T> group{};
  with_element(ReducedElements{}, through, [&](auto row) {
    for (std::uint32_t i = 0; i < kGroup; ++i)
      group.values[i] = rounded_through<typename decltype(row)::type, T>(wide.values[i]);
  });
  return group;
}

/// Whether an element of a dtype fits into Words words of 64 bits.
template <class Row, int Words>
inline constexpr bool kFits = sizeof(typename Row::type) <= 8 * Words;

}  // namespace internal

namespace internal {

template <class T, int Words, class F>
UPCAST_HOST_DEVICE GroupValues<T> converted(const RawGroup<Words>& raw, DType from, F&& f) {
  GroupValues<T> group{};
  with_element(AllElements{}, from, [&](auto row) {
    if constexpr (kFits<decltype(row), Words>)
      for (std::uint32_t i = 0; i < kGroup; ++i)
        group.values[i] = f(element_of<typename decltype(row)::type, Words>(raw.words[i]));
  });
  return group;
}

}  // namespace internal

template <class T>
UPCAST_DEVICE_NOINLINE UPCAST_HOST_DEVICE GroupValues<T> values_of(RawGroup<kWordsOf<T>> raw,
                                                                   DType from, DType through) {
  if constexpr (!std::is_same_v<internal::Wide<T>, T>)
    if (through != DType::kUndefined)
      return internal::rounded_group<T>(
          internal::converted<internal::Wide<T>>(
              raw, from, [](auto value) { return internal::widened<internal::Wide<T>>(value); }),
          through);
  return internal::converted<T>(raw, from, [](auto value) { return convert<T>(value); });
}

template <class R>
UPCAST_DEVICE_NOINLINE UPCAST_HOST_DEVICE RawGroup<kWordsOf<R>> elements_of(GroupValues<R> group,
                                                                            DType to,
                                                                            DType through) {
  if constexpr (!std::is_same_v<internal::Wide<R>, R>) {
    if (through != DType::kUndefined) {
      GroupValues<internal::Wide<R>> wide;
      for (std::uint32_t i = 0; i < kGroup; ++i)
        wide.values[i] = internal::widened<internal::Wide<R>>(group.values[i]);
      group = internal::rounded_group<R>(wide, through);
    }
  }
  RawGroup<kWordsOf<R>> raw;
  internal::with_element(AllElements{}, to, [&](auto row) {
    if constexpr (internal::kFits<decltype(row), kWordsOf<R>>)
      for (std::uint32_t i = 0; i < kGroup; ++i)
        raw.words[i] = internal::words_of<typename decltype(row)::type, kWordsOf<R>>(
            convert<typename decltype(row)::type>(group.values[i]));
  });
  return raw;
}

// The conversions are instantiated for every compute type.
template GroupValues<bool> values_of(RawGroup<1>, DType, DType);
template RawGroup<1> elements_of(GroupValues<bool>, DType, DType);
template GroupValues<std::uint8_t> values_of(RawGroup<1>, DType, DType);
template RawGroup<1> elements_of(GroupValues<std::uint8_t>, DType, DType);
template GroupValues<std::int8_t> values_of(RawGroup<1>, DType, DType);
template RawGroup<1> elements_of(GroupValues<std::int8_t>, DType, DType);
template GroupValues<std::int16_t> values_of(RawGroup<1>, DType, DType);
template RawGroup<1> elements_of(GroupValues<std::int16_t>, DType, DType);
template GroupValues<std::int32_t> values_of(RawGroup<1>, DType, DType);
template RawGroup<1> elements_of(GroupValues<std::int32_t>, DType, DType);
template GroupValues<std::int64_t> values_of(RawGroup<1>, DType, DType);
template RawGroup<1> elements_of(GroupValues<std::int64_t>, DType, DType);
template GroupValues<std::uint16_t> values_of(RawGroup<1>, DType, DType);
template RawGroup<1> elements_of(GroupValues<std::uint16_t>, DType, DType);
template GroupValues<std::uint32_t> values_of(RawGroup<1>, DType, DType);
template RawGroup<1> elements_of(GroupValues<std::uint32_t>, DType, DType);
template GroupValues<std::uint64_t> values_of(RawGroup<1>, DType, DType);
template RawGroup<1> elements_of(GroupValues<std::uint64_t>, DType, DType);
template GroupValues<float> values_of(RawGroup<1>, DType, DType);
template RawGroup<1> elements_of(GroupValues<float>, DType, DType);
template GroupValues<double> values_of(RawGroup<1>, DType, DType);
template RawGroup<1> elements_of(GroupValues<double>, DType, DType);
template GroupValues<Complex<float>> values_of(RawGroup<2>, DType, DType);
template RawGroup<2> elements_of(GroupValues<Complex<float>>, DType, DType);
template GroupValues<Complex<double>> values_of(RawGroup<2>, DType, DType);
template RawGroup<2> elements_of(GroupValues<Complex<double>>, DType, DType);

}  // namespace upcast
