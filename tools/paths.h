// Finds the programs that belong together.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace upcast::tools {

/// The folder of this program.
std::filesystem::path programs_folder();
/// The path of a program in this program's folder. In a build folder a missing one is built. Throws
/// UsageError if there is none.
std::string sibling_program(const std::string& name);
/// As sibling_program(), for a program that is linked with LibTorch. It can then load that
/// (need_libtorch()).
std::string libtorch_program(const std::string& name);
/// Whether this program's folder has a program of that name.
bool has_sibling(const std::string& name);
/// A side's canonical name, for processes that may run elsewhere: it names the file of a plug-in by
/// its absolute path. A missing module is built. Throws UsageError for a wrong name, or if there is
/// no such file.
std::string resolve_side(std::string_view name);
/// The worker program: $UPCAST_WORKER, or upcast-worker next to this program.
std::string worker_program();

}  // namespace upcast::tools
