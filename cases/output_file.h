// Files that a user asked for, and the one way in which they are written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace upcast {

struct OutputFile {
  std::string path;
  std::string text;
};

/// Makes each text the content of its file. A regular file, or one that is not there yet, is
/// written next to its place first. It takes that place when all texts are written, so that a full
/// disk or a kill leaves what was there. Links are followed and stay. Anything else (a device, a
/// FIFO, a descriptor of this process such as /dev/stdout) is opened and written, and so is a file
/// whose folder takes no new one.
/// Throws UsageError where one cannot be written; std::system_error, broken_pipe, where it is a
/// pipe that is no longer read.
void write_output_files(const std::vector<OutputFile>& files);

/// The same for one.
void write_output_file(const std::string& path, std::string_view text);

/// Whether the path means a regular file, or one that is not there yet.
bool means_a_file(const std::string& path);

}  // namespace upcast
