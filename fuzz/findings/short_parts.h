// Parts that the short programs of both languages have in common.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/findings/reproducer.h"

namespace upcast::fuzz::internal {

/// A tensor of the call. Its variable is x, y, z or w, and for an output out or out2.
struct ShortOperand {
  std::string name;
  const Operand* operand = nullptr;
  Device device = Device::kCpu;
  std::string owner{};        // the variable in whose storage it lies; "": its own
  bool is_contiguous = true;  // contiguous, and it fills its storage
  bool is_uniform = false;    // more than a few elements, and all are equal
  Dims strides{};
  std::int64_t elements = 0;         // of its storage
  std::vector<std::byte> storage{};  // empty for a tensor without values, and for an output
};
/// The tensors of the call, in the order in which they must be made. A tensor that is given twice
/// is listed once.
std::vector<ShortOperand> short_operands(const Reproducible& finding);
/// The variable of a tensor operand.
std::string variable_of(const std::vector<ShortOperand>& operands, const Case& c,
                        const Operand& operand);

/// The function that makes a tensor without values, "empty" or "zeros". A call may leave the gaps
/// of an output as they were.
inline const char* maker_of(const ShortOperand& tensor) {
  return tensor.device == Device::kMeta || tensor.is_contiguous ? "empty" : "zeros";
}

/// Why neither language can have a short program; "" if one may.
std::string why_not_short(const Reproducible& finding, const std::vector<ShortOperand>& operands);

/// Whether the program names the CPU capability. Without that it is the machine's best.
inline bool sets_capability(const Reproducible& finding) {
  return finding.sets.capability && finding.capability != "native";
}

/// The title of a program: the version and the declared reason.
std::string title_of(const Reproducible& finding);
/// LibTorch's message if the call gives no answer.
std::string failure_of(const Reproducible& finding);

/// A text as comment lines of at most 100 characters. It is cut if it takes more than `most` lines.
std::vector<std::string> comment(std::string_view text, std::string_view mark, std::size_t most);

/// A line with its comment: at its end if there is room, else above it.
std::vector<std::string> with_comment(const std::string& line, const std::string& text,
                                      std::string_view mark);

}  // namespace upcast::fuzz::internal
