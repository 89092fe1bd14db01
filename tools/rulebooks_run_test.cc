// Tests of upcast run --grid rulebooks, with controls that must make it fail.
#include <gtest/gtest.h>

#include <regex>

#include "cases/text_file.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

const std::string kFolder = UPCAST_SOURCE_DIR "/cases/rulebooks/";

/// Writes a file with the built-in pairs and declarations, in which one text is replaced, and
/// returns its path.
std::string changed_declarations(const std::string& from, const std::string& to) {
  const std::string text = file_text(kFolder + "pairs.toml") + file_text(kFolder + "declared.toml");
  return write_file("rulebooks.toml", replaced(text, from, to));
}

CommandResult run_pair(const std::string& book, const std::string& table, Words more = {}) {
  return run_upcast(joined(
      {"run", "--grid", "rulebooks", "--subject", "rulebook:" + book, "--oracle", "table:" + table},
      more));
}

TEST(RulebooksRun, EveryCellAgreesOrIsDeclared) {
  const Json json = run_upcast({"run", "--grid", "rulebooks", "--json", "-"}).json(0);
  EXPECT_TRUE(includes(json, {{"planned", json.at("ran")}, {"unexplained", 0}}));
  const Json& total = json.at("rulebooks").at("total");
  EXPECT_GT(total.at("cells"), 240'000);
  EXPECT_GT(total.at("agree"), 150'000);
  EXPECT_EQ(total.at("cells").get<int>(),
            total.at("agree").get<int>() + total.at("declared").get<int>() +
                total.at("outside").get<int>() + total.at("silent").get<int>() +
                total.at("no_kernel").get<int>());
  for (const Json& pair : json.at("rulebooks").at("pairs"))
    EXPECT_GT(pair.at("agree"), 0) << pair.at("book") << pair.at("table");
  EXPECT_EQ(json.at("rulebooks").at("systems").size(), 15U * 14 / 2);
  EXPECT_FALSE(json.at("rulebooks").at("left_out").empty());
}

TEST(RulebooksRun, EveryDeclarationIsToldInTheDocument) {
  const std::string page = file_text(UPCAST_SOURCE_DIR "/docs/rulebooks.md");
  const std::string declared = file_text(kFolder + "declared.toml");
  const std::regex id("(^|\\n)id = \"([A-Z][0-9]+)");  // the id C2-1.18 is of the difference C2
  int ids = 0;
  for (std::sregex_iterator found(declared.begin(), declared.end(), id), end; found != end;
       ++found) {
    EXPECT_TRUE(std::regex_search(page, std::regex("\\b" + found->str(2) + "\\b")))
        << found->str(2);
    ++ids;
  }
  EXPECT_GT(ids, 40);
  EXPECT_FALSE(std::regex_search(page, std::regex("\\bC99\\b"))) << "the control";
}

TEST(RulebooksRun, ADeclarationThatIsMissingLeavesCellsUnexplained) {
  const std::string known = changed_declarations(
      "book = \"proposal-9515\"\ntable = \"pytorch_2.15.0\"\n"
      "tables = [\"result_type.*\"",
      "book = \"proposal-9515\"\ntable = \"pytorch_2.15.0\"\n"
      "tables = [\"nothing.*\"");
  EXPECT_TRUE(prints(run_pair("proposal-9515", "pytorch_2.15.0", {"--known", known}), 1,
                     {"unexplained   22", "declaration B1"}));
}

TEST(RulebooksRun, ABookThatSaysNothingInMoreCellsThanItsPairSaysFails) {
  // The pair now declares one silent cell less than there are.
  const std::string known = changed_declarations("silent = 378", "silent = 377");
  EXPECT_TRUE(prints(run_pair("thesis-onnx", "onnx_1.23.2_ort_1.31.1", {"--known", known}), 1,
                     {"unexplained   0", "thesis-onnx says nothing about 378 cells"}));
}

TEST(RulebooksRun, ADeclarationWithAWrongCountFails) {
  const std::string known = changed_declarations("[\"c64\", \"c128\", ", "[\"c64\", \"c128\", 9");
  const CommandResult result =
      run_pair("paddle-document", "paddle_3.3.1_dygraph", {"--known", known});
  EXPECT_TRUE(prints(
      result, 1,
      {"unexplained   0", "declaration P1: the book says complex64 and the library complex128"}));
}

TEST(RulebooksRun, GoesOnInItsStoreAndIsReported) {
  const std::string store = temporary_folder() + "/rulebooks.db";
  const std::string page = temporary_folder() + "/rulebooks.html";
  const std::string table = temporary_folder() + "/rulebooks.md";
  EXPECT_EQ(run_pair("all", "jax_0.10.2_x64", {"--out", store}).exit_code, 0);
  EXPECT_EQ(run_pair("all", "jax_0.10.2_x64", {"--out", store}).exit_code, 0);
  EXPECT_EQ(run_pair("all", "numpy_2.4.6", {"--out", store}).exit_code, 2) << "another plan";
  EXPECT_TRUE(prints(run_upcast({"report", store, "--html", page, "--markdown", table}), 0,
                     {"jax-strict / jax_0.10.2_x64"}));
  const std::string html = file_text(page);
  EXPECT_TRUE(holds(html, "<details><summary>jax-x64 / jax-x32"));
  EXPECT_TRUE(holds(html, "href=\"#systems\""));
  EXPECT_TRUE(
      holds(html,
            "data-copy=\"upcast run --grid rulebooks --subject &#39;rulebook:jax-strict&#39; "
            "--oracle &#39;table:jax_0.10.2_x64&#39;\""));
  EXPECT_FALSE(holds(html, "data-copy=\"upcast run &#39;")) << "cells are no cases";
  EXPECT_TRUE(holds(file_text(table), "| jax-x64 / jax_0.10.2_x64 |"));
}

TEST(RulebooksRun, ShardsMakeTheWhole) {
  const std::string first = temporary_folder() + "/first.db";
  const std::string second = temporary_folder() + "/second.db";
  EXPECT_EQ(run_pair("array-api", "all", {"--shard", "1/2", "--out", first}).exit_code, 0);
  EXPECT_EQ(run_pair("array-api", "all", {"--shard", "2/2", "--out", second}).exit_code, 0);
  const CommandResult report = run_upcast({"report", first, second});
  EXPECT_TRUE(holds(report.out, "7,748"));
}

TEST(RulebooksExplain, ShowsAllSideBySideWithTheirRules) {
  const Json json =
      run_upcast({"explain", "--rulebook", "all", "add.Tensor(bool[3], uint8[3])", "--json", "-"})
          .json(0);
  ASSERT_EQ(json.at("rulebooks").size(), 15U);
  std::map<std::string, std::string> answers;
  for (const Json& book : json.at("rulebooks")) {
    EXPECT_FALSE(book.at("rule").get<std::string>().empty());
    answers[book.at("name")] = book.at("answer");
  }
  EXPECT_TRUE(includes(answers, {{"pytorch", "uint8"},
                                 {"paddle", "refuses"},
                                 {"paddle-2.6", "bool"},
                                 {"array-api", "refuses"}}));
}

TEST(RulebooksExplain, TakesALineByTheNamesOfAnySystem) {
  const auto ask = [](const std::string& line) {
    return run_upcast({"explain", "--rulebook", "all", line});
  };
  for (const char* line : {"less_than(int8[3], 1.5)", "np.conjugate(bool[3])",
                           "paddle.nn.functional.smooth_l1_loss("
                           "float16[3], float32[3])",
                           "sin(int64[3], dtype=float64)", "PROMOTE(int8[2], out=int8[2])",
                           "result_type(int8[2], int16[], 1, 2.5)"})
    EXPECT_EQ(ask(line).exit_code, 0) << line;
  // Lines that are neither a case nor a question that some book answers. The message says why the
  // line is no case.
  for (const char* line :
       {"sinn(int8[3])", "less_than(int8[3], ", "less_than()", "less_than", "sin(int8[3], dtype=3)",
        "sin(int8[3], dtype=int8, out=int8[3])", "promote_types(int8)", "mod(int8[3], alpha=2)"}) {
    const CommandResult result = ask(line);
    EXPECT_EQ(result.exit_code, 2) << line << result.out;
    EXPECT_EQ(result.err.rfind("upcast: column ", 0), 0U) << result.err;
  }
  EXPECT_EQ(run_upcast({"explain", "less_than(int8[3], 1.5)"}).exit_code, 2)
      << "no case of PyTorch";
}

TEST(RulebooksExplain, AsksOfTheOpset) {
  const auto says = [](const std::string& opset) {
    return run_upcast({"explain", "--rulebook", "thesis-onnx", "--opset", opset, "erf(float32[3])"})
        .out;
  };
  EXPECT_TRUE(holds(says("8"), "refuses"));
  EXPECT_FALSE(holds(says("9"), "refuses"));
  EXPECT_EQ(run_upcast({"explain", "--opset", "13", "erf(float32[3])"}).exit_code, 2)
      << "opsets are of rule books";
}

TEST(RulebooksExplain, ShowsOneAndItsFunctionFormWhereThatDiffers) {
  const CommandResult result =
      run_upcast({"explain", "--rulebook", "paddle", "add.Tensor(float16[3], 1.5)"});
  EXPECT_TRUE(prints(result, 0, {"float16", "as a function"}));
  EXPECT_FALSE(holds(result.out, "numpy"));
}

}  // namespace
}  // namespace upcast::tools::testing
