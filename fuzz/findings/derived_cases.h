// Makes cases near that of a finding: its call with other dtypes, other forms, other elements.
#pragma once

#include <optional>
#include <vector>

#include "cases/case.h"
#include "cases/draw/choices.h"

namespace upcast::fuzz {

/// The dtype that all tensors of a case have; nothing if they have several, or if there is no
/// tensor.
std::optional<DType> only_dtype(const Case& c);
/// The case with all tensors in this dtype, and their elements converted.
Case in_dtype(Case c, DType dtype);

/// The same call in another form; nothing if the op has no such form. `result` gives the dtype of
/// out=, `sizes` its sizes.
std::optional<Case> in_form(const Case& c, Form form, DType result, const Dims& sizes);

/// The case with ordinary elements: `count` for each tensor with dimensions, one for a zero-dim
/// tensor.
Case with_ordinary_elements(const Case& c, Choices& choices, std::int64_t count);

/// The case in which each tensor of one dimension has `count` copies of its element number
/// `element`.
Case with_one_element(const Case& c, std::size_t element, std::int64_t count);

/// The case with floating elements and numbers rounded to so many decimal digits.
Case with_digits(Case c, int digits);

}  // namespace upcast::fuzz
