// Writes values as a person does, in either language.
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

/// A number in the language: 2.5, float("inf"), complex(1.0, -0.0), True; double(INFINITY),
/// c10::complex<double>(1.0, 2.0).
std::string spelled(const Number& number, Language language);

/// The bytes that pairs of hexadecimal digits stand for.
std::vector<std::byte> bytes_of_hex(std::string_view hex);

/// An element as the number that Tensor.item() gives.
Number number_of(DType dtype, const std::byte* element);

/// The texts from which torch makes a tensor of these bytes, one for each element. None if some
/// element has no decimal text.
std::vector<std::string> spelled_elements(DType dtype, std::span<const std::byte> bytes,
                                          Language language);

/// The bytes as hexadecimal integers of up to 8 bytes, for Tensor.view(dtype).
struct Words {
  int bytes;  // of each
  std::vector<std::string> texts;
};
Words words_of(DType dtype, std::span<const std::byte> bytes);

}  // namespace upcast::fuzz::internal
