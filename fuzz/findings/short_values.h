// Writes values in C++ and Python as a person does.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "impl/core/dtype.h"
#include "impl/core/number.h"

namespace upcast::fuzz::internal {

enum class Language : std::uint8_t { kPython, kCpp };

/// A number in a language. Python: 2.5, float("inf"), complex(1.0, -0.0), True. C++:
/// double(INFINITY), c10::complex<double>(1.0, 2.0).
std::string spelled(const Number& number, Language language);

/// The bytes that a text of hexadecimal digits stands for, two digits a byte.
std::vector<std::byte> bytes_of_hex(std::string_view hex);

/// The number that Tensor.item() gives for an element.
Number number_of(DType dtype, const std::byte* element);

/// The texts, one for each element, from which torch makes a tensor with these bytes. None if an
/// element has no decimal text.
std::vector<std::string> spelled_elements(DType dtype, std::span<const std::byte> bytes,
                                          Language language);

/// The bytes as hexadecimal integers of up to 8 bytes, from which Tensor.view(dtype) makes the
/// elements.
struct Words {
  int bytes;  // of each
  std::vector<std::string> texts;
};
Words words_of(DType dtype, std::span<const std::byte> bytes);

}  // namespace upcast::fuzz::internal
