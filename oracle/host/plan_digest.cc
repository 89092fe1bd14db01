#include "oracle/host/plan_digest.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "cases/notation.h"
#include "cases/values.h"

namespace upcast {
namespace {

class Fnv1a {
 public:
  void feed(std::string_view text) {
    for (const char byte : text) feed_byte(static_cast<std::uint8_t>(byte));
    feed_byte(0);  // ends each text, so that ("ab", "c") and ("a", "bc") have different digests
  }
  void feed(std::int64_t number) { feed(std::to_string(number)); }

  std::string hex() const {
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx",
                  static_cast<unsigned long long>(state_ >> 64),
                  static_cast<unsigned long long>(state_));
    return text;
  }

 private:
  __extension__ using Word = unsigned __int128;

  void feed_byte(std::uint8_t byte) { state_ = (state_ ^ byte) * kPrime; }

  static constexpr Word kPrime = (Word{1} << 88) + 0x13b;
  Word state_ = (Word{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d;
};

/// How many cases of a plan have their elements digested. They are spread over the plan, and stand
/// for all others.
constexpr std::int64_t kSampled = 64;
/// How many elements of an operand are digested at most. An operand may be larger than memory, if
/// its call is refused.
constexpr std::int64_t kLargest = 1 << 16;

}  // namespace

std::string inputs_digest(const Plan& plan) {
  Fnv1a digest;
  digest.feed(plan_digest(plan));
  Case c;
  for (std::int64_t i = 0; i < std::min(kSampled, plan.planned); ++i) {
    const std::int64_t index = i * plan.planned / std::min(kSampled, plan.planned);
    const GridRow& row = plan.row_of(index);
    c = row.prototype;
    row.decode(index - row.first, c);
    for (int position = 0; position < std::ssize(c.arguments); ++position) {
      const Operand& operand = c.arguments[position];
      if (operand.tag != Operand::Tag::kTensor || element_count(operand) > kLargest) continue;
      const std::vector<std::byte> bytes = operand_values(c, position);
      digest.feed({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
  }
  return digest.hex();
}

std::string plan_digest(const Plan& plan) {
  Fnv1a digest;
  digest.feed(plan.planned);
  for (const GridRow& row : plan.rows) {
    digest.feed(row.line_template());
    digest.feed(row.first);
    digest.feed(row.count);
    for (const auto& axis : row.axes) {
      digest.feed(std::ssize(axis));
      for (const Operand& operand : axis) digest.feed(print_operand(operand));
    }
  }
  return digest.hex();
}

}  // namespace upcast
