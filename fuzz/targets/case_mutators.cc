// libFuzzer's hooks of the targets whose input is one case: mutation and crossover of the decoded
// case. A tenth of the inputs is changed as bytes, which keeps the decoder honest.
#include <algorithm>
#include <cstring>

#include "cases/notation.h"
#include "fuzz/codec.h"
#include "fuzz/mutate.h"
#include "fuzz/out_of_scope.h"
#include "fuzz/random_case.h"
#include "fuzz/seeds.h"
#include "impl/cpu/cpu_engine.h"
#include "oracle/impl_subject.h"

extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                              std::size_t max_size);

namespace upcast::fuzz {
namespace {

constexpr int kBytePercent = 10;
constexpr int kFreshPercent = 3;
constexpr int kTries = 6;
/// Of the cases that our side would refuse, so many are left out: refusals cost LibTorch an
/// exception each, and say less than answers.
constexpr int kRefusedPercent = 85;

bool is_refused(const Case& c) {
  static ImplSubject meta(std::make_unique<CpuEngine>(), {}, Device::kMeta);
  static Answer answer;
  if (!why_not_asked(c).empty()) return true;
  meta.answer(c, answer);
  return answer.tag == Answer::Tag::kRefusal;
}

std::size_t store(const Case& c, std::uint8_t* data, std::size_t max_size) {
  const auto bytes = encode_case(c);
  if (!bytes || bytes->empty() || bytes->size() > max_size) return 0;
  std::memcpy(data, bytes->data(), bytes->size());
  return bytes->size();
}

}  // namespace

std::vector<std::uint8_t> input_of(std::string_view line) {
  return encode_case(parse_case(line)).value_or(std::vector<std::uint8_t>());
}

std::string text_of_input(const std::vector<std::uint8_t>& input) {
  return print_case(decode_case(input));
}

}  // namespace upcast::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  using namespace upcast::fuzz;
  Random random(seed);
  if (LLVMFuzzerMutate != nullptr && random.percent(kBytePercent))
    return LLVMFuzzerMutate(data, size, std::min(max_size, kMaxCaseBytes));
  const upcast::Case before = decode_case({data, size});
  for (int i = 0; i < kTries; ++i) {
    upcast::Case c = random.percent(kFreshPercent) ? random_case(random) : before;
    mutate(random, c);
    if (i + 1 < kTries && is_refused(c) && random.percent(kRefusedPercent)) continue;
    if (const std::size_t stored = store(c, data, max_size)) return stored;
  }
  return size;
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                                 const std::uint8_t* b, std::size_t b_size,
                                                 std::uint8_t* out, std::size_t max_size,
                                                 unsigned int seed) {
  using namespace upcast::fuzz;
  Random random(seed);
  return store(cross(random, decode_case({a, a_size}), decode_case({b, b_size})), out, max_size);
}
