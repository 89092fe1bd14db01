// The process that holds a plug-in and nothing else.
#pragma once

namespace upcast {

/// The exit code of a process whose plug-in closed descriptors that upcast had opened.
inline constexpr int kClosedOurDescriptors = 86;

/// The main() of upcast-plugin-worker, started by a RemotePlugin with the plug-in's name and the
/// ring's file as arguments. It greets with a line of JSON on standard output, then reads plans and
/// blocks on standard input, and answers through the ring; an empty line says that there is more.
/// A plug-in that holds too much memory goes after its block; one that closes our descriptors, at
/// once, for it cannot be woken any more.
int plugin_worker_main(int argc, char** argv);

}  // namespace upcast
