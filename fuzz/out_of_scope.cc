#include "fuzz/out_of_scope.h"

#include <algorithm>
#include <optional>

#include "cases/operands.h"
#include "fuzz/endless.h"
#include "oracle/case_call.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

constexpr std::int64_t kMostElements = 1 << 15;

/// copy, whose functional form takes its shape and strides from the operand that it overwrites.
bool copies(const Case& c) { return !c.op->spec->written.empty(); }

}  // namespace

bool is_written(const Case& c, int position) {
  if (position < 0) return c.form == Form::kOut;
  return c.form == Form::kInPlace && position == written_position(c);
}

std::string_view why_not_asked(const Case& c) {
  if (const std::string_view why = why_not_elementwise(c); !why.empty()) return why;
  if (copies(c) && c.arguments[0].tag == Tag::kUndefined) return "LibTorch reads through null";
  if (const auto shape = broadcast_shape(c); shape && numel(*shape) > kMostElements)
    return "at some microseconds an element it would look like a hang";
  return is_endless(c) ? "a side would step through an argument" : "";
}

}  // namespace upcast::fuzz
