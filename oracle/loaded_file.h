// Finds the file that code of this process was loaded from.
#pragma once

#include <string>

namespace upcast {

/// The path of the program or shared library that holds the code at `address`; "" if the system
/// does not tell. It asks the memory map, because the dynamic linker knows a program only by the
/// name that it was started with.
std::string loaded_file(const void* address);

}  // namespace upcast
