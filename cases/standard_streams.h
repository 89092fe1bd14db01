// Handles standard input, output and error of each program that a user starts.
#pragma once

#include <string_view>

namespace upcast {

/// Call this before the program opens anything. A closed standard stream becomes /dev/null, so that
/// no file takes its number. From then on, writing to a pipe that is no longer read, or beyond the
/// largest file size (ulimit -f), is an error instead of a signal.
void settle_standard_streams();

/// Writes the rest of standard output. Throws std::system_error if the rest, or anything printed
/// before, could not be written.
void finish_standard_output();

/// Ends this process by SIGPIPE, which a shell shows as 141, as it would end if it did not handle
/// that signal.
[[noreturn]] void end_by_closed_pipe();

/// Writes a message to standard error. A message that cannot be written is lost. Throws
/// std::system_error if standard error is a pipe that is no longer read.
void tell(std::string_view text);

}  // namespace upcast
