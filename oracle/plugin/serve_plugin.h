// The process that holds a plug-in and no other code that could fail.
#pragma once

namespace upcast {

/// The exit code of a process whose plug-in closed descriptors that upcast had opened.
inline constexpr int kClosedOurDescriptors = 86;

/// The main() of upcast-plugin-worker, started by a RemotePlugin with the plug-in's name and the
/// ring's file as arguments. Writes a line of JSON on standard output, then reads plans and blocks
/// on standard input, and answers through the ring; an empty line says that there is more to read.
/// Exits after a block if the plug-in holds too much memory, and at once if it closed our
/// descriptors, since it could not be woken any more.
int plugin_worker_main(int argc, char** argv);

}  // namespace upcast
