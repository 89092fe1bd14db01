#include "fuzz/findings/child_side.h"

#include <unistd.h>

namespace upcast::fuzz {

ChildSide::ChildSide(const std::string& subject, double time_limit)
    : AskedProcess(subject,
                   {.body =
                        [=](int socket) {
                          // What libraries print must not get into the replies on standard output.
                          dup2(STDERR_FILENO, STDOUT_FILENO);
                          serve_lines(socket, subject, time_limit);
                          return 0;
                        },
                    .talk = Talk::kSocket,
                    .interrupt = Interrupt::kShared},
                   time_limit) {}

}  // namespace upcast::fuzz
