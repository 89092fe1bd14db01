#include "reports/xxh64.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace upcast::reports {
namespace {

constexpr uint64_t kPrime3 = 0x165667b19e3779f9;
constexpr uint64_t kPrime4 = 0x85ebca77c2b2ae63;
constexpr uint64_t kPrime5 = 0x27d4eb2f165667c5;

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie");

template <class Number>
Number read(const char* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

}  // namespace

void Xxh64::stripe(const char* bytes) {
  for (size_t i = 0; i < lanes_.size(); ++i)
    lanes_[i] = std::rotl(lanes_[i] + read<uint64_t>(bytes + 8 * i) * kPrime2, 31) * kPrime1;
}

void Xxh64::update(std::string_view bytes) {
  total_ += bytes.size();
  if (pending_size_ > 0) {
    const size_t take = std::min(bytes.size(), kStripe - pending_size_);
    std::memcpy(pending_.data() + pending_size_, bytes.data(), take);
    pending_size_ += take;
    bytes.remove_prefix(take);
    if (pending_size_ < kStripe) return;
    stripe(pending_.data());
    pending_size_ = 0;
  }
  for (; bytes.size() >= kStripe; bytes.remove_prefix(kStripe)) stripe(bytes.data());
  if (!bytes.empty()) std::memcpy(pending_.data(), bytes.data(), bytes.size());
  pending_size_ = bytes.size();
}

void Xxh64::update(int64_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  update(std::string_view(bytes, sizeof number));
}

uint64_t Xxh64::digest() const {
  uint64_t hash = kPrime5;
  if (total_ >= kStripe) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
           std::rotl(lanes_[3], 18);
    for (const uint64_t lane : lanes_)
      hash = (hash ^ std::rotl(lane * kPrime2, 31) * kPrime1) * kPrime1 + kPrime4;
  }
  hash += total_;
  const char* at = pending_.data();
  const char* const end = at + pending_size_;
  for (; end - at >= 8; at += 8)
    hash = std::rotl(hash ^ std::rotl(read<uint64_t>(at) * kPrime2, 31) * kPrime1, 27) * kPrime1 +
           kPrime4;
  for (; end - at >= 4; at += 4)
    hash = std::rotl(hash ^ read<uint32_t>(at) * kPrime1, 23) * kPrime2 + kPrime3;
  for (; at < end; ++at) hash = std::rotl(hash ^ static_cast<uint8_t>(*at) * kPrime5, 11) * kPrime1;
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

}  // namespace upcast::reports
