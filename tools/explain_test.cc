// Tests of explain, list and --help.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "cases/grid.h"
#include "cases/notation.h"
#include "tools/explanation.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

Json explained(const std::string& line) {
  return run_upcast({"explain", line, "--json", "-"}).json();
}

TEST(Explain, ShowsEachStep) {
  const Json json = explained("add(int32[3], 5.5)");
  ASSERT_EQ(json.at("operands").size(), 2U);
  EXPECT_EQ(json.at("operands")[0].at("kind"), "dim");
  EXPECT_EQ(json.at("operands")[1].at("kind"), "wrapped");
  EXPECT_EQ(json.at("operands")[1].at("category"), "floating");
  EXPECT_EQ(json.at("operands")[1].at("priority"), 1);
  EXPECT_EQ(json.at("operands")[1].at("enters_as"), "float32");
  EXPECT_EQ(json.at("operands")[1].at("slots"),
            (Json{{"dim", "int32"}, {"zero_dim", "-"}, {"wrapped", "float32"}}));
  ASSERT_EQ(json.at("combine").size(), 2U);
  EXPECT_EQ(json.at("combine")[1].at("rule"),
            "a floating slot of lower priority promotes an integral one");
  EXPECT_EQ(json.at("common_dtype"), "float32");
  EXPECT_EQ(json.at("promotion_kind").at("strategy_2020"), "PROMOTE");
}

TEST(Explain, TellsNoValuesOfTooManyElements) {
  const CommandResult large = run_upcast({"explain", "add(int32[500000000], 5)"});
  EXPECT_EQ(large.exit_code, 0);
  EXPECT_NE(
      large.out.find("impl:cpu  int32[500000000]  (values are shown for at most 16777216 elements; "
                     "this call has 500000000)"),
      std::string::npos)
      << large.out;
  for (const char* line :
       {"bitwise_left_shift(int64[65536,1], int64[65600])", "exp(float32[2]:strides(3000000000))"})
    EXPECT_NE(run_upcast({"explain", line}).out.find("values are shown for at most"),
              std::string::npos)
        << line;
  EXPECT_EQ(run_upcast({"explain", "exp(float32[1024])"}).out.find("values are shown"),
            std::string::npos)
      << "a control";
  const CommandResult asked =
      run_upcast({"explain", "exp(int8[500000000])", "--oracle", "libtorch:cpu"});
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_NE(asked.err.find("with an oracle, explain takes at most 16777216 elements"),
            std::string::npos);
}

TEST(Explain, SaysOnceWhatALineExpectsInVain) {
  const auto ends = [](const std::string& line, const std::string& end) {
    const std::string out = run_upcast({"explain", line}).out;
    EXPECT_TRUE(out.ends_with(end + "\n")) << out;
  };
  ends("add(int8[1]{1}, 2) -> int8[1]", "  impl:cpu  int8[1]{3}  as expected");
  ends("add(int8[1]{1}, 2) -> int16[1]", "  impl:cpu  int8[1]{3}  the line expects int16");
}

TEST(Explain, ShowsTheDefaultDType) {
  const Json json = explained("add(int32[3], 1j) @default=float16");
  EXPECT_EQ(json.at("operands")[1].at("enters_as"), "complex32");
  EXPECT_EQ(json.at("result_dtype"), "complex32");
}

TEST(Explain, ShowsTheComputeDType) {
  EXPECT_EQ(explained("mul(float16[3], float16[3])").at("compute_dtype"), "float32");
}

TEST(Explain, ShowsARefusal) {
  const Json json = explained("sub(bool[2], float32[2])");
  EXPECT_EQ(json.at("refusal").at("code"), "unsupported_dtype");
  EXPECT_FALSE(json.contains("result_dtype"));
}

TEST(Explain, ShowsAPairThatDoesNotPromote) {
  const Json json = explained("add(uint16[3], int32[3])");
  EXPECT_EQ(json.at("combine")[1].at("result"), "none");
  EXPECT_EQ(json.at("refusal").at("code"), "promotion");
}

TEST(Explain, TextHoldsTheSameFacts) {
  const std::string text = run_upcast({"explain", "add_.Tensor(int32[3], 5.5)"}).out;
  for (const char* part : {"in_place", "zero_dim", "result_cast"}) {
    EXPECT_TRUE(holds(text, part));
  }
  EXPECT_TRUE(holds(text, "floating never casts to an integral dtype"));
}

TEST(Explain, ShowsTheBuilderOfAnOpWithARuleOfItsOwn) {
  const auto flags = [](const std::string& line) {
    return explained(line).at("promotion_kind").at("iterator_flags");
  };
  const Json into_float{"promote_inputs_to_common_dtype", "promote_integer_inputs_to_float",
                        "cast_common_dtype_to_outputs", "enforce_safe_casting_to_output"};
  EXPECT_EQ(flags("div.out_mode(int32[3], int32[3], rounding_mode=None, out=float64[3])"),
            into_float);
  Json divided = into_float;
  divided.erase(1);
  EXPECT_EQ(flags("div.Tensor_mode(int32[3], int32[3], rounding_mode=\"floor\")"), divided);
  EXPECT_EQ(flags("where.self(bool[2], float32[2], int64[2])"), Json::array()) << "it has none";
}

/// The step that refuses the call, and the refusal's code; "" and "" if no step refuses.
std::pair<std::string, std::string> refusal(const Json& json) {
  if (!json.contains("refusal")) return {};
  return {json.at("refusal").at("step"), json.at("refusal").at("code")};
}

TEST(Explain, NamesTheStepThatRefuses) {
  struct Row {
    const char *line, *step, *code;
  };
  constexpr Row kRows[] = {
      {"add.Scalar_out(float32[2], 1, out=float64[2])", "copy to out", "dtype_mismatch"},
      {"div.Tensor_mode(int32[2], int32[2]{1,0}, rounding_mode=\"floor\")", "kernel run",
       "zero_division"},
      {"add_.Tensor(float32[2], float32[3])", "shape", "shape_mismatch"},
      {"add_.Tensor(float32[1], float32[3])", "resizing", "shape_mismatch"},
      {"add_.Tensor(int32[2], 2.5)", "dtypes", "result_cast"},
      {"add.Tensor(uint16[2], int32[2])", "dtypes", "promotion"},
      {"bitwise_and.Tensor(float32[2], float32[2])", "kernel", "unsupported_dtype"},
      {"add.out(float32[4], float32[4], out=float32[4]:offset(1)+shares(0))", "overlap",
       "memory_overlap"},
      {"add_.Tensor(float32[4]:expanded, float32[4])", "overlap", "memory_overlap"},
      {"masked_fill_.Tensor(float32[2], bool[2], float32[2])", "parts", "shape_mismatch"},
      // an output whose size in bytes differs from each input's is not checked for overlap with
      // them
      {"add_.Tensor(float32[3], float32[])", "", ""},
      {"add.out(float32[3], float32[3], out=float64[3])", "", ""},
  };
  for (const Row& row : kRows) {
    const Json json = explained(row.line);
    EXPECT_EQ(refusal(json), std::pair(std::string(row.step), std::string(row.code))) << row.line;
    const std::string& answer = json.at("answers").at("impl:cpu");
    EXPECT_EQ(answer.starts_with("refuses("), json.contains("refusal")) << row.line << answer;
    // the table ends with the step that refuses, or with the loops
    const Json& last = json.at("iterator").back();
    EXPECT_EQ(last.at("step"), json.contains("refusal") ? row.step : "loops") << row.line;
  }
}

TEST(Explain, NothingIsCastWhereOutMustHaveTheResultDType) {
  EXPECT_EQ(explained("add.Scalar_out(float32[2], 1, out=float64[2])").at("then"), Json::array());
  EXPECT_EQ(explained("add.out(float32[2], 1, out=float64[2])").at("then"),
            (Json{"float32 casts to the output's float64"}));
  EXPECT_EQ(explained("add.out(float32[2], 1, out=int8[2])").at("then"),
            (Json{"float32 does not cast to the output's int8: floating never casts to an "
                  "integral dtype"}));
}

TEST(Explain, ShowsTheCallsThatACompositionMakes) {
  const Json json = explained("isclose(float32[2], float32[2])");
  EXPECT_FALSE(json.contains("common_dtype")) << "each call has its own";
  EXPECT_EQ(json.at("result_dtype"), "bool");
  EXPECT_EQ(json.at("iterator")[0],
            (Json{{"step", "calls eq.Tensor"}, {"finds", "common float32, result bool"}}));
}

TEST(Explain, PlansACaseOnCuda) {
  const Json json = explained("add.Tensor(float32[2,3], int64[3]) @device=cuda");
  EXPECT_EQ(json.at("iterator").back(), (Json{{"step", "32-bit"}, {"finds", "one piece"}}));
  EXPECT_TRUE(json.contains("result_dtype"));
}

TEST(Explain, ShowsTheWayOfEachOperand) {
  const auto reads = [](const std::string& line) -> std::string {
    const Json json = explained(line);
    for (const Json& row : json.at("iterator"))
      if (row.at("step") == "reads") return row.at("finds");
    return "";
  };
  EXPECT_EQ(reads("mul(float16[1]{0.5}, 100000.0)"),
            "self float16 to float32; other float64 to float32, not rounded to float16");
  EXPECT_EQ(reads("mul(float16[1]{0.5}, int64[1])"),
            "self float16 to float32; other int64 to float16 to float32");
  EXPECT_EQ(reads("eq(float16[1]{0.5}, 100000.0)"),
            "self float16 to float32; other float64 to float16 to float32");
  EXPECT_EQ(reads("mul(float32[1], float32[1])"), "self float32; other float32");
}

TEST(Explain, ANumberLeavesTheLoopOfAGpu) {
  const std::string out =
      run_upcast({"explain", "mul(float16[1]{0.5}, 100000.0) @device=cuda"}).out;
  EXPECT_NE(out.find("self float16 to float32; other float64 to float32, not rounded to float16, "
                     "passed to the kernel as an argument, outside the loop\n"),
            std::string::npos)
      << out;
  EXPECT_TRUE(out.ends_with("  impl:cuda, computed on the host  float16[1]{49984}\n")) << out;
}

// Follows the explained steps of combining slots: they must lead to the common dtype of
// promote_call().
TEST(Explain, StepsLeadToTheOutcome) {
  std::int64_t checked = 0;
  for (const GridRow& row : make_grid("smoke").rows) {
    Case c = row.prototype;
    for (std::int64_t index = 0; index < row.count; ++index) {
      row.decode(index, c);
      const Explanation told(c);
      const bool decided_by_slots = told.kind() == PromotionKind::kDefault &&
                                    !told.combinations().empty() && c.form == Form::kFunctional;
      if (!decided_by_slots || told.traced.answer.tag != Answer::Tag::kTensor) continue;
      ASSERT_EQ(told.combinations().back().slots.result, DTypeResult(told.dtypes().common))
          << print_case(c);
      ++checked;
    }
  }
  EXPECT_GT(checked, 500);
}

TEST(Command, StartsWithoutLibTorchInMilliseconds) {
  const std::vector<Words> commands{{"--help"},
                                    {"run", "--help"},
                                    {"list", "ops"},
                                    {"list", "dtypes"},
                                    {"explain", "add(int32[3], 5.5)"}};
  for (const auto& command : commands) {
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
      const auto began = std::chrono::steady_clock::now();
      EXPECT_EQ(run_upcast(command).exit_code, 0);
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - began;
      best = std::min(best, took.count());
    }
    std::printf("upcast %s: %.1f ms\n", command[0].c_str(), best);
  }
  // explain, list and --help are fast because upcast is not linked with LibTorch; ctest's
  // package.links tests that.
}

TEST(List, ListsAreFilteredAndJson) {
  const auto rows = [](const Words& words) {
    return run_upcast(joined({"list", "--json", "-"}, words)).json().at("rows");
  };
  const Json ops = rows({"ops", "ADD"});
  EXPECT_TRUE(
      std::any_of(ops.begin(), ops.end(), [](const Json& row) { return row.at("op") == "add"; }));
  EXPECT_TRUE(
      std::none_of(ops.begin(), ops.end(), [](const Json& row) { return row.at("op") == "mul"; }));
  EXPECT_EQ(rows({"dtypes"}).size(), 48U);
  for (const char* what : {"dispatch", "grids", "subjects", "rules", "kinds"}) {
    EXPECT_GT(rows({what}).size(), 1U) << what;
  }
}

}  // namespace
}  // namespace upcast::tools::testing
