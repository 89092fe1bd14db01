// Prints the exact value of an element if its shortest text is another number: the float16 that
// prints as "0.7" is 0.7001953125.
#pragma once

#include <cstddef>
#include <string>

#include "impl/core/dtype.h"

namespace upcast::tools {

/// The exact value of an element in decimal, or in hexadecimal ("0x1.999999999999ap-4") if decimal
/// takes more than 32 digits. Has both parts of a complex element. "" if print_element's text is
/// already the exact value, or if the element is no finite number.
std::string exact_value(DType dtype, const std::byte* element);

}  // namespace upcast::tools
