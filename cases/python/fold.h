// Python's arithmetic of two numbers, which calls nothing of PyTorch: 2**31 - 1, 1/3.
#pragma once

#include <optional>
#include <string_view>

#include "impl/core/number.h"

namespace upcast::python {

/// The result of an operator; nothing if it is no number of 64 bits, or if the operator compares.
std::optional<Number> fold(std::string_view sign, const Number& left, const Number& right);
/// The result of -x, +x or ~x.
std::optional<Number> fold(std::string_view sign, const Number& number);

}  // namespace upcast::python
