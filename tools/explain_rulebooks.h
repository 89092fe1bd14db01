// Prints the answers of rule books to a call, for `upcast explain --rulebook`.
#pragma once

#include <string>

namespace upcast::tools {

/// Prints the answers of one rule book, or of all, with the deciding rule in words. For one book it
/// also prints what the book says of each operand. `line` is a case, or a question by another
/// system's names (parse_question). Throws UsageError for an unknown name, and for a line that is
/// neither. `opset`: of ONNX. `json`: the file of --json, or "".
void explain_rulebooks(const std::string& line, const std::string& name, int opset,
                       const std::string& json);

}  // namespace upcast::tools
