// Tests of `upcast run` over a part of a grid: the part that its user selects, and that its subject
// claims.
#include <gtest/gtest.h>

#include <filesystem>

#include "reports/run_store.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

/// The subject `kFew`: a plug-in whose manifest claims only add.Tensor of float32, in all forms.
const std::string kFew = "plugin:" UPCAST_BINARY_DIR "/plugins/libbroken_none.so";
const std::string kAll = "plugin:" UPCAST_BINARY_DIR "/plugins/libupcast_impl_plugin.so";

class ClaimRun : public ::testing::Test {
 protected:
  void SetUp() override { use_test_worker(); }

  static CommandResult run(const std::string& subject, Words more = {}) {
    return run_upcast(joined({"run", "--grid", "smoke", "--known", write_file("none.toml", ""),
                              "--subject", subject, "--oracle", "impl:cpu", "--jobs", "1"},
                             more));
  }
  static Json json_of(const std::string& subject, const Words& more = {}) {
    return run(subject, joined(more, {"--json", "-"})).json();
  }
  static std::string new_store(const std::string& name) {
    std::string path = temporary_folder() + "/" + name;
    for (const char* end : {"", "-wal", "-shm", ".lock"}) std::filesystem::remove(path + end);
    return path;
  }
};

TEST_F(ClaimRun, APlanHoldsWhatTheManifestClaimsAndTheRestIsCounted) {
  const Json whole = json_of("impl:cpu");
  const Json few = json_of(kFew);
  EXPECT_TRUE(includes(few, {{"ran", few.at("planned")}, {"unexplained", 0}}));
  EXPECT_GT(few.at("agree"), 0);
  EXPECT_LT(few.at("planned"), 100);
  EXPECT_TRUE(includes(few.at("coverage"), {{"cases", whole.at("planned")},
                                            {"claimed_cases", few.at("planned")},
                                            {"judged_cases", few.at("agree")},
                                            {"ops", whole.at("coverage").at("ops")},
                                            {"claimed_ops", 1},
                                            {"answered_ops", 1}}));
  EXPECT_TRUE(
      includes(whole.at("coverage"),
               {{"claimed_cases", whole.at("planned")}, {"claimed_ops", 8}, {"answered_ops", 8}}));
  EXPECT_EQ(json_of(kAll).at("coverage"), whole.at("coverage")) << "a manifest without limits";
}

TEST_F(ClaimRun, LittleThatIsJudgedIsNoPass) {
  const CommandResult few = run(kFew);
  EXPECT_TRUE(prints(few, 3,
                     {"agrees with impl:cpu in all ", " judged cases; ", " were not judged.",
                      "outside of its manifest: ", "7 of 8 ops", "less than 50 % was judged"}));
  EXPECT_FALSE(holds(few.out, "behaves as"));
  const CommandResult all = run(kAll);
  EXPECT_TRUE(prints(all, 0, {"behaves as impl:cpu in all "})) << "control";
  EXPECT_FALSE(holds(all.out, "outside of its manifest"));
  const Words fitting{"--ops", "add.Tensor", "--dtypes", "float32", "--kinds", "dim"};
  EXPECT_TRUE(prints(run(kFew, fitting), 0, {"behaves as impl:cpu in all 3 cases."}))
      << "of what the user selects it is enough";
}

TEST_F(ClaimRun, TheUserSaysHowMuchIsEnough) {
  EXPECT_EQ(run(kFew, {"--min-judged", "4"}).exit_code, 0);
  EXPECT_TRUE(
      prints(run(kFew, {"--min-judged", "80%"}), 1, {"too little was judged: --min-judged 80%: "}));
  EXPECT_TRUE(prints(run(kFew, {"--min-judged", "1000"}), 1, {"--min-judged 1000: "}));
  EXPECT_EQ(run(kAll, {"--min-judged", "80%"}).exit_code, 0);
  EXPECT_TRUE(json_of(kFew, {"--min-judged", "80%"}).contains("too_little_judged"));
  EXPECT_FALSE(json_of(kFew, {"--min-judged", "4"}).contains("too_little_judged"));
  EXPECT_EQ(run(kFew, {"--ops", "neg", "--min-judged", "1"}).exit_code, 1) << "none is judged";
  for (const char* wrong : {"many", "-1", "101%", "1.5"})
    EXPECT_TRUE(complains(run(kFew, {"--min-judged", wrong}), {"write 1000 or 80%"}));
}

TEST_F(ClaimRun, WhatIsClaimedNowhereInTheGridIsNoPass) {
  const CommandResult none = run(kFew, {"--ops", "neg,sqrt"});
  EXPECT_TRUE(prints(none, 3, {" claims none of ", "this is not a pass"}));
}

TEST_F(ClaimRun, ASelectionIsTheWholeThatIsSpokenOf) {
  const Json add = json_of("impl:cpu", {"--ops", "add", "--forms", "functional"});
  const Json dim = json_of("impl:cpu", {"--ops", "add", "--forms", "functional", "--kinds", "dim"});
  EXPECT_EQ(add.at("coverage").at("cases"), add.at("planned"));
  EXPECT_EQ(add.at("coverage").at("ops"), 1);
  EXPECT_LT(dim.at("planned"), add.at("planned"));
  EXPECT_EQ(dim.at("source"), "grid smoke, --ops add --forms functional --kinds dim");
  EXPECT_TRUE(complains(run("impl:cpu", {"--ops", "ad"}), {"did you mean add?"}));
  EXPECT_TRUE(complains(run("impl:cpu", {"--ops", "mul"}), {"selects no case of grid smoke"}));
  EXPECT_TRUE(
      complains(run_upcast({"run", "--grid", "rulebooks", "--ops", "add"}), {"leave out --ops"}));
}

TEST_F(ClaimRun, AListIsSelectedFromAndEachOfItsCasesHasAVerdict) {
  const auto list = [](Words more) {
    return run_upcast(joined(
        {"run", "add(int8[2], 3)", "mul(float32[2], float32[2])", "add(float32[2], float32[2])",
         "--known", write_file("none.toml", ""), "--subject", kFew, "--oracle", "impl:cpu"},
        more));
  };
  const CommandResult all = list({"--min-judged", "1"});
  EXPECT_TRUE(prints(all, 0,
                     {"no such dtype: int8", "no such op", "not asked",
                      "outside of its manifest: 2 of 3 cases, 1 of 2 ops"}));
  const Json json = list({"--json", "-"}).json(3);
  EXPECT_TRUE(includes(json, {{"planned", 3}, {"not_judged", 2}}));
  EXPECT_TRUE(includes(json.at("coverage"), {{"cases", 3}, {"claimed_cases", 1}}));
  EXPECT_TRUE(includes(list({"--ops", "add", "--dtypes", "float32", "--json", "-"}).json(0),
                       {{"planned", 1}, {"agree", 1}}));
}

TEST_F(ClaimRun, TheOracleDoesNotDieOfWhatTheSubjectDoesNotHave) {
  const auto run_of = [](const char* line) {
    return run_upcast({"run", line, "--known", write_file("none.toml", ""), "--subject", kFew,
                       "--oracle", "test:crash", "--json", "-"})
        .json();
  };
  EXPECT_TRUE(includes(run_of("mul(float32[2], float32[2])"), {{"crash", 0}, {"not_judged", 1}}));
  EXPECT_TRUE(includes(run_of("add(float32[2], float32[2])"), {{"crash", 1}, {"not_judged", 0}}))
      << "control";
  EXPECT_TRUE(includes(run_of("mul(float32[2], float32[2]) -> refuses"), {{"crash", 1}}))
      << "an expectation is the oracle's too";
}

TEST_F(ClaimRun, ShardsAreMergedAndAStoreGoesOn) {
  const Words part{"--ops", "add,div", "--block", "8", "--min-judged", "1"};
  const std::string whole = new_store("whole.db"), merged = new_store("merged.db");
  ASSERT_EQ(run(kFew, joined(part, {"--out", whole})).exit_code, 0);
  Words stores{"merge"};
  for (const char* shard : {"1/2", "2/2"}) {
    stores.push_back(new_store(std::string("shard") + shard[0] + ".db"));
    const CommandResult ran = run(kFew, joined(part, {"--shard", shard, "--out", stores.back()}));
    EXPECT_TRUE(prints(ran, 0, {"the subject claims "}));
  }
  const CommandResult together = run_upcast(joined(stores, {"-o", merged}));
  EXPECT_TRUE(prints(together, 3, {"outside of its manifest: ", "1 of 2 ops", "less than 50 %"}));
  const std::string again = new_store("again.db");
  EXPECT_EQ(run_upcast(joined(stores, {"-o", again, "--min-judged", "1"})).exit_code, 0);
  EXPECT_EQ(reports::RunStore::open(merged).content_digest(),
            reports::RunStore::open(whole).content_digest());
  const std::string digest = reports::RunStore::open(whole).content_digest();
  EXPECT_EQ(run(kFew, joined(part, {"--out", whole})).exit_code, 0) << "the same plan goes on";
  EXPECT_EQ(reports::RunStore::open(whole).content_digest(), digest);
  EXPECT_TRUE(complains(run(kFew, {"--ops", "add", "--out", whole}), {"holds another run"}));
  EXPECT_TRUE(complains(run(kAll, joined(part, {"--out", whole})), {"manifest has changed"}));
}

TEST_F(ClaimRun, AnInterruptedRunGoesOnWithWhatIsClaimed) {
  const Words part{"--block", "4", "--out", new_store("killed.db"), "--min-judged", "1"};
  int killed = 0;
  for (double seconds = 0.01; seconds < 20; seconds *= 1.15) {
    const CommandResult result =
        run_upcast(joined({"run", "--grid", "smoke", "--known", write_file("none.toml", ""),
                           "--subject", kFew, "--oracle", "impl:cpu", "--jobs", "1"},
                          part),
                   "", seconds);
    if (result.exit_code == 128 + 9) {
      ++killed;
      continue;
    }
    EXPECT_GT(killed, 0);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(json_of(kFew).at("agree"), json_of(kFew, part).at("agree"));
    return;
  }
  FAIL() << "it does not come to an end";
}

// `upcast diff` says "worse" if a manifest loses an op, although the later plan holds no case of
// it. It does not if a manifest gains an op.
TEST_F(ClaimRun, ADiffKnowsWhatIsNotClaimedAnyMore) {
  const std::string few = new_store("few.db"), all = new_store("all.db");
  ASSERT_EQ(run(kFew, {"--ops", "add,neg", "--out", few}).exit_code, 3);
  ASSERT_EQ(run(kAll, {"--ops", "add,neg", "--out", all}).exit_code, 0);
  const Json gained = run_upcast({"diff", few, all, "--json", "-"}).json(0);
  EXPECT_GT(gained.at("newly_judged"), 0);
  EXPECT_TRUE(includes(gained, {{"added", 0}, {"removed", 0}, {"worse", 0}}));
  const Json lost = run_upcast({"diff", all, few, "--json", "-"}).json(1);
  EXPECT_TRUE(includes(lost, {{"no_longer_judged", gained.at("newly_judged")},
                              {"worse", gained.at("newly_judged")},
                              {"removed", 0},
                              {"same", gained.at("same")}}));
  EXPECT_EQ(lost.at("rows").at(0).at("new").at("verdict"), "not_judged");
  EXPECT_TRUE(prints(run_upcast({"diff", all, few, "--limit", "9999"}), 1,
                     {"no longer judged: ", "no such "}));
  const Words gate{"--ops", "add,neg", "--baseline", few};
  EXPECT_EQ(run(kFew, gate).exit_code, 0) << "a baseline has no floor";
  EXPECT_EQ(run(kFew, joined(gate, {"--min-judged", "80%"})).exit_code, 1) << "unless it is named";
  // If the user no longer selects an op, its cases count as removed, not as worse.
  const std::string one = new_store("one.db");
  ASSERT_EQ(run(kAll, {"--ops", "add", "--out", one}).exit_code, 0);
  const Json selected = run_upcast({"diff", all, one, "--json", "-"}).json(0);
  EXPECT_GT(selected.at("removed"), 0);
  EXPECT_EQ(selected.at("worse"), 0);
}

TEST_F(ClaimRun, OutputsSpeakOfWhatWasJudged) {
  const std::string few = new_store("outputs.db"), all = new_store("all_outputs.db");
  run(kFew, {"--out", few});
  run(kAll, {"--out", all});
  const auto output = [](const std::string& store, const char* flag) {
    return run_upcast({"report", store, flag, "-"}).out;
  };
  EXPECT_TRUE(holds(output(few, "--badge"), "\"lightgrey\""));
  EXPECT_TRUE(holds(output(few, "--badge"), " judged, 0.01 % covered"));
  EXPECT_TRUE(holds(output(all, "--badge"), "\"brightgreen\""));
  EXPECT_FALSE(holds(output(all, "--badge"), "covered"));
  EXPECT_TRUE(holds(output(few, "--step-summary"), "## ⚪"));
  EXPECT_TRUE(holds(output(few, "--step-summary"), "outside of its manifest: "));
  EXPECT_TRUE(holds(output(all, "--step-summary"), "## ✅"));
  EXPECT_TRUE(holds(output(few, "--junit"), "<skipped message=\""));
  EXPECT_FALSE(holds(output(all, "--junit"), "<skipped"));
  EXPECT_TRUE(holds(output(few, "--ctrf"), "\"skipped\": 1"));
  EXPECT_TRUE(holds(output(all, "--ctrf"), "\"skipped\": 0"));
  EXPECT_TRUE(holds(output(few, "--sarif"), "\"level\": \"warning\""));
  EXPECT_TRUE(holds(output(few, "--sarif"), " were not judged."));
  EXPECT_FALSE(holds(output(all, "--sarif"), "\"level\": \"warning\""));
}

}  // namespace
}  // namespace upcast::tools::testing
