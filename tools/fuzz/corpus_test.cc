// Tests campaigns on odd corpora: each gives one clear line on standard error, or runs to its end.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "oracle/process/child.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

namespace fs = std::filesystem;

class Corpus : public ::testing::Test {
 protected:
  void SetUp() override {
    const fs::path programs = fs::path(upcast_program()).parent_path();
    setenv("UPCAST_FUZZ_BIN", programs.c_str(), 1);
    if (!fs::exists(programs / "fuzz-notation"))
      GTEST_SKIP() << "this build found no libFuzzer (clang, libclang-rt-14-dev)";
    fs::create_directories(corpus_);
    std::ofstream(corpus_ / "one") << "neg(int8[2])";
  }
  Words campaign(const std::string& runs) const {
    return {"fuzz",     "--target", "notation",    "--runs", runs,
            "--corpus", corpus_,    "--follow-up", "0"};
  }
  CommandResult run(const std::string& runs = "2000") const { return run_upcast(campaign(runs)); }

  const fs::path corpus_ =
      temporary_folder() + "/" + ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Corpus, WhatIsNoInputIsOneLineAndStaysWhereItIs) {
  const fs::path odd = corpus_ / "odd\nname";
  const std::string shown = "odd\\nname";
  const auto refuses = [&](const std::string& why) {
    EXPECT_TRUE(complains(run(), {shown + " is " + why}));
    EXPECT_TRUE(fs::exists(fs::symlink_status(odd)));
    fs::remove(odd);
  };
  EXPECT_EQ(run().exit_code, 0) << "the control";
  std::ofstream(odd) << "x";
  fs::resize_file(odd, std::uintmax_t{10} << 30);  // sparse
  refuses("larger than 1 MiB");
  for (const char* target : {"nowhere", "odd\nname", "/dev/zero", "/", "one"}) {
    fs::create_symlink(target, odd);
    refuses("a link");
  }
  ASSERT_EQ(mkfifo(odd.c_str(), 0600), 0);
  refuses("not a regular file");
  if (geteuid() == 0) return;  // root may read every file
  std::ofstream(odd) << "x";
  fs::permissions(odd, fs::perms::none);
  refuses("a file that cannot be read");
}

TEST_F(Corpus, ThatIsAFileIsOneLine) {
  fs::remove_all(corpus_);
  std::ofstream(corpus_) << "neg(int8[2])";
  EXPECT_TRUE(complains(run(), {"is not a folder"}));
}

TEST_F(Corpus, FoldersInFoldersAreRead) {
  const fs::path deep = corpus_ / "a/b/c";
  fs::create_directories(deep);
  std::ofstream(deep / "two") << "abs(float32[3])";
  EXPECT_EQ(run().exit_code, 0);
}

TEST_F(Corpus, FilesMayChangeAndVanishWhileTheyAreRead) {
  std::atomic<bool> done = false;
  std::thread changer([&] {
    for (int i = 0; !done; ++i) {
      std::error_code gone;
      const fs::path file = corpus_ / ("file-" + std::to_string(i % 50));
      if (fs::exists(corpus_, gone)) std::ofstream(file) << std::string(i % 700, 'n');
      if (i % 3 == 0) fs::remove(file, gone);
      usleep(200);
    }
  });
  const CommandResult result = run("20000");
  done = true;
  changer.join();
  // A file that vanishes during the merge may end the merge with exit code 2. Then the corpus is
  // unchanged.
  if (result.exit_code == 2)
    EXPECT_TRUE(complains(result, {"could not be merged", "nothing is lost"}));
  else
    EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::exists(corpus_ / "one") || result.exit_code == 0);
  EXPECT_EQ(run().exit_code, 0) << "and goes on when nothing changes any more";
}

TEST_F(Corpus, IsOneCampaignsAtATime) {
  Child first({.command = joined({upcast_program()}, campaign("100000000")),
               .output = "/dev/null",
               .errors = "/dev/null",
               .interrupt = Interrupt::kShared});
  const fs::path begun = corpus_.string() + ".log/job-0.out";
  for (int i = 0; i < 500 && !fs::exists(begun); ++i) usleep(20'000);
  ASSERT_TRUE(fs::exists(begun));
  EXPECT_TRUE(complains(run(), {"is in use by another campaign"}));
  EXPECT_TRUE(
      complains(run_upcast(joined(campaign("2000"), {"--log", corpus_.string() + ".other"})),
                {"is in use by another campaign"}))
      << "with another log";
  first.kill();
  first.wait();
  EXPECT_EQ(run().exit_code, 0) << "the lock went with its owner";
}

}  // namespace
}  // namespace upcast::tools::testing
