// Subjects whose kernels are a module, a file that a program loads when it is asked for them:
// impl:cuda and impl:emulated. A build without a module still has all other subjects.
#pragma once

#include <string>
#include <string_view>

namespace upcast {

/// The path of the file of a module ("cuda", "emulated"), whether it exists or not:
/// lib/upcast/libupcast_<name>.so of the folder above this program's.
std::string module_file(std::string_view name);

/// Registers "impl:cuda", our kernels on device 0, and "impl:emulated", the same kernels run on the
/// host. Making one throws UsageError if its module is missing.
void register_module_subjects();

}  // namespace upcast
