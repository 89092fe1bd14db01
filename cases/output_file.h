// Writes the files that a user asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace upcast {

struct OutputFile {
  std::string path;
  std::string text;
};

/// Makes each text the content of its file. A regular file, or one that does not exist yet, is
/// first written as a new file next to its target. The new file takes the target's place when all
/// texts are written, so that a full disk or a kill leaves the old file. Links are followed and
/// stay. Any other target (a device, a FIFO, a descriptor of this process such as /dev/stdout) is
/// opened and written directly. So is a file whose folder takes no new file. Throws UsageError if a
/// target cannot be written, and std::system_error (broken_pipe) for a pipe that is no longer read.
void write_output_files(const std::vector<OutputFile>& files);

/// Writes one file in the same way as write_output_files.
void write_output_file(const std::string& path, std::string_view text);

/// Whether the path leads to a regular file, or to a place where no file exists yet.
bool means_a_file(const std::string& path);

}  // namespace upcast
