// Subjects whose kernels are a module, a file that a program loads when it is asked for them:
// impl:cuda and impl:emulated. A build without a module still has all other subjects.
#pragma once

#include <string>
#include <string_view>

namespace upcast {

/// The path at which a module ("cuda", "emulated") is looked for: lib/upcast/libupcast_<name>.so,
/// in the folder above this program's. The file need not exist.
std::string module_file(std::string_view name);

/// Registers "impl:cuda", our kernels on device 0, and "impl:emulated", the same kernels run on the
/// host. Making a subject throws UsageError if its module is missing.
void register_module_subjects();

}  // namespace upcast
