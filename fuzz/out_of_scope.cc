#include "fuzz/out_of_scope.h"

#include <algorithm>
#include <optional>

#include "cases/element.h"
#include "cases/operands.h"
#include "cases/values.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

constexpr std::int64_t kMostElements = 1 << 15;

/// The elements of storage that a tensor's elements lie in, in logical order.
std::vector<std::int64_t> addresses(const Operand& operand) {
  const Dims strides =
      operand.strides.empty() ? contiguous_strides(operand.sizes) : operand.strides;
  std::vector<std::int64_t> found{operand.offset};
  for (std::size_t d = 0; d < operand.sizes.size(); ++d) {
    std::vector<std::int64_t> wider;
    wider.reserve(found.size() * static_cast<std::size_t>(operand.sizes[d]));
    for (const std::int64_t at : found)
      for (std::int64_t i = 0; i < operand.sizes[d]; ++i) wider.push_back(at + i * strides[d]);
    found = std::move(wider);
  }
  return found;
}

int owner_of(const Case& c, int position) {
  const Operand& operand = c.operand(position);
  return operand.shares == kOwnStorage ? position : operand.shares;
}

bool repeats(std::vector<std::int64_t> sorted) {
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

bool intersect(std::vector<std::int64_t> a, std::vector<std::int64_t> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<std::int64_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return !both.empty();
}

/// copy, whose functional form takes its shape and strides from the operand that it overwrites.
bool copies(const Case& c) { return !c.op->spec->written.empty(); }

/// Whether a side would step through an argument, one by one, beyond the bounds of the op's row
/// (LoopBound): degrees of polynomials, zeta and polygamma far below 0 (known difference
/// zeta-steps-to-negative-q), the dimensions of mvlgamma.
bool is_endless(const Case& c) {
  const LoopBound& loop = c.op->spec->loop;
  int position = c.schema().find(loop.parameter);
  if (position < 0) return false;
  if (c.arguments[position].shares != kOwnStorage) position = c.arguments[position].shares;
  const Operand& operand = c.arguments[position];
  const DType dtype = operand.tag == Tag::kNumber ? operand.number.dtype() : operand.dtype;
  const std::vector<std::byte> elements = operand_values(c, position);  // of others none
  for (std::size_t at = 0; at < elements.size(); at += static_cast<std::size_t>(itemsize(dtype))) {
    const double value = value_of(dtype, elements.data() + at).re;
    if (value < loop.least || value > loop.most) return true;
  }
  return false;
}

}  // namespace

bool is_written(const Case& c, int position) {
  if (position < 0) return c.form == Form::kOut;
  return c.form == Form::kInPlace && position == written_position(c);
}

std::string_view why_not_asked(const Case& c) {
  const int reduction = c.schema().find("reduction");
  if (reduction >= 0 &&
      !(c.arguments[reduction].tag == Tag::kNumber && c.arguments[reduction].number == Number(0)))
    return "a loss that is reduced is not elementwise";
  if (copies(c) && c.arguments[0].tag == Tag::kUndefined) return "LibTorch reads through null";
  if (const auto shape = broadcast_shape(c); shape && numel(*shape) > kMostElements)
    return "at some microseconds an element it would look like a hang";
  return is_endless(c) ? "a side would step through an argument" : "";
}

bool order_of_writes_decides(const Case& c) {
  if (copies(c) && c.form == Form::kFunctional && c.arguments[0].tag == Tag::kTensor &&
      repeats(addresses(c.arguments[0])))
    return true;
  const int count = static_cast<int>(c.arguments.size());
  for (int written : {kSecondOutPosition, kOutPosition, 0, 1, 2}) {
    if (written >= count || !is_written(c, written)) continue;
    const Operand& target = c.operand(written);
    if (target.tag != Tag::kTensor) continue;
    // an out= that is resized lies over what it shares in another way than it says
    if (written < 0 && target.shares != kOwnStorage &&
        broadcast_shape(c).value_or(target.sizes) != target.sizes)
      return true;
    const std::vector<std::int64_t> mine = addresses(target);
    if (repeats(mine)) return true;
    for (int i = kOutPosition; i < count; ++i) {
      const Operand& other = c.operand(i);
      if (i == written || other.tag != Tag::kTensor || owner_of(c, i) != owner_of(c, written))
        continue;
      if (!same_layout(target, other) && intersect(mine, addresses(other))) return true;
    }
  }
  return false;
}

}  // namespace upcast::fuzz
