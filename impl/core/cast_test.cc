// Tests that the cast loops of every capability give the same bits.
#include "impl/core/cast.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "impl/core/packed_float.h"

namespace upcast {
namespace {

template <class To>
std::vector<To> cast(DType from, const std::vector<std::byte>& bytes, DType to,
                     Capability capability) {
  const std::int64_t n = static_cast<std::int64_t>(bytes.size()) / itemsize(from);
  std::vector<To> result(n);
  cast_loop(from, to, capability)(bytes.data(), {.column = itemsize(from)},
                                  reinterpret_cast<std::byte*>(result.data()),
                                  {.column = itemsize(to)}, {.columns = n});
  return result;
}

/// The capabilities that this machine can run.
std::vector<Capability> capabilities() {
  std::vector<Capability> known;
  for (int i = 0; i <= static_cast<int>(best_capability()); ++i)
    known.push_back(static_cast<Capability>(i));
  return known;
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(CastLoop, EveryHalfIsTheSameFloatForEveryCapability) {
  std::vector<std::uint16_t> codes;
  for (std::uint32_t code = 0; code < 0x10000; ++code)
    codes.push_back(static_cast<std::uint16_t>(code));
  codes.push_back(0x3c00);  // a tail
  for (const Capability capability : capabilities()) {
    const auto found = cast<float>(DType::kFloat16, bytes_of(codes), DType::kFloat32, capability);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const float right = static_cast<float>(Half::from_bits(codes[i]));
      if (std::isnan(right)) {
        ASSERT_TRUE(std::isnan(found[i])) << codes[i];
        ASSERT_EQ(std::signbit(found[i]), std::signbit(right)) << codes[i];
      } else {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(found[i]), std::bit_cast<std::uint32_t>(right))
            << codes[i];
      }
    }
  }
}

TEST(CastLoop, FloatsRoundToTheSameHalfForEveryCapability) {
  std::vector<float> values;
  for (std::uint64_t bits = 0; bits <= 0xffffffffU; bits += 4099)
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  for (const float value : {65519.F, 65520.F, 0x1p-24F, 0x1p-25F, 0x1.8p-25F, NAN, -NAN, INFINITY})
    values.push_back(value);
  for (const Capability capability : capabilities()) {
    const auto found =
        cast<std::uint16_t>(DType::kFloat32, bytes_of(values), DType::kFloat16, capability);
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(found[i], Half(static_cast<double>(values[i])).bits) << values[i];
  }
}

/// Integers near the ties of float16, its largest number, and the ends of T.
template <class T>
std::vector<T> integers_of_every_size() {
  std::vector<T> integers;
  for (int power = 0; power < 8 * static_cast<int>(sizeof(T)); ++power)
    for (std::uint64_t fraction = 0; fraction < 4096; fraction += 31) {
      const std::uint64_t near = (std::uint64_t{4096 + fraction} << power) >> 12;
      for (const std::uint64_t value : {near, near + 1, near - 1, 0 - near})
        integers.push_back(static_cast<T>(value));
    }
  for (const std::uint64_t value : {65504U, 65519U, 65520U, 65536U})
    integers.push_back(static_cast<T>(value));
  integers.push_back(std::numeric_limits<T>::min());
  integers.push_back(std::numeric_limits<T>::max());
  return integers;
}

TEST(CastLoop, IntegersRoundOnceToHalfForEveryCapabilityAndStride) {
  const auto expect_right = [](DType dtype, auto zero) {
    using T = decltype(zero);
    const std::vector<T> integers = integers_of_every_size<T>();
    for (const Capability capability : capabilities())
      for (const int step : {1, 2}) {
        const auto n = static_cast<std::int64_t>(integers.size()) / step;
        std::vector<std::uint16_t> found(n);
        cast_loop(dtype, DType::kFloat16, capability)(
            reinterpret_cast<const std::byte*>(integers.data()),
            {.column = step * static_cast<int>(sizeof(T))},
            reinterpret_cast<std::byte*>(found.data()), {.column = 2}, {.columns = n});
        for (std::int64_t i = 0; i < n; ++i)
          ASSERT_EQ(found[i], Half(static_cast<double>(integers[i * step])).bits)
              << name(dtype) << ' ' << name(capability) << ' ' << +integers[i * step];
      }
  };
  expect_right(DType::kInt8, std::int8_t{});
  expect_right(DType::kUInt8, std::uint8_t{});
  expect_right(DType::kInt16, std::int16_t{});
  expect_right(DType::kUInt16, std::uint16_t{});
  expect_right(DType::kInt32, std::int32_t{});
  expect_right(DType::kUInt32, std::uint32_t{});
  expect_right(DType::kInt64, std::int64_t{});
  expect_right(DType::kUInt64, std::uint64_t{});
}

/// Integers next to the middles between two numbers of 24 and of 53 bits, and of every size.
template <class T>
std::vector<T> integers_near_middles() {
  std::vector<T> integers = integers_of_every_size<T>();
  for (const int digits : {24, 53})
    for (int shift = 0; shift <= 64 - (digits + 1); ++shift)
      for (std::uint64_t last = 0; last < 64; ++last) {
        const std::uint64_t top = (std::uint64_t{1} << (digits - 1)) + last * 0x55555;
        const std::uint64_t middle = (top << 1 | 1) << shift;
        for (const std::uint64_t value : {middle - 1, middle, middle + 1, 0 - middle})
          integers.push_back(static_cast<T>(value));
      }
  return integers;
}

template <class From, class To>
void expect_right_floats(DType from, DType to) {
  const std::vector<From> integers = integers_near_middles<From>();
  for (const Capability capability : capabilities()) {
    const auto found = cast<To>(from, bytes_of(integers), to, capability);
    for (std::size_t i = 0; i < integers.size(); ++i)
      ASSERT_EQ(found[i], static_cast<To>(integers[i]))
          << name(to) << ' ' << name(capability) << ' ' << integers[i];
  }
}

TEST(CastLoop, WideIntegersRoundOnceToFloatsForEveryCapability) {
  expect_right_floats<std::int64_t, float>(DType::kInt64, DType::kFloat32);
  expect_right_floats<std::int64_t, double>(DType::kInt64, DType::kFloat64);
  expect_right_floats<std::uint64_t, float>(DType::kUInt64, DType::kFloat32);
  expect_right_floats<std::uint64_t, double>(DType::kUInt64, DType::kFloat64);
}

// Longer vectors are slower from memory (only_widens() in cast.cc). No value tells which loop ran.
TEST(CastLoop, CastsThatOnlyWidenHaveTheLoopOfV3OnV4) {
  const auto has_one_loop = [](DType from, DType to) {
    return cast_loop(from, to, Capability::kV4) == cast_loop(from, to, Capability::kV3);
  };
  EXPECT_TRUE(has_one_loop(DType::kUInt8, DType::kInt64));
  EXPECT_TRUE(has_one_loop(DType::kInt32, DType::kFloat32));
  EXPECT_TRUE(has_one_loop(DType::kBFloat16, DType::kFloat32));
  EXPECT_TRUE(has_one_loop(DType::kFloat32, DType::kFloat64));
#if defined(__x86_64__)
  EXPECT_FALSE(has_one_loop(DType::kFloat64, DType::kFloat32));  // narrows
  EXPECT_FALSE(has_one_loop(DType::kInt64, DType::kFloat64));    // only AVX-512 has an instruction
  EXPECT_FALSE(has_one_loop(DType::kFloat16, DType::kFloat32));  // has a loop of its own
#endif
}

TEST(FillLoop, WritesTheFirstElementOverTheOthersAndNothingElse) {
  for (const Capability capability : capabilities())
    for (const std::size_t size : {1, 2, 4, 8, 16})
      for (const std::size_t n : {1, 2, 3, 31, 32, 33, 100}) {
        std::vector<std::byte> bytes((n + 1) * size), expected;
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i + 1);
        for (std::size_t i = 0; i < n; ++i)
          expected.insert(expected.end(), bytes.begin(), bytes.begin() + size);
        expected.insert(expected.end(), bytes.end() - size, bytes.end());
        fill_loop(static_cast<int>(size), capability)(bytes.data(), static_cast<std::int64_t>(n));
        ASSERT_EQ(bytes, expected) << name(capability) << ", " << n << " of " << size;
      }
}

}  // namespace
}  // namespace upcast
