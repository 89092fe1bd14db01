// Those faults of broken_plugin.c that need C++.
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
