// libFuzzer's hooks for targets whose input is one case: mutation and crossover of the decoded
// case. A tenth of the inputs is mutated as bytes instead, which tests the decoder.
#include <algorithm>

#include "cases/notation.h"
#include "fuzz/codec.h"
#include "fuzz/mutate.h"
#include "fuzz/seeds.h"
#include "fuzz/targets/target.h"

extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                              std::size_t max_size);

namespace upcast::fuzz {

using Bytes = std::vector<std::uint8_t>;
constexpr int kBytePercent = 10;

Bytes input_of(std::string_view line) { return encode_case(parse_case(line)).value_or(Bytes()); }

std::string text_of_input(const Bytes& input) { return print_case(decode_case(input)); }

}  // namespace upcast::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  using namespace upcast::fuzz;
  upcast::Random random(seed);
  if (LLVMFuzzerMutate != nullptr && random.chance(kBytePercent))
    return LLVMFuzzerMutate(data, size, std::min(max_size, kMaxCaseBytes));
  return store(mutated_bytes(random, decode_case({data, size})).value_or(Bytes()), data, max_size,
               size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                                 const std::uint8_t* b, std::size_t b_size,
                                                 std::uint8_t* out, std::size_t max_size,
                                                 unsigned int seed) {
  using namespace upcast::fuzz;
  upcast::Random random(seed);
  const upcast::Case c = cross(random, decode_case({a, a_size}), decode_case({b, b_size}));
  return store(encode_case(c).value_or(Bytes()), out, max_size, 0);
}
