// libstdc++ asks glibc's variable __libc_single_threaded whether a shared_ptr may count without
// atomics. The kernels' code reads that variable in a way that only programs can resolve to
// glibc's. A shared library gets this one instead, which says that there may be several threads.
extern "C" __attribute__((visibility("hidden"))) char __libc_single_threaded;
char __libc_single_threaded = 0;
