// libstdc++ asks this variable of glibc whether a shared_ptr may count without atomics. Kernels
// name it in a way that only programs can resolve to glibc's; here it is one of our own, which says
// that there may be threads.
extern "C" __attribute__((visibility("hidden"))) char __libc_single_threaded;
char __libc_single_threaded = 0;
