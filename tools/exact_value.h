// The exact value of an element whose shortest text is another number: "0.7" of float16 is
// 0.7001953125.
#pragma once

#include <cstddef>
#include <string>

#include "impl/core/dtype.h"

namespace upcast::tools {

/// Decimal, or where that takes more than 32 digits hexadecimal ("0x1.999999999999ap-4"); of a
/// complex element both parts. "" where print_element's text is the value itself, and of what is no
/// finite number.
std::string exact_value(DType dtype, const std::byte* element);

}  // namespace upcast::tools
