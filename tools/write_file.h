// Writes output files, for flags such as --json FILE.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "cases/output_file.h"

namespace upcast::tools {

/// Writes `text` to the file `path`, or to standard output if it is "-". Does nothing if it is "".
/// Throws what write_output_files() throws.
void write_output(const std::string& path, const std::string& text);

/// As write_output(), for several files. Writes either all of the regular files or none.
void write_outputs(std::vector<OutputFile> files);

/// The stream for text that people read, in a command that writes `path` for programs: standard
/// error if `path` is "-", else standard output.
std::FILE* people(const std::string& path);

}  // namespace upcast::tools
