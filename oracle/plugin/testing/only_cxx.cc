// The faults of broken_plugin.c that a plug-in can have only in C++, such as an exception.
#include <exception>
#include <stdexcept>

extern "C" void do_what_only_cxx_does();

void do_what_only_cxx_does() {
#if defined(DEED_throws)
  throw std::runtime_error("an exception of the plug-in's own");
#else
  std::terminate();
#endif
}
