// Where the programs that belong together are.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace upcast::tools {

/// The folder of this program.
std::filesystem::path programs_folder();
/// The program of that name in the folder of this one. In a build folder a missing one is built.
/// Throws UsageError where there is none.
std::string sibling_program(const std::string& name);
/// The same for a program that is linked with LibTorch, which it can then load (need_libtorch()).
std::string libtorch_program(const std::string& name);
/// Whether there is one.
bool has_sibling(const std::string& name);
/// A side's canonical name, which names the file of a plug-in by its absolute path, for processes
/// that may run elsewhere; a module that it is in is built where it is missing. Throws UsageError
/// for a wrong name, or where there is no such file.
std::string resolve_side(std::string_view name);
/// The worker program: $UPCAST_WORKER, or upcast-worker next to this program.
std::string worker_program();

}  // namespace upcast::tools
