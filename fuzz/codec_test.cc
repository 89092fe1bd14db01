// Tests of the codec: any bytes decode, every case that fits is decoded again from its bytes, and
// the notation agrees.
#include "fuzz/codec.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "cases/grid.h"
#include "cases/notation.h"
#include "cases/operands.h"
#include "fuzz/callable_ids.h"
#include "fuzz/mutate.h"
#include "fuzz/random_case.h"
#include "oracle/impl_subject.h"

namespace upcast::fuzz {
namespace {

std::vector<std::uint8_t> random_bytes(Random& random) {
  std::vector<std::uint8_t> bytes(random.below(kMaxCaseBytes + 9));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.bits());
  return bytes;
}

/// FNV-1a.
std::uint64_t digest(std::span<const std::string_view> names) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::string_view name : names)
    for (char letter : std::string(name) + "\n")
      hash = (hash ^ static_cast<std::uint8_t>(letter)) * 0x100000001b3;
  return hash;
}

TEST(CallableIds, AreFrozen) {
  ASSERT_GE(callable_names().size(), kFrozenIds);
  EXPECT_EQ(digest(callable_names().first(kFrozenIds)), 0xa3de8190409d6933u)
      << "an id was renumbered: append to callable_ids.txt, and leave what is there";
  std::vector<std::string_view> renumbered(callable_names().begin(), callable_names().end());
  std::swap(renumbered[3], renumbered[4]);
  EXPECT_NE(digest(std::span(renumbered).first(kFrozenIds)),
            digest(callable_names().first(kFrozenIds)));
}

TEST(CallableIds, NameEveryCallable) {
  for_each_callable([](const Op& op, int overload, Form form) {
    EXPECT_TRUE(id_of(op.callable(overload, form)))
        << op.callable(overload, form) << ": append it to fuzz/callable_ids.txt";
  });
}

TEST(Codec, DecodesEveryBytes) {
  Random random(1);
  Case c, again;
  for (int i = 0; i < 1'000'000; ++i) {
    const std::vector<std::uint8_t> bytes = random_bytes(random);
    decode_case(bytes, c);
    const auto canonical = encode_case(c);
    ASSERT_TRUE(canonical) << print_case(c);
    ASSERT_LE(canonical->size(), kMaxCaseBytes);
    decode_case(*canonical, again);
    ASSERT_TRUE(c == again) << print_case(c) << "\n" << print_case(again);
    ASSERT_EQ(*encode_case(again), *canonical);
  }
}

/// If an input ends among its values, the rest of them are zeros. They take room in the canonical
/// form, which must still fit.
TEST(Codec, MakesAShortInputFitThatEndsAmongItsValues) {
  const std::vector<std::uint8_t> bytes{0x7f, 0x3c, 0x15, 0x0a, 0x7e, 0xcf, 0x8f, 0x20, 0xbd, 0x7a,
                                        0x05, 0xfb, 0x8d, 0xfb, 0x2e, 0x72, 0xf9, 0x7b, 0xc4, 0x3b,
                                        0x4c, 0x5b, 0xa8, 0xaa, 0x75, 0xb1, 0xa5, 0xe7, 0xe1, 0xc1,
                                        0xe7, 0xaa, 0x0f, 0xb8, 0x1c, 0x22, 0x82, 0x2c, 0x54, 0x1e};
  const Case c = decode_case(bytes);
  const auto canonical = encode_case(c);
  ASSERT_TRUE(canonical) << print_case(c);
  EXPECT_TRUE(decode_case(*canonical) == c);
}

TEST(Codec, NotationKnowsEveryDecodedCase) {
  Random random(2);
  Case c;
  for (int i = 0; i < 50'000; ++i) {
    decode_case(random_bytes(random), c);
    const std::string line = print_case(c);
    ASSERT_TRUE(parse_case(line) == c) << line;
  }
}

TEST(Codec, HoldsWhatTheMutatorMakes) {
  Random random(3);
  int made = 0, held = 0;
  Case c = random_case(random), other = c;
  for (int i = 0; i < 200'000; ++i) {
    if (i % 50 == 0) c = random_case(random);
    if (i % 7 == 0) c = cross(random, c, other);
    mutate(random, c);
    ++made;
    const auto bytes = encode_case(c);
    if (!bytes) {
      c = random_case(random);
      continue;
    }
    ++held;
    ASSERT_TRUE(decode_case(*bytes) == c) << print_case(c) << "\n"
                                          << print_case(decode_case(*bytes));
    other = c;
  }
  std::printf("held: %.1f %% of what the mutator makes\n", 100.0 * held / made);
  EXPECT_GE(held, made * 9 / 10);
}

TEST(Codec, HoldsTheCasesOfTheGrids) {
  for (std::string_view name : {"ops", "layouts", "promotion", "refusals"}) {
    const Plan plan = make_grid(name);
    std::int64_t asked = 0, held = 0;
    for (const GridRow& row : plan.rows) {
      Case c = row.prototype;
      row.decode(row.first % row.count, c);
      c.expectation.reset();
      ++asked;
      const auto bytes = encode_case(c);
      if (!bytes) continue;
      ++held;
      ASSERT_TRUE(decode_case(*bytes) == c) << print_case(c);
    }
    std::printf("held: %lld of %lld rows of the grid %s\n", static_cast<long long>(held),
                static_cast<long long>(asked), std::string(name).c_str());
    EXPECT_GT(held, 0);
  }
}

TEST(Codec, RefusesWhatItCannotHold) {
  for (const char* line :
       {"add.Tensor(float32[11], float32[2])", "add.Tensor(float32[2]{1,2}, 2) -> float32[2]",
        "abs(float32[2]) @device=meta", "abs(float32[9]{1,2,3,4,5,6,7,8,9})",
        "abs(float32[2]:strides(300))", "abs(float32[2], values=random, seed=65536)"})
    EXPECT_FALSE(encode_case(parse_case(line))) << line;
  EXPECT_TRUE(encode_case(parse_case("add.Tensor(float32[2]{1,2}, 2)")));
}

/// Both the mutated cases that a campaign runs and random bytes must mostly be answered by a
/// kernel.
TEST(Codec, MostCasesReachAKernel) {
  ImplSubject ours;
  Answer answer;
  const auto share = [&](auto next) {
    int reached = 0;
    constexpr int kCases = 20'000;
    for (int i = 0; i < kCases; ++i) {
      ours.answer(next(), answer);
      reached += answer.tag != Answer::Tag::kRefusal;
    }
    return 100.0 * reached / kCases;
  };
  Random random(4);
  const double fresh = share([&] { return random_case(random); });
  Case c = random_case(random);
  int step = 0;
  const double mutated = share([&]() -> const Case& {
    if (++step % 16 == 0) c = random_case(random);
    if (const auto bytes = mutated_bytes(random, c)) decode_case(*bytes, c);
    return c;
  });
  const double raw = share([&] { return decode_case(random_bytes(random)); });
  std::printf(
      "reach a kernel: %.1f %% of fresh cases, %.1f %% of mutated ones, %.1f %% of random bytes\n",
      fresh, mutated, raw);
  EXPECT_GE(fresh, 55);
  EXPECT_GE(mutated, 70);  // percent of mutated cases, as a campaign runs them
}

/// For every callable, most calls are answered if their dtypes are those that the op is asked with.
/// Most calls in other dtypes are refused.
TEST(DrawCall, IsAnsweredInTheDTypesThatAnOpIsAskedWith) {
  ImplSubject ours;
  Answer answer;
  Random random(5);
  int asked = 0, answered = 0, other_asked = 0, other_answered = 0;
  for (std::uint16_t id = 0; id < callable_names().size(); ++id) {
    const FoundOp& callable = callable_of(id);
    const auto answers = [&](DTypeSet dtypes) {
      Case c = draw_call(random, callable,
                         {.sizes = {3}, .dtypes = dtypes, .zero_dims = 20, .attributes = 60});
      draw_values(random, c, {});
      if (c.form == Form::kOut) set_random_out(random, c);
      ours.answer(c, answer);
      return answer.tag != Answer::Tag::kRefusal;
    };
    int own = 0;
    for (int i = 0; i < 50; ++i) own += answers({});
    EXPECT_GT(own, 0) << callable_names()[id];
    asked += 50;
    answered += own;
    const DTypeSet others = kElementwise - asked_dtypes(*callable.op);
    for (int i = 0; i < 20 && !others.empty(); ++i, ++other_asked)
      other_answered += answers(others);
  }
  std::printf("answered: %.1f %%, in other dtypes %.1f %%\n", 100.0 * answered / asked,
              100.0 * other_answered / other_asked);
  EXPECT_GE(answered * 100, asked * 75);
  EXPECT_LE(other_answered * 100, other_asked * 40);
}

}  // namespace
}  // namespace upcast::fuzz
