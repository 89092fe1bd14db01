// The process that holds a plug-in and no other code that could fail.
#pragma once

#include <string_view>

namespace upcast {

/// The exit code of a process whose plug-in closed descriptors that upcast had opened.
inline constexpr int kClosedOurDescriptors = 86;

/// What the process says when it has made the plan of a grid, which takes a while, and when it ends
/// by itself after a block.
inline constexpr std::string_view kPlanned = "planned", kGoodbye = "goodbye";

/// The main() of upcast-plugin-worker. A RemotePlugin starts it with the plug-in's name and the
/// ring's file as arguments. It writes one line of JSON on standard output. Then it reads plans and
/// blocks from standard input, and answers through the ring. An empty line on standard output says
/// that there is more to read in the ring. It exits after a block if the plug-in holds too much
/// memory. It exits at once if the plug-in closed our descriptors, because it could not be woken
/// any more.
int plugin_worker_main(int argc, char** argv);

}  // namespace upcast
