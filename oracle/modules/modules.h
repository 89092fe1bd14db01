// Subjects whose kernels are a module, a file that a program loads when it is asked for them:
// impl:cuda and impl:emulated. A build without a module still has all other subjects.
#pragma once

#include <string>
#include <string_view>

namespace upcast {

/// The file of a module ("cuda", "emulated"), whether it is there or not:
/// lib/upcast/libupcast_<name>.so of the folder above this program's.
std::string module_file(std::string_view name);

/// Adds "impl:cuda", our kernels on device 0, and "impl:emulated", the same run on the host. Making
/// one throws UsageError where its module is missing.
void register_module_subjects();

}  // namespace upcast
