// Finds the other programs of upcast, which are in the same folder as this one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace upcast::tools {

/// The folder that holds this program's executable.
std::filesystem::path programs_folder();
/// The path of a program in this program's folder. If it is missing in a build folder, it is built.
/// Throws UsageError if it is not there.
std::string sibling_program(const std::string& name);
/// As sibling_program(), for a program that is linked with LibTorch. Also sets LD_LIBRARY_PATH so
/// that it can load LibTorch (need_libtorch()).
std::string libtorch_program(const std::string& name);
/// Whether this program's folder has a program of that name.
bool has_sibling(const std::string& name);
/// A side's canonical name. It names a plug-in by its absolute path, because a process in another
/// folder may read it. Builds the side's module if that is missing. Throws UsageError for a wrong
/// name, or if there is no such file.
std::string resolve_side(std::string_view name);
/// The path of the worker program: $UPCAST_WORKER, else upcast-worker next to this program.
std::string worker_program();

}  // namespace upcast::tools
