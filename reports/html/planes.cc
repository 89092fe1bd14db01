#include "reports/html/planes.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>

#include "impl/core/error.h"

namespace upcast::reports {

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int result =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_BEST_COMPRESSION);
  check(result == Z_OK, "the buffer has zlib's own bound");
  out.resize(size);
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t left = std::min<size_t>(3, bytes.size() - at);
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < left ? static_cast<uint8_t>(bytes[at + i]) : 0u);
    }
    for (size_t i = 0; i < 4; ++i) {
      text += i <= left ? kAlphabet[group >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

int PlanePool::add(std::string_view bytes) {
  if (std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte == 0; })) return -1;
  const auto [entry, is_new] =
      numbers_.try_emplace(base64(deflated(bytes)), static_cast<int>(planes_.size()));
  if (is_new) planes_.push_back(entry->first);
  return entry->second;
}

}  // namespace upcast::reports
