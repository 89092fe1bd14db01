// A file of output, for flags such as --json FILE.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "cases/output_file.h"

namespace upcast::tools {

/// Writes `text` to the file, or to standard output where the path is "-"; nothing where it is "".
/// Throws what write_output_files() throws.
void write_output(const std::string& path, const std::string& text);

/// The same for several: all of those that are regular files, or none.
void write_outputs(std::vector<OutputFile> files);

/// Where words for people go while a command also writes `path`: standard error where standard
/// output is for a program to read, else standard output.
std::FILE* people(const std::string& path);

}  // namespace upcast::tools
