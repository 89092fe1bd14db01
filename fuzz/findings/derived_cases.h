// Cases near that of a finding: its call with other dtypes, other forms, other elements.
#pragma once

#include <optional>
#include <vector>

#include "cases/case.h"
#include "cases/draw/choices.h"

namespace upcast::fuzz {

/// The one dtype that all its tensors have; nothing where they have several, or there is none.
std::optional<DType> only_dtype(const Case& c);
/// All its tensors in this dtype, elements converted.
Case in_dtype(Case c, DType dtype);

/// The same call in another form; nothing where the op has none. An out= is as `result` says.
std::optional<Case> in_form(const Case& c, Form form, DType result, const Dims& sizes);

/// Each tensor with dimensions becomes one of `count` ordinary elements, a zero-dim one gets one.
Case with_ordinary_elements(const Case& c, Choices& choices, std::int64_t count);

/// Each tensor of one dimension becomes `count` copies of its element of that number.
Case with_one_element(const Case& c, std::size_t element, std::int64_t count);

/// Its floating elements and numbers rounded to so many decimal digits.
Case with_digits(Case c, int digits);

}  // namespace upcast::fuzz
