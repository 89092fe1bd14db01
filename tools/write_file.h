// A file of output, for flags such as --json FILE.
#pragma once

#include <string>

namespace upcast::tools {

/// Writes `text` to the file, or to standard output where the path is "-"; nothing where it is "".
/// Throws UsageError where it cannot be written.
void write_output(const std::string& path, const std::string& text);

}  // namespace upcast::tools
