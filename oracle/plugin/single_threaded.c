/* Our kernels are not compiled with -fPIC, and through std::shared_ptr they read this flag of
   glibc's, which may not lie in another library then. 0: count references as if there were threads.
 */
char __libc_single_threaded; /* NOLINT: glibc's name */
