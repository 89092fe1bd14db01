// Handles standard input, output and error of each program that a user starts.
#pragma once

#include <string_view>

namespace upcast {

/// Call it before anything is opened. A stream that is closed becomes /dev/null, so that no file
/// takes its number. From then on, writing to a pipe that is no longer read, or beyond the largest
/// file size (ulimit -f), is an error and no signal.
void settle_standard_streams();

/// Writes what standard output still holds. Throws std::system_error if that, or anything printed
/// before, could not be written.
void finish_standard_output();

/// Ends this process by SIGPIPE, which a shell shows as 141, as if the program did not handle it.
[[noreturn]] void end_by_closed_pipe();

/// Writes optional words to standard error. If they cannot be written they are lost. Throws
/// std::system_error if standard error is a pipe that is no longer read.
void tell(std::string_view text);

}  // namespace upcast
