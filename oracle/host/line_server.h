// A side that is asked one case line at a time, where its cases are not known beforehand: while a
// case is minimized, in a sweep.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "oracle/reply.h"
#include "oracle/subject.h"

namespace upcast {

/// The asked process's main loop: says hello, then a reply to each case line, until the socket
/// closes. A subject whose own process dies has that death for a reply.
void serve_lines(int socket, const std::string& subject, double time_limit);

/// A frame of its answers.
void decode_reply(std::string_view frame, Reply& reply);

/// "libtorch@2.11.0:cpu" in a program that is linked with another LibTorch or none: a worker of
/// that version answers. Throws UsageError where it is not there.
std::unique_ptr<Subject> make_subject_of_version(const Side& side);

}  // namespace upcast
