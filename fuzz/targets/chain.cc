// Up to four calls, each of which may take the result of the one before it: values that no class
// makes, and the layouts that results have. Each call is judged as a case of its own, and what it
// left in the storages of its operands is compared too.
#include "cases/notation.h"
#include "cases/operands.h"
#include "fuzz/chain_codec.h"
#include "fuzz/mutate.h"
#include "fuzz/out_of_scope.h"
#include "fuzz/random_case.h"
#include "fuzz/seeds.h"
#include "fuzz/targets/side_pair.h"
#include "fuzz/targets/target.h"

namespace upcast::fuzz {
namespace {

constexpr std::size_t kMaxResultElements = 512;

/// The result of the call before takes the place of a tensor operand.
void take(const Answer& result, int nth, Case& c) {
  if (result.tag != Answer::Tag::kTensor || !kElementwise.contains(result.dtype)) return;
  if (numel(result.sizes) > static_cast<std::int64_t>(kMaxResultElements)) return;
  for (int position : tensor_positions(c.schema())) {
    if (--nth != 0 || c.arguments[position].tag != Operand::Tag::kTensor) continue;
    Operand& operand = c.arguments[position];
    operand = tensor(result.dtype, result.sizes);
    operand.values = result.bytes;
    if (result.strides != contiguous_strides(result.sizes)) operand.strides = result.strides;
    for (int i = kOutPosition; i < static_cast<int>(c.arguments.size()); ++i)
      if (c.operand(i).shares == position) c.operand(i).shares = kOwnStorage;
  }
}

void run_chain(SidePair& target, const std::vector<ChainCall>& calls) {
  const Answer* before = nullptr;
  for (const ChainCall& call : calls) {
    Case c = call.c;
    if (before != nullptr && call.takes != 0) take(*before, call.takes, c);
    target.sides.examine(c);
    target.sides.compare_storages(c);
    before = &target.sides.subject_reply().answer;
  }
}

}  // namespace

/// The call itself, and a second time on its own result.
std::vector<std::uint8_t> input_of(std::string_view line) {
  const Case c = parse_case(line);
  return encode_chain({{c, 0}, {c, 1}});
}

std::string text_of_input(const std::vector<std::uint8_t>& input) {
  std::string text;
  for (const ChainCall& call : decode_chain(input)) {
    if (!text.empty()) text += "; ";
    if (call.takes != 0) text += "[takes " + std::to_string(call.takes) + "] ";
    text += print_case(call.c);
  }
  return text;
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
  std::vector<ChainCall> calls = decode_chain({data, size});
  const std::size_t at = random.below(calls.size());
  if (random.chance(20) && calls.size() < kMaxCalls)
    calls.push_back({random_case(random), random.below(4)});
  else if (random.chance(15) && calls.size() > 1)
    calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(at));
  else if (random.chance(20))
    calls[at].takes = at == 0 ? 0 : random.below(4);
  else
    mutate(random, calls[at].c);
  return store(encode_chain(calls), data, max_size, size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                                 const std::uint8_t* b, std::size_t b_size,
                                                 std::uint8_t* out, std::size_t max_size,
                                                 unsigned int seed) {
  using namespace upcast::fuzz;
  upcast::Random random(seed);
  std::vector<ChainCall> calls = decode_chain({a, a_size});
  const std::vector<ChainCall> others = decode_chain({b, b_size});
  calls[random.below(calls.size())] = others[random.below(others.size())];
  return store(encode_chain(calls), out, max_size, 0);
}
