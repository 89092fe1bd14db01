// The meaning of each op over integers and bool: one row for each op.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "impl/ops/call.h"
#include "oracle/truth/wide.h"

namespace upcast::truth {

/// The exact result of one element. It is then taken modulo 2^bits of the result's dtype.
struct IntegerResult {
  enum class Kind : std::uint8_t {
    kValue,
    kZeroDivision,  // a division by zero, for which the call is refused
    kOpen           // no document defines the value: not judged
  };
  Kind kind = Kind::kValue;
  Int value = 0;

  IntegerResult(Int exact) : value(exact) {}
  IntegerResult(Kind without_value) : kind(without_value) {}
};

/// Computes one element. `x`: the operands in the order of the op's spec, then the attributes.
/// `common`: the dtype in which the op is computed, for ops that depend on its width.
using IntegerFunction = IntegerResult (*)(std::span<const Int> x, DType common);
using IntegerAttributes = std::vector<Int> (*)(const Call& call, DType common);

struct IntegerDefinition {
  std::string_view op;
  std::string_view source;
  IntegerFunction value;
  IntegerAttributes attributes = nullptr;
};

std::span<const IntegerDefinition> integer_definitions();

/// Finds the row of an op over integers; null if there is none.
const IntegerDefinition* find_integer_definition(std::string_view op);

}  // namespace upcast::truth
