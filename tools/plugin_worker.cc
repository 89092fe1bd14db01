// upcast-plugin-worker: holds one plug-in, and no LibTorch; started by upcast, not by hand.
#include "oracle/plugin/serve_plugin.h"

int main(int argc, char** argv) { return upcast::plugin_worker_main(argc, argv); }
