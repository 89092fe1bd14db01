// Computes with two Python numbers as Python does, without PyTorch: 2**31 - 1, 1/3.
#pragma once

#include <optional>
#include <string_view>

#include "impl/core/number.h"

namespace upcast::python {

/// The result of a binary operator. Nothing if it does not fit 64 bits, or if the operator
/// compares.
std::optional<Number> fold(std::string_view sign, const Number& left, const Number& right);
/// The result of a sign before a number: -x, +x or ~x.
std::optional<Number> fold(std::string_view sign, const Number& number);

}  // namespace upcast::python
