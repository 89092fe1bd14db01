// upcast sweep --paths, as a user runs it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

using Json = nlohmann::json;

Json paths_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "sweep");
  arguments.insert(arguments.end(), {"--paths", "--json", "-"});
  const CommandResult result = run_upcast(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out, nullptr, false);
  EXPECT_TRUE(json.value("complete", false)) << result.out;
  return json.value("paths", Json::object());
}

TEST(PathSweep, OursHasOneAnswer) {
  const Json paths =
      paths_of({"sigmoid", "--dtype", "float16", "--side", "impl:cpu", "--side",
                "impl:cpu?capability=baseline", "--layout", "strided", "--layout", "shifted"});
  EXPECT_EQ(paths.size(), 3U);
  for (const auto& [name, path] : paths.items()) {
    EXPECT_EQ(path["inputs"], 65536) << name;
    EXPECT_EQ(path["different"], 0) << name;
    EXPECT_EQ(path["nan_bits"], 0) << name;
  }
}

TEST(PathSweep, PairsOfIntegers) {
  const Json paths = paths_of({"add", "--dtype", "int8", "--side", "impl:cpu"});
  EXPECT_EQ(paths["impl:cpu strided"]["inputs"], 65536);
  EXPECT_EQ(paths["impl:cpu strided"]["different"], 0);
}

TEST(PathSweep, BadInputIsOneLine) {
  const std::vector<std::vector<std::string>> lines{
      {"sin", "--paths", "--side", "impl:cpu", "--layout", "dense"},
      {"sin", "--paths", "--layout", "diagonal"},
      {"sin", "--layout", "strided"},
      {"mul", "--paths", "--dtype", "float32"},
      {"frexp", "--paths", "--side", "impl:cpu"},
  };
  for (auto arguments : lines) {
    arguments.insert(arguments.begin(), "sweep");
    const CommandResult result = run_upcast(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments[1] << ' ' << arguments.back();
    EXPECT_TRUE(result.err.starts_with("upcast: ")) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

}  // namespace
}  // namespace upcast::tools::testing
