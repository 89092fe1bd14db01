// Tests of upcast sweep --paths, as a user runs it.
#include <gtest/gtest.h>

#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

Json paths_of(const Words& arguments) {
  const Json json = run_upcast(joined({"sweep", "--paths", "--json", "-"}, arguments)).json(0);
  EXPECT_TRUE(json.value("complete", false)) << json;
  return json.value("paths", Json::object());
}

TEST(PathSweep, OursHasOneAnswer) {
  const Json paths =
      paths_of({"sigmoid", "--dtype", "float16", "--side", "impl:cpu", "--side",
                "impl:cpu?capability=baseline", "--layout", "strided", "--layout", "shifted"});
  EXPECT_EQ(paths.size(), 3U);
  for (const auto& [name, path] : paths.items())
    EXPECT_TRUE(includes(path, {{"inputs", 65536}, {"different", 0}, {"nan_bits", 0}})) << name;
}

TEST(PathSweep, PairsOfIntegers) {
  const Json paths = paths_of({"add", "--dtype", "int8", "--side", "impl:cpu"});
  EXPECT_TRUE(includes(paths["impl:cpu strided"], {{"inputs", 65536}, {"different", 0}}));
}

TEST(PathSweep, BadInputIsOneLine) {
  for (const Words& arguments : std::vector<Words>{
           {"sin", "--paths", "--side", "impl:cpu", "--layout", "dense"},
           {"sin", "--paths", "--layout", "diagonal"},
           {"sin", "--layout", "strided"},
           {"mul", "--paths", "--dtype", "float32"},
           {"frexp", "--paths", "--side", "impl:cpu"},
       })
    EXPECT_TRUE(complains(run_upcast(joined({"sweep"}, arguments))));
}

}  // namespace
}  // namespace upcast::tools::testing
