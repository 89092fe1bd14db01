#include "fuzz/chain_codec.h"

#include <algorithm>

#include "fuzz/codec.h"

namespace upcast::fuzz {
namespace {

constexpr std::size_t kLengthMask = 0x3f;
constexpr int kTakesShift = 6;

}  // namespace

Chain decode_chain(std::span<const std::uint8_t> bytes) {
  Chain calls;
  do {
    const std::uint8_t head = bytes.empty() ? 0 : bytes[0];
    bytes = bytes.subspan(std::min<std::size_t>(1, bytes.size()));
    const std::size_t length = std::min(bytes.size(), head & kLengthMask);
    ChainCall& call = calls.emplace_back();
    decode_case(bytes.first(length), call.c);
    call.takes = calls.size() == 1 ? 0 : head >> kTakesShift;
    bytes = bytes.subspan(length);
  } while (!bytes.empty() && calls.size() < kMaxCalls);
  return calls;
}

std::vector<std::uint8_t> encode_chain(const Chain& calls) {
  std::vector<std::uint8_t> bytes;
  std::size_t held = 0;
  for (const ChainCall& call : calls) {
    const auto one = encode_case(call.c);
    if (!one || one->size() > kLengthMask || held == kMaxCalls) continue;
    ++held;
    bytes.push_back(static_cast<std::uint8_t>(one->size() | static_cast<std::size_t>(call.takes)
                                                                << kTakesShift));
    bytes.insert(bytes.end(), one->begin(), one->end());
  }
  return bytes;
}

}  // namespace upcast::fuzz
