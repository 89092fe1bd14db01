// Tests that a command which a build has left out is built when it is asked for, and that a line
// says so.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

namespace fs = std::filesystem;

/// Makes a build folder that holds `upcast` only, and a source tree for it whose ci/provide.sh has
/// the text `script`. Returns the path of the program.
std::string bare_build(const std::string& name, const std::string& script) {
  const fs::path root = temporary_folder() + "/" + name;
  fs::create_directories(root / "build/bin");
  fs::create_directories(root / "source/ci");
  fs::copy_file(upcast_program(), root / "build/bin/upcast");
  std::ofstream(root / "build/CMakeCache.txt")
      << "CMAKE_HOME_DIRECTORY:INTERNAL=" << (root / "source").string() << "\n";
  const fs::path provide = root / "source/ci/provide.sh";
  std::ofstream(provide) << "#!/bin/sh\n" << script;
  fs::permissions(provide, fs::perms::owner_all);
  return (root / "build/bin/upcast").string();
}

TEST(MissingPart, IsBuiltWhenItIsAskedFor) {
  const std::string program = bare_build("provided", R"(echo "building $2" >&2
printf '#!/bin/sh\necho swept "$@"\n' > "$1/bin/$2" && chmod +x "$1/bin/$2"
)");
  const CommandResult result = run_file(program, {"sweep", "sin", "--dtype", "float16"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "swept sin --dtype float16\n");
  EXPECT_EQ(result.err, "building upcast-sweep\n");
}

TEST(MissingPart, ThatCannotBeBuiltIsOneLine) {
  const std::string program = bare_build("failing", "exit 1\n");
  EXPECT_TRUE(
      complains(run_file(program, {"sweep", "sin"}), {"building upcast-sweep failed; run: "}));
}

TEST(MissingPart, OfNoBuildFolderIsOneLine) {
  const fs::path installed = temporary_folder() + "/installed/bin/upcast";
  fs::create_directories(installed.parent_path());
  fs::copy_file(upcast_program(), installed);
  EXPECT_TRUE(complains(run_file(installed.string(), {"sweep", "sin"}),
                        {"upcast-sweep is missing from this installation"}));
}

TEST(MissingPart, AModuleIsBuiltForTheSideThatItHolds) {
  const std::string program = bare_build("module", "echo \"building $2\" >&2\nexit 1\n");
  const CommandResult result =
      run_file(program, {"run", "add(int32[3], 5.5)", "--subject", "impl:emulated"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err.find("building upcast_emulated_module\n"), 0u) << result.err;
}

TEST(MissingPart, AModuleIsBuiltForAProgramThatTakesTheSideAsAnArgument) {
  const std::string program = bare_build("module_of_sweep", R"(echo "building $2" >&2
printf '#!/bin/sh\n' > "$1/bin/$2" && chmod +x "$1/bin/$2"
)");
  const CommandResult result = run_file(program, {"sweep", "sin", "--side", "impl:emulated"});
  EXPECT_EQ(result.err, "building upcast-sweep\nbuilding upcast_emulated_module\n");
}

}  // namespace
}  // namespace upcast::tools::testing
