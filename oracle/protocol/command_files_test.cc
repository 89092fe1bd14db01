#include "oracle/protocol/command_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "impl/core/temporary_folder.h"

namespace upcast::protocol {
namespace {

using Files = std::vector<std::string>;

class CommandFiles : public ::testing::Test {
 protected:
  void SetUp() override { std::ofstream(script_) << "print()\n"; }

  TemporaryFolder folder_;
  std::string script_ = folder_ / "my adapter.py";
};

TEST_F(CommandFiles, AreItsProgramAndTheFilesAmongItsWords) {
  const Files files = files_of_command("cat '" + script_ + "' --fast " + script_ + ".missing /tmp");
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(std::filesystem::path(files[0]).filename(), "cat") << "found in the PATH";
  EXPECT_TRUE(std::filesystem::path(files[0]).is_absolute());
  EXPECT_EQ(files[1], script_);
  EXPECT_EQ(files_of_command("\"" + script_ + "\""), Files{}) << "it cannot be run";
  std::filesystem::permissions(script_, std::filesystem::perms::owner_all);
  EXPECT_EQ(files_of_command("\"" + script_ + "\""), Files{script_});
}

TEST_F(CommandFiles, OfACommandThatIsMoreThanWordsAreNotKnown) {
  const std::string quoted = "'" + script_ + "'", made = folder_ / "made";
  EXPECT_EQ(files_of_command("cat " + quoted + " | cat"), Files{});
  EXPECT_EQ(files_of_command("cat " + quoted + " $(touch " + made + ")"), Files{});
  EXPECT_FALSE(std::filesystem::exists(made)) << "nothing may run";
  EXPECT_EQ(files_of_command("no_such_program"), Files{});
  EXPECT_EQ(files_of_command(""), Files{});
  EXPECT_EQ(files_of_command("'"), Files{});
}

}  // namespace
}  // namespace upcast::protocol
