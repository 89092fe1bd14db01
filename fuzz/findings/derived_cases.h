// Makes cases near that of a finding: the same call with other dtypes, other forms, other elements.
#pragma once

#include <optional>
#include <vector>

#include "cases/case.h"
#include "cases/draw/choices.h"

namespace upcast::fuzz {

/// The dtype that all tensors of a case have. Nothing if they have several dtypes, or if there is
/// no tensor.
std::optional<DType> only_dtype(const Case& c);
/// The case with all tensors converted to `dtype`, element by element.
Case in_dtype(Case c, DType dtype);

/// The same call in another form, in which out= has the dtype `result` and the sizes `sizes`.
/// Nothing if the op has no such form.
std::optional<Case> in_form(const Case& c, Form form, DType result, const Dims& sizes);

/// The case with ordinary elements: `count` for each tensor with dimensions, one for a zero-dim
/// tensor.
Case with_ordinary_elements(const Case& c, Choices& choices, std::int64_t count);

/// The case in which each tensor of one dimension has `count` copies of one element, the one with
/// index `element`.
Case with_one_element(const Case& c, std::size_t element, std::int64_t count);

/// The case with floating elements and numbers rounded to `digits` significant decimal digits.
Case with_digits(Case c, int digits);

}  // namespace upcast::fuzz
