#include "cases/chain.h"

#include <fmt/format.h>

#include "cases/notation.h"
#include "cases/operands.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

constexpr std::string_view kTakes = "[takes ";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

ChainCall parse_call(std::string_view text, bool is_first) {
  ChainCall call;
  if (text.starts_with(kTakes)) {
    const std::size_t end = text.find(']');
    const std::string_view number =
        end == text.npos ? "" : text.substr(kTakes.size(), end - kTakes.size());
    if (number.size() != 1 || number[0] < '1' || number[0] > '3')
      throw UsageError("write [takes 1], [takes 2] or [takes 3]");
    if (is_first) throw UsageError("the first call has no call before it to take results from");
    call.takes = number[0] - '0';
    text = trimmed(text.substr(end + 1));
  }
  call.c = parse_case(text);
  if (call.takes != 0 && taken_position(call) == kOutPosition)
    throw UsageError(fmt::format("{} has no tensor operand {}", call.c.callable(), call.takes));
  return call;
}

}  // namespace

int taken_position(const ChainCall& call) {
  if (call.takes == 0) return kOutPosition;
  const std::vector<int> positions = tensor_positions(call.c.schema());
  const auto at = static_cast<std::size_t>(call.takes - 1);
  if (at >= positions.size()) return kOutPosition;
  const bool is_tensor = call.c.arguments[positions[at]].tag == Operand::Tag::kTensor;
  return is_tensor ? positions[at] : kOutPosition;
}

std::string print_chain(const Chain& chain) {
  std::string text;
  for (const ChainCall& call : chain) {
    if (!text.empty()) text += "; ";
    if (call.takes != 0) text += fmt::format("{}{}] ", kTakes, call.takes);
    text += print_case(call.c);
  }
  return text;
}

Chain parse_chain(std::string_view text) {
  Chain chain;
  while (true) {
    const std::size_t end = text.find(';');
    try {
      chain.push_back(parse_call(trimmed(text.substr(0, end)), chain.empty()));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("call {}: {}", chain.size() + 1, error.what()));
    }
    if (end == text.npos) return chain;
    if (chain.size() == kMaxCalls)
      throw UsageError(fmt::format("a chain has at most {} calls", kMaxCalls));
    text.remove_prefix(end + 1);
  }
}

}  // namespace upcast
