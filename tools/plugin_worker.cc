// upcast-plugin-worker: a process that holds one plug-in, and no LibTorch. upcast starts it, not a
// user.
#include "oracle/plugin/serve_plugin.h"

int main(int argc, char** argv) { return upcast::plugin_worker_main(argc, argv); }
