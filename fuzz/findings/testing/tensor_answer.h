// Makes an Answer from a text in a test.
#pragma once

#include <string>

#include "cases/notation.h"
#include "oracle/answer.h"

namespace upcast::fuzz::testing {

/// A contiguous tensor of one dimension at most: "float32[2]{1,2}".
inline Answer tensor_answer(const std::string& tensor) {
  const Case held = parse_case("abs(" + tensor + ")");
  Answer made{.tag = Answer::Tag::kTensor, .dtype = held.arguments[0].dtype};
  made.sizes = held.arguments[0].sizes;
  made.strides.assign(made.sizes.size(), 1);
  made.bytes = held.arguments[0].values;
  return made;
}

}  // namespace upcast::fuzz::testing
