// The exact value of an element whose shortest text is another number: "0.7" of float16 is
// 0.7001953125.
#pragma once

#include <cstddef>
#include <string>

#include "impl/core/dtype.h"

namespace upcast::tools {

/// The exact value in decimal; if that takes more than 32 digits, in hexadecimal
/// ("0x1.999999999999ap-4"). For a complex element both parts. "" if print_element's text is the
/// value itself, and for an element that is no finite number.
std::string exact_value(DType dtype, const std::byte* element);

}  // namespace upcast::tools
