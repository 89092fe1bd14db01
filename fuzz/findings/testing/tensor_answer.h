// Makes an Answer from a text, for tests.
#pragma once

#include <string>

#include "cases/notation.h"
#include "oracle/answer.h"

namespace upcast::fuzz::testing {

/// The answer that is a contiguous tensor of at most one dimension, from a text such as
/// "float32[2]{1,2}".
inline Answer tensor_answer(const std::string& tensor) {
  const Case held = parse_case("abs(" + tensor + ")");
  Answer made{.tag = Answer::Tag::kTensor, .dtype = held.arguments[0].dtype};
  made.sizes = held.arguments[0].sizes;
  made.strides.assign(made.sizes.size(), 1);
  made.bytes = held.arguments[0].values;
  return made;
}

}  // namespace upcast::fuzz::testing
