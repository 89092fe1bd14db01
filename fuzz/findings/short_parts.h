// Parts that the short programs of both languages share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/findings/reproducer.h"

namespace upcast::fuzz::internal {

/// A tensor of the call, by the name of its variable: x, y, z, w, of an output out and out2.
struct ShortOperand {
  std::string name;
  const Operand* operand = nullptr;
  Device device = Device::kCpu;
  std::string owner{};        // the variable in whose storage it lies, "" for its own
  bool is_contiguous = true;  // and fills its storage
  bool is_uniform = false;    // its elements are more than a few, and all alike
  Dims strides{};
  std::int64_t elements = 0;         // of its storage
  std::vector<std::byte> storage{};  // none of a tensor without values, and of an output
};
/// In the order in which they must be made. A tensor that is given twice stands once.
std::vector<ShortOperand> short_operands(const Reproducible& finding);
/// The variable of a tensor operand.
std::string variable_of(const std::vector<ShortOperand>& operands, const Case& c,
                        const Operand& operand);

/// "empty" or "zeros", which makes a tensor without values: a call may leave an output that has
/// gaps as it was.
inline const char* maker_of(const ShortOperand& tensor) {
  return tensor.device == Device::kMeta || tensor.is_contiguous ? "empty" : "zeros";
}

/// Why neither language has a short program; "" where there may be one.
std::string why_not_short(const Reproducible& finding, const std::vector<ShortOperand>& operands);

/// Whether the program names the CPU capability; the machine's best is taken without.
inline bool sets_capability(const Reproducible& finding) {
  return finding.sets.capability && finding.capability != "native";
}

/// The title of a program: the version and the declared reason.
std::string title_of(const Reproducible& finding);
/// LibTorch's words where the call gives no answer.
std::string failure_of(const Reproducible& finding);

/// A text as comment lines of at most 100 characters; cut where it takes more than `most` lines.
std::vector<std::string> comment(std::string_view text, std::string_view mark, std::size_t most);

/// The line with its comment: after it where there is room, else above it.
std::vector<std::string> with_comment(const std::string& line, const std::string& text,
                                      std::string_view mark);

}  // namespace upcast::fuzz::internal
