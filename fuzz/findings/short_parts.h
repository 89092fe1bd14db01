// What the short programs in C++ and in Python have in common.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/findings/reproducer.h"

namespace upcast::fuzz::internal {

/// A tensor of a short program's call. Its variable is x, y, z or w, and for an output out or out2.
struct ShortOperand {
  std::string name;
  const Operand* operand = nullptr;
  Device device = Device::kCpu;
  std::string owner{};        // variable whose storage the tensor views; "": its own
  bool is_contiguous = true;  // whether the tensor is contiguous and fills its storage
  bool is_uniform = false;    // whether the tensor has many elements, all of them equal
  Dims strides{};
  std::int64_t elements = 0;         // how many elements the storage has
  std::vector<std::byte> storage{};  // bytes of the storage; empty for an output, or without values
};
/// The tensors of a finding's call, in the order in which a program must make them. A tensor that
/// is given twice is listed once.
std::vector<ShortOperand> short_operands(const Reproducible& finding);
/// The variable that holds a tensor operand.
std::string variable_of(const std::vector<ShortOperand>& operands, const Case& c,
                        const Operand& operand);

/// The name of the function that makes a tensor without values, "empty" or "zeros". "zeros" is for
/// an output with gaps, which a call may leave as they were.
inline const char* maker_of(const ShortOperand& tensor) {
  return tensor.device == Device::kMeta || tensor.is_contiguous ? "empty" : "zeros";
}

/// Why a finding can have no short program, in C++ or in Python; "" if it can.
std::string why_not_short(const Reproducible& finding, const std::vector<ShortOperand>& operands);

/// Whether a program sets LibTorch's CPU capability. If it does not, LibTorch takes the machine's
/// best.
inline bool sets_capability(const Reproducible& finding) {
  return finding.sets.capability && finding.capability != "native";
}

/// The title of a short program: LibTorch's version and the declared reason of the difference.
std::string title_of(const Reproducible& finding);
/// LibTorch's error message if the call gives no answer.
std::string failure_of(const Reproducible& finding);

/// Breaks a text into comment lines of at most 100 characters. It is cut if it takes more than
/// `most` lines.
std::vector<std::string> comment(std::string_view text, std::string_view mark, std::size_t most);

/// A line of a program with a comment: at the line's end if there is room, else above it.
std::vector<std::string> with_comment(const std::string& line, const std::string& text,
                                      std::string_view mark);

}  // namespace upcast::fuzz::internal
