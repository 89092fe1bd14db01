// Fuzz target: up to six calls, each of which may take the result of the one before it. So operands
// get values that no value class makes, and layouts that only results have. Each call is judged as
// a case of its own. What the calls left in the storages of their operands is compared too.
#include "cases/notation.h"
#include "fuzz/chain_codec.h"
#include "fuzz/random_chain.h"
#include "fuzz/seeds.h"
#include "fuzz/targets/side_pair.h"
#include "fuzz/targets/target.h"

namespace upcast::fuzz {
namespace {

void run_chain(SidePair& target, const Chain& chain) {
  const Answer* before = nullptr;
  for (const ChainCall& call : chain) {
    const Case c = before == nullptr ? call.c : with_taken(call, *before);
    target.sides.examine(c);
    target.sides.compare_storages(c);
    before = &target.sides.subject_reply().answer;
  }
}

}  // namespace

/// The input for a case line: a chain of the call itself, and of the call again on its own result.
std::vector<std::uint8_t> input_of(std::string_view line) {
  const Case c = parse_case(line);
  return encode_chain({{c, 0}, {c, 1}});
}

std::string text_of_input(const std::vector<std::uint8_t>& input) {
  return print_chain(decode_chain(input));
}

}  // namespace upcast::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upcast::fuzz;
  static SidePair target("chain");
  run_chain(target, decode_chain({data, size}));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  using namespace upcast::fuzz;
  upcast::Random random(seed);
  upcast::Chain chain = decode_chain({data, size});
  mutate_chain(random, chain);
  return store(encode_chain(chain), data, max_size, size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                                 const std::uint8_t* b, std::size_t b_size,
                                                 std::uint8_t* out, std::size_t max_size,
                                                 unsigned int seed) {
  using namespace upcast::fuzz;
  upcast::Random random(seed);
  return store(
      encode_chain(cross_chains(random, decode_chain({a, a_size}), decode_chain({b, b_size}))), out,
      max_size, 0);
}
