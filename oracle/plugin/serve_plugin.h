// The process that holds a plug-in and nothing else.
#pragma once

namespace upcast {

/// The main() of upcast-plugin-worker, started by a RemotePlugin with the plug-in's name and the
/// ring's file as arguments. It greets with a line of JSON on standard output, then reads plans and
/// blocks on standard input, and answers through the ring; an empty line says that there is more.
/// A plug-in that holds too much memory goes after its block.
int plugin_worker_main(int argc, char** argv);

}  // namespace upcast
