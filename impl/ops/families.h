// The families by name, one translation unit each: a unit instantiates the kernels of its family.
#pragma once

#include <vector>

#include "impl/ops/catalogue.h"

namespace upcast {

using AddFamily = void (*)(std::vector<Op>& rows);

void add_arithmetic(std::vector<Op>& rows);
void add_comparison(std::vector<Op>& rows);
void add_logical(std::vector<Op>& rows);
void add_rounding(std::vector<Op>& rows);
void add_powers(std::vector<Op>& rows);
void add_exponential(std::vector<Op>& rows);
void add_trigonometric(std::vector<Op>& rows);
void add_hyperbolic(std::vector<Op>& rows);
void add_special(std::vector<Op>& rows);
void add_selection(std::vector<Op>& rows);
void add_interpolation(std::vector<Op>& rows);
void add_losses(std::vector<Op>& rows);
void add_dtype_functions(std::vector<Op>& rows);

inline constexpr AddFamily kFamilies[] = {
    add_arithmetic,    add_comparison,    add_logical,        add_rounding, add_powers,
    add_exponential,   add_trigonometric, add_hyperbolic,     add_special,  add_selection,
    add_interpolation, add_losses,        add_dtype_functions};

}  // namespace upcast
