// Tests of the files that `upcast sweep --out` keeps: their versions and sides, and several files
// combined.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cases/text_file.h"
#include "cases/writer_lock.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

CommandResult run_sweep(const Words& arguments) { return run_upcast(joined({"sweep"}, arguments)); }

Json json_of(const Words& arguments) {
  return run_sweep(joined(arguments, {"--json", "-"})).json(0);
}

/// Five chunks.
Words sample(const Words& more, const std::string& side = "impl:cpu") {
  return joined({"tan", "--dtype", "float32", "--samples", "300000", "--side", side}, more);
}

/// The JSON of a sweep without its seconds, which differ between runs.
Json timeless(Json json) {
  json.erase("seconds");
  return json;
}

void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

class SweepParts : public ::testing::Test {
 protected:
  SweepParts() { std::filesystem::create_directories(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  /// Tests with the files of two shards of one sweep, 1.ndjson and 2.ndjson.
  void make_shards() {
    for (const char* shard : {"1", "2"})
      shards_.push_back(json_of(sample(
          {"--shard", std::string(shard) + "/2", "--out", path(std::string(shard) + ".ndjson")})));
  }

  std::string folder_ =
      temporary_folder() + "/" + ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::vector<Json> shards_;
};

TEST_F(SweepParts, ShardsAreMergedToTheWhole) {
  make_shards();
  const Json whole = json_of(sample({}));
  const Json merged = json_of({"--merge", path("1.ndjson"), path("2.ndjson")});
  EXPECT_EQ(timeless(merged), timeless(whole));
  EXPECT_TRUE(merged["complete"]);
  EXPECT_TRUE(merged["versions"].contains("impl")) << merged["versions"];
  for (const Json& shard : shards_) EXPECT_FALSE(shard["complete"]) << "a shard is a part";
  // The file `both` has the lines of two parts, so one part is given twice.
  write(path("both"), file_text(path("1.ndjson")) + file_text(path("2.ndjson")));
  EXPECT_EQ(timeless(json_of({"--merge", path("both"), path("1.ndjson")})), timeless(whole));
}

TEST_F(SweepParts, ASecondSweepOfOneFileIsRefused) {
  write(path("1.ndjson"), "");
  {
    const WriterLock other(path("1.ndjson"));
    EXPECT_TRUE(complains(run_sweep(sample({"--out", path("1.ndjson")})), {"another run"}));
    EXPECT_EQ(file_text(path("1.ndjson")), "");
  }
  EXPECT_EQ(run_sweep(sample({"--out", path("1.ndjson")})).exit_code, 0);
}

TEST_F(SweepParts, ADeviceIsNoFileToGoOnFrom) {
  for (const std::string device : {"/dev/full", "/dev/stdout"})
    EXPECT_TRUE(complains(run_sweep(sample({"--out", device})), {device, "name a file"}));
}

TEST_F(SweepParts, OneShardAloneIsIncomplete) {
  make_shards();
  const Json merged = run_sweep({"--merge", path("1.ndjson"), "--json", "-"}).json(3);
  EXPECT_FALSE(merged["complete"]);
  EXPECT_EQ(merged["sides"]["impl:cpu"]["inputs"], shards_[0]["sides"]["impl:cpu"]["inputs"]);
}

TEST_F(SweepParts, AShardOfEveryInputIsNotExhaustive) {
  const auto shard = [](const std::string& text) {
    return json_of({"sqrt", "--dtype", "float32", "--side", "impl:cpu", "--shard", text});
  };
  const Json part = shard("1018/4096");
  EXPECT_FALSE(part["exhaustive"]);
  EXPECT_FALSE(part["complete"]);
  EXPECT_TRUE(json_of({"sqrt", "--dtype", "float16", "--side", "impl:cpu"})["exhaustive"]);
}

/// 65,536 inputs are fewer chunks than shards, so the last shard has none. It says so.
TEST_F(SweepParts, AShardWithoutInputSaysSo) {
  const auto ran =
      run_sweep({"sqrt", "--dtype", "float16", "--side", "impl:cpu", "--shard", "4096/4096"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_NE(ran.out.find("over 0 inputs of float16 (shard 4096/4096 has no input: the sweep has"),
            std::string::npos)
      << ran.out;
}

TEST_F(SweepParts, PathsAreMergedToo) {
  const Json whole = json_of(
      {"sqrt", "--dtype", "float16", "--paths", "--side", "impl:cpu", "--out", path("paths")});
  EXPECT_EQ(timeless(json_of({"--merge", path("paths")})), timeless(whole));
  EXPECT_TRUE(whole["complete"]);
}

TEST_F(SweepParts, AFinishedFileKeepsItsVersions) {
  const Json first = json_of(sample({"--out", path("file")}));
  EXPECT_FALSE(first["versions"].empty());
  EXPECT_EQ(json_of(sample({"--out", path("file")}))["versions"], first["versions"]);
}

TEST_F(SweepParts, OtherVersionsAreRefused) {
  make_shards();
  const std::string before = file_text(path("1.ndjson"));
  const std::string impl = shards_[0]["versions"]["impl"];
  const std::string older = replaced(before, "\"impl\":\"" + impl + "\"", "\"impl\":\"0.0.1\"");
  write(path("older"), older);
  EXPECT_TRUE(complains(run_sweep({"--merge", path("2.ndjson"), path("older")}), {"impl " + impl}));
  write(path("1.ndjson"), older.substr(0, older.rfind("{\"chunk\"")));  // the part lacks a chunk
  EXPECT_TRUE(
      complains(run_sweep(sample({"--shard", "1/2", "--out", path("1.ndjson")})), {"impl 0.0.1"}));
  write(path("joined"), before + older);
  EXPECT_TRUE(complains(run_sweep({"--merge", path("joined")}), {"impl " + impl}));
}

TEST_F(SweepParts, OtherSidesAreRefused) {
  make_shards();
  EXPECT_TRUE(
      complains(run_sweep(sample({"--out", path("1.ndjson")}, "truth")), {"holds another sweep"}));
  json_of(sample({"--out", path("truth")}, "truth"));
  EXPECT_TRUE(
      complains(run_sweep({"--merge", path("1.ndjson"), path("truth")}), {"holds another sweep"}));
}

TEST_F(SweepParts, ADamagedFileIsOneLine) {
  make_shards();
  const std::string right = file_text(path("1.ndjson"));
  const std::string other = "{\"chunk\": 7}\n";
  for (const std::string& text : {right + other, std::string("{}\n"), std::string("[1]\n"),
                                  right + "[1]\n", replaced(right, "\"inputs\":", "\"outputs\":"),
                                  replaced(right, "\"chunks\":", "\"blocks\":")}) {
    write(path("damaged"), text);
    EXPECT_TRUE(complains(run_sweep({"--merge", path("damaged")})));
  }
  EXPECT_TRUE(complains(run_sweep({"--merge", path("nothing")}), {"holds no sweep"}));
  EXPECT_TRUE(complains(run_sweep({"tan", "--merge", path("1.ndjson")}),
                        {"--merge takes no op and no other flags"}));
}

TEST_F(SweepParts, ASeedDrawsOtherInputs) {
  const Json first = json_of(sample({})), again = json_of(sample({"--seed", "0"})),
             other = json_of(sample({"--seed", "1000"}));
  EXPECT_EQ(timeless(again), timeless(first));
  EXPECT_NE(other["sides"], first["sides"]);
  const std::string worst = other["sides"]["impl:cpu"]["worst"][0]["input"];
  EXPECT_TRUE(holds(worst, "of seed 100"));
  EXPECT_TRUE(complains(run_sweep({"sin", "--seed", "3"}), {"--seed needs --samples"}));
}

}  // namespace
}  // namespace upcast::tools::testing
