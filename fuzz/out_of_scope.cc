#include "fuzz/out_of_scope.h"

#include <algorithm>
#include <optional>

#include "cases/element.h"
#include "cases/operands.h"
#include "cases/values.h"
#include "oracle/case_call.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

constexpr std::int64_t kMostElements = 1 << 15;

/// Whether the op overwrites an operand (copy_, copy and the like). The functional form of copy
/// takes its shape and strides from the operand that it would overwrite.
bool copies(const Case& c) { return !c.op->spec->written.empty(); }

/// Whether a side would loop over an argument one by one, and the argument lies outside the bounds
/// in the op's row (LoopBound). Such are degrees of polynomials, zeta and polygamma far below 0
/// (known difference zeta-steps-to-negative-q), and the dimensions of mvlgamma.
bool is_endless(const Case& c) {
  const LoopBound& loop = c.op->spec->loop;
  int position = c.schema().find(loop.parameter);
  if (position < 0) return false;
  if (c.arguments[position].shares != kOwnStorage) position = c.arguments[position].shares;
  const Operand& operand = c.arguments[position];
  const DType dtype = operand.tag == Tag::kNumber ? operand.number.dtype() : operand.dtype;
  // Empty unless the argument is a tensor or a number.
  const std::vector<std::byte> elements = operand_values(c, position);
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
  if (const std::string_view why = why_not_elementwise(c); !why.empty()) return why;
  if (copies(c) && c.arguments[0].tag == Tag::kUndefined)
    return "LibTorch reads through a null pointer";
  if (const auto shape = broadcast_shape(c); shape && numel(*shape) > kMostElements)
    return "it takes some microseconds for each element, which would look like a hang";
  return is_endless(c) ? "a side would loop as often as an argument says, which may take years"
                       : "";
}

}  // namespace upcast::fuzz
