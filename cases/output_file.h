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
/// first written next to its place. It takes that place when all texts are written, so that a full
/// disk or a kill leaves the old file. Links are followed and stay. Anything else (a device, a
/// FIFO, a descriptor of this process such as /dev/stdout) is opened and written, and so is a file
/// whose folder takes no new one. Throws UsageError if one cannot be written, and std::system_error
/// (broken_pipe) for a pipe that is no longer read.
void write_output_files(const std::vector<OutputFile>& files);

/// As write_output_files, for one file.
void write_output_file(const std::string& path, std::string_view text);

/// Whether the path means a regular file, or one that is not there yet.
bool means_a_file(const std::string& path);

}  // namespace upcast
