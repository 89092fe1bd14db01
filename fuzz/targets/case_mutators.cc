// libFuzzer's hooks of the targets whose input is one case: mutation and crossover of the decoded
// case. A tenth of the inputs is changed as bytes, which keeps the decoder honest.
#include <algorithm>
#include <cstring>

#include "cases/notation.h"
#include "fuzz/codec.h"
#include "fuzz/mutate.h"
#include "fuzz/seeds.h"

extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                              std::size_t max_size);

namespace upcast::fuzz {
namespace {

constexpr int kBytePercent = 10;

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
  upcast::Random random(seed);
  if (LLVMFuzzerMutate != nullptr && random.chance(kBytePercent))
    return LLVMFuzzerMutate(data, size, std::min(max_size, kMaxCaseBytes));
  const auto bytes = mutated_bytes(random, decode_case({data, size}));
  if (!bytes || bytes->empty() || bytes->size() > max_size) return size;
  std::memcpy(data, bytes->data(), bytes->size());
  return bytes->size();
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                                 const std::uint8_t* b, std::size_t b_size,
                                                 std::uint8_t* out, std::size_t max_size,
                                                 unsigned int seed) {
  using namespace upcast::fuzz;
  upcast::Random random(seed);
  return store(cross(random, decode_case({a, a_size}), decode_case({b, b_size})), out, max_size);
}
