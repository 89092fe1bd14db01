// Writes output files, for flags such as --json FILE.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "cases/output_file.h"

namespace upcast::tools {

/// Writes `text` to the file, or to standard output where the path is "-"; nothing where it is "".
/// Throws what write_output_files() throws.
void write_output(const std::string& path, const std::string& text);

/// As write_output(), for several files. Either all that are regular files are written, or none.
void write_outputs(std::vector<OutputFile> files);

/// The stream for people if a command also writes `path`. It is standard error if standard output
/// is for a program to read, else standard output.
std::FILE* people(const std::string& path);

}  // namespace upcast::tools
