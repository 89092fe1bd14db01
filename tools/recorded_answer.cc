#include "tools/recorded_answer.h"

#include <algorithm>

#include "cases/operand_text.h"
#include "impl/core/rejection.h"

namespace upcast::tools {
namespace {

/// Reads the text of a refusal: its code alone, "unsupported_dtype", or with words,
/// "unsupported_dtype: why". Nothing if it is none.
std::optional<Reply> refusal_of(const std::string& text) {
  const std::size_t colon = text.find(": ");
  const auto found =
      std::find(kRejectionNames.begin(), kRejectionNames.end(), text.substr(0, colon));
  if (found == kRejectionNames.end()) return std::nullopt;
  Reply reply;
  reply.answer.tag = Answer::Tag::kRefusal;
  reply.answer.rejection = static_cast<RejectionCode>(found - kRejectionNames.begin());
  if (colon != text.npos) reply.answer.detail = text.substr(colon + 2);
  return reply;
}

std::optional<Reply> tensor_of(const std::string& text) {
  try {
    TextCursor cursor(text);
    Reply reply;
    reply.answer.tag = Answer::Tag::kTensor;
    reply.answer.dtype = parse_dtype(cursor);
    reply.answer.sizes = parse_dims(cursor);
    reply.answer.strides = contiguous_strides(reply.answer.sizes);
    reply.answer.bytes = parse_values(cursor, reply.answer.dtype, reply.answer.sizes);
    if (!cursor.at_end()) return std::nullopt;
    return reply;
  } catch (const SyntaxFault&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Reply> recorded_reply(const std::string& text) {
  const auto inner = [&text](std::size_t head) {
    return text.substr(head, text.size() - head - 1);
  };
  if (text == "timeout" || text.starts_with("crash(")) return Reply{.answer = {}, .death = text};
  if (text.starts_with("refuses(") && text.ends_with(')')) return refusal_of(inner(8));
  if (text.starts_with("dtype ")) {
    const int found = find_dtype_code(text.substr(6));
    if (found == kDTypeCount) return std::nullopt;
    Reply reply;
    reply.answer.tag = Answer::Tag::kDType;
    reply.answer.dtype = dtype_from_code(found);
    return reply;
  }
  return tensor_of(text);
}

}  // namespace upcast::tools
