// Standard input, output and error of each program that a user starts.
#pragma once

#include <string_view>

namespace upcast {

/// Call it before anything is opened: a stream that is closed becomes /dev/null, so that no file
/// takes its number. From here on a pipe that is no longer read, and a file as large as files may
/// be (ulimit -f), are errors of a write and no signals.
void settle_standard_streams();

/// Writes what standard output still holds. Throws std::system_error where that, or anything
/// printed before, could not be written.
void finish_standard_output();

/// Ends this process by SIGPIPE, which a shell shows as 141, as for a program that does not handle
/// it.
[[noreturn]] void end_by_closed_pipe();

/// Writes optional words to standard error: those that cannot be written are lost.
/// Throws std::system_error where standard error is a pipe that is no longer read.
void tell(std::string_view text);

}  // namespace upcast
