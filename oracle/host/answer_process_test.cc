#include "oracle/host/answer_process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "oracle/host/plan_digest.h"
#include "oracle/testing/fake_sides.h"
#include "oracle/testing/usage_error.h"

namespace upcast {
namespace {

const std::string kWorker = UPCAST_BINARY_DIR "/bin/upcast-test-worker";

class AnswerProcessTest : public ::testing::Test {
 protected:
  void SetUp() override { setenv("UPCAST_WORKER", kWorker.c_str(), 1); }
  void TearDown() override {
    unsetenv("UPCAST_WORKER");
    unsetenv("UPCAST_TEST_OTHER_INPUTS");
    unsetenv("UPCAST_TEST_CANNOT_START");
  }

  static WorkerSetup setup() {
    WorkerSetup made;
    made.lines = testing::seeded_lines(3);
    return made;
  }
  static BlockRequest whole() {
    BlockRequest request;
    request.count = 3;
    return request;
  }
  static std::string refusal(std::string_view side) {
    return usage_error_of([&] { AnswerProcess(parse_side(side), setup()); });
  }
};

TEST_F(AnswerProcessTest, AnswersInOrder) {
  AnswerProcess process(parse_side("test:right"), setup());
  EXPECT_EQ(process.versions().at("test"), "1");
  process.announce(whole());
  Answer answer;
  for (const char* expected : {"float32[1]{0}", "float32[1]{1}", "float32[1]{2}"}) {
    ASSERT_TRUE(process.next(answer));
    EXPECT_EQ(to_text(answer), expected);
  }
}

TEST_F(AnswerProcessTest, SaysHowItEnded) {
  AnswerProcess process(parse_side("test:crash?1"), setup());
  process.announce(whole());
  Answer answer;
  EXPECT_TRUE(process.next(answer));
  EXPECT_FALSE(process.next(answer));
  EXPECT_EQ(process.end().text(), "crash(SIGFPE)");
}

TEST_F(AnswerProcessTest, DoesNotWaitForOneThatHangs) {
  AnswerProcess process(parse_side("test:hang?0"), setup());
  process.announce(whole());
  Answer answer;
  EXPECT_FALSE(process.next(answer, 0.1));
  const ExitStatus end = process.end();
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_EQ(end.text(), "timeout");
}

TEST_F(AnswerProcessTest, ProgramThatMakesOtherCasesIsRefused) {
  setenv("UPCAST_TEST_OTHER_INPUTS", "1", 1);
  EXPECT_EQ(refusal("test:right"),
            "upcast-test-worker is of another build than this program, so that the two make "
            "different cases; build both again (ninja)");
}

TEST_F(AnswerProcessTest, VersionThatIsNotThereSaysHowToGetIt) {
  EXPECT_EQ(refusal("libtorch@9.8.7:cpu"),
            "libtorch@9.8.7: it has no worker next to this program; build it: "
            "ci/libtorch_version.sh 9.8.7");
}

TEST_F(AnswerProcessTest, ProgramThatDoesNotStartIsNamed) {
  setenv("UPCAST_TEST_CANNOT_START", "1", 1);
  EXPECT_EQ(refusal("test:right"), "the worker of test:right did not start: " + kWorker);
}

TEST(InputsDigest, LeavesOutWhatIsLargerThanMemory) {
  const auto digest = [](const char* line) {
    return inputs_digest(testing::plan_of_lines({line}));
  };
  EXPECT_EQ(digest("exp(float32[1099511627776])"), digest("exp(float32[1099511627776])"));
  EXPECT_NE(digest("exp(float32[3], seed=1)"), digest("exp(float32[3], seed=2)"));
}

}  // namespace
}  // namespace upcast
