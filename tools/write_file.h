// A file of output, for flags such as --json FILE.
#pragma once

#include <cstdio>
#include <string>

namespace upcast::tools {

/// Writes `text` to the file, or to standard output where the path is "-"; nothing where it is "".
/// Throws UsageError where it cannot be written.
void write_output(const std::string& path, const std::string& text);

/// Where words for people go while a command also writes `path`: standard error where standard
/// output is for a program to read, else standard output.
std::FILE* people(const std::string& path);

}  // namespace upcast::tools
