#include "reports/outputs/issue_markdown.h"

#include <gtest/gtest.h>

#include "cases/text_file.h"
#include "reports/outputs/finding_words.h"
#include "reports/outputs/markdown.h"

namespace upcast::reports {
namespace {

MeasuredFinding finding(std::size_t number) {
  return parse_measured_findings(
      read_text_file(UPCAST_SOURCE_DIR "/cases/testing/measured_findings.json"))[number];
}

KnownDifference entry_of(const MeasuredFinding& measured) {
  for (const KnownDifference& entry :
       load_known_differences(UPCAST_SOURCE_DIR "/reports/testing/findings.toml"))
    if (entry.id == measured.id) return entry;
  throw std::out_of_range(measured.id);
}

std::string issue_of(const MeasuredFinding& measured) {
  return issue_markdown({measured, entry_of(measured)});
}

/// The text under a heading of an issue; "" if the issue lacks it.
std::string section(const std::string& issue, const std::string& heading) {
  const std::string start = "\n## " + heading + "\n\n";
  const std::size_t at = issue.find(start);
  if (at == std::string::npos) return "";
  const std::size_t end = issue.find("\n## ", at + 1);
  return issue.substr(at + start.size(), end == std::string::npos ? end : end - at - start.size());
}

TEST(IssueMarkdown, SaysWhoIsRightOnlyWhereThatIsDecided) {
  const MeasuredFinding zeta = finding(0);
  KnownDifference entry = entry_of(zeta);
  entry.no_truth = "the element is not decided";
  entry.reason = "the place of an element decides. Found by upcast fuzz";
  const std::string issue = issue_markdown({zeta, entry});
  EXPECT_TRUE(issue.starts_with(
      "# torch.special.zeta gives nan instead of 8388608 that another path gives (float32)\n\n"
      "The place of an element decides.\n"))
      << issue;
  EXPECT_TRUE(section(issue, "Expected")
                  .starts_with("Every path should give the same answer. Another path gives "))
      << issue;
}

TEST(IssueMarkdown, HasAllThatWasMeasured) {
  const MeasuredFinding zeta = finding(0);
  KnownDifference entry = entry_of(zeta);
  entry.place = "aten/src/ATen/native/Math.h: zeta";
  entry.mend = "leave the loop before the term is infinite";
  entry.related = {"https://github.com/pytorch/pytorch/issues/2"};
  const std::string issue = issue_markdown({zeta, entry});
  EXPECT_TRUE(issue.starts_with(
      "# torch.special.zeta gives nan instead of 8388608 (float32)\n\n"
      "The series of x = 1 + 2^-23 is finite, and its first term * 0 is NaN in a_loop\\_.\n"))
      << issue;
  EXPECT_EQ(section(issue, "To reproduce"), "```python\n" + zeta.python + "```\n");
  EXPECT_EQ(
      section(issue, "Observed"),
      "`nan` (float32[1]).\n\nAmong 10,000 ordinary random inputs in float32, 31 are answered "
      "wrongly; the relative error of those is 0.25 in the median and infinite at most.\n");
  EXPECT_EQ(section(issue, "Expected"),
            "`8388608` (float32[1]).\n\n- This is the exact value, rounded once to the dtype of "
            "the result.\n- PyTorch contradicts itself: `special_zeta(float64[1]{1.0000001}, "
            "float64[1]{2})`, by the vector kernels, without oneDNN, should give the same answer, "
            "but does not.\n");
  EXPECT_TRUE(section(issue, "Affected")
                  .starts_with("| dtype | functional | in_place | out |\n"
                               "| --- | --- | --- | --- |\n"
                               "| float32 | yes | no | yes |\n"
                               "| bfloat16 | avx2, default | no |  |\n"))
      << issue;
  EXPECT_NE(section(issue, "Affected")
                .find("- With the kernels that PyTorch chooses by default on a machine with AVX2 "
                      "and the vector kernels of AVX2 without oneDNN (ATEN_CPU_CAPABILITY=avx2) "
                      "the bug shows in 3 of 5 dtypes and forms.\n- With the scalar kernels "
                      "(ATEN_CPU_CAPABILITY=default) the bug shows in 2 of 5 dtypes and forms.\n"),
            std::string::npos);
  EXPECT_EQ(section(issue, "Place"),
            "`aten/src/ATen/native/Math.h: zeta`\n\nLeave the loop before the term is infinite.\n");
  EXPECT_EQ(section(issue, "Versions"),
            "LibTorch 2.11.0 and 2.15.0 show it; 2.7.1 answers rightly.\n");
  EXPECT_EQ(section(issue, "Threads"),
            "About this: https://github.com/pytorch/pytorch/issues/1\n\n"
            "Possibly related: https://github.com/pytorch/pytorch/issues/2\n");
}

TEST(IssueMarkdown, LeavesOutWhatWasNotMeasured) {
  MeasuredFinding bare = finding(1);
  KnownDifference entry = entry_of(bare);
  entry.links.clear();
  const std::string issue = issue_markdown({bare, entry});
  EXPECT_TRUE(issue.starts_with(
      "# aten::pow.Tensor_Scalar_out refuses a call that it has to answer (int32)\n"))
      << issue;
  for (const char* heading : {"Affected", "Place", "Versions", "Threads"})
    EXPECT_EQ(issue.find(heading), std::string::npos) << heading;
  EXPECT_EQ(section(issue, "Observed"), "The call is refused.\n");
  EXPECT_TRUE(section(issue, "To reproduce")
                  .starts_with("Python cannot show it: its public functions pass no such out.\n\n"
                               "```cpp\n#include <torch/torch.h>\n"))
      << issue;
  bare.cpp.clear();
  EXPECT_TRUE(section(issue_markdown({bare, entry}), "To reproduce")
                  .ends_with("The call: `" + bare.case_line + "`\n"));
}

TEST(IssueMarkdown, FindingsOfOneCauseShareAnIssue) {
  std::vector<ReportFinding> all;
  for (const std::size_t number : {0, 1, 2})
    all.push_back({finding(number), entry_of(finding(number))});
  EXPECT_TRUE(others_of_its_cause(all[0], all).empty()) << "each has a cause of its own";
  all[0].entry.cause = all[2].entry.cause = "a-cause";
  const std::vector<ReportFinding> others = others_of_its_cause(all[0], all);
  ASSERT_EQ(others.size(), 1U);
  EXPECT_EQ(others[0].entry.id, all[2].entry.id);
  all[0].entry.links = {"https://github.com/pytorch/pytorch/issues/1"};
  all[2].entry.links = {"https://github.com/pytorch/pytorch/issues/1",
                        "https://github.com/pytorch/pytorch/issues/3"};
  all[2].entry.related.clear();
  const std::string issue =
      issue_markdown(all[0], std::vector<ReportFinding>{all.begin() + 2, all.end()});
  EXPECT_TRUE(
      section(issue, "The same cause").starts_with("torch.bitwise_left_shift gives 2 instead of 0"))
      << issue;
  EXPECT_NE(section(issue, "The same cause").find("```python\n"), std::string::npos);
  EXPECT_TRUE(section(issue, "Threads")
                  .starts_with("About this: https://github.com/pytorch/pytorch/issues/1, "
                               "https://github.com/pytorch/pytorch/issues/3\n"))
      << issue;
}

TEST(IssueMarkdown, ARefusalIsNoExactValue) {
  MeasuredFinding zeta = finding(0);
  const std::string exact = "This is the exact value";
  ASSERT_NE(section(issue_of(zeta), "Expected").find(exact), std::string::npos);
  zeta.right = "refuses(attribute_overflow)";
  EXPECT_EQ(section(issue_of(zeta), "Expected").find(exact), std::string::npos);
}

TEST(IssueMarkdown, LongAnswersAreShort) {
  const std::string issue = issue_of(finding(2));
  EXPECT_TRUE(issue.starts_with(
      "# torch.bitwise_left_shift gives 2 instead of 0 (int32, relative error 0.5)\n\n"
      "gcd has nothing to do with it."))
      << issue;
  EXPECT_EQ(section(issue, "Observed"),
            "`2` in each element (int32[8]). The relative error is 0.5.\n");
  EXPECT_EQ(section(issue, "Versions"), "LibTorch 2.15.0 shows it.\n");
}

TEST(FindingWords, EveryKindOfFaultHasItsWords) {
  MeasuredFinding each = finding(0);
  const auto words = [&](const char* right, const char* wrong) {
    each.right = right;
    each.wrong = wrong;
    return fault_words(each);
  };
  EXPECT_EQ(words("int32[1]{1}", "crash(SIGFPE)"), "kills the process (SIGFPE)");
  EXPECT_EQ(words("int32[1]{1}", "timeout"), "does not return");
  EXPECT_EQ(words("refuses", "int32[1]{1}"), "answers a call that it has to refuse");
  EXPECT_EQ(words("int32[1]{1}", "refuses(no_kernel)"), "refuses a call that it has to answer");
  EXPECT_EQ(words("float64[]{1}", "float32[]{1}"), "gives float32[] instead of float64[]");
  EXPECT_EQ(words("float32[3]{1,2,3}", "float32[3]{1,2,4}"), "gives 4 instead of 3");
  EXPECT_EQ(words("complex64[1]{1+infj}", "complex64[1]{nan+infj}"),
            "gives nan+infj instead of 1+infj");
  EXPECT_EQ(words("float32", "int32"), "gives int32 instead of float32");
}

TEST(FindingWords, AnAnswerIsAsLongAsItNeeds) {
  EXPECT_EQ(answer_words("float32[2]{1,2}", 0, "`"), "`float32[2]{1,2}`.");
  EXPECT_EQ(answer_words("float32[5]{1,2,3,4,5}", 3, "`"), "`4` in element 3 (float32[5]).");
  EXPECT_EQ(answer_words("crash(SIGFPE)", 0, "`"), "The process dies of SIGFPE.");
  EXPECT_EQ(answer_words("float32[16]", 0, "`"), "`float32[16]`.");
}

TEST(FindingWords, DTypesThatShowNothingStandApart) {
  MeasuredFinding zeta = finding(0);
  for (MeasuredFinding::Cell& cell : zeta.shows) cell.shows &= cell.dtype == "float32";
  const ShownTable table = shown_table(zeta);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].dtype, "float32");
  EXPECT_EQ(table.never, std::vector<std::string>{"bfloat16"});
  EXPECT_NE(issue_of(zeta).find(" The bug does not show in bfloat16.\n"), std::string::npos);
}

TEST(FindingWords, WhatSaysNothingIsNotTold) {
  MeasuredFinding zero = finding(2);
  zero.right = "float32[1]{-0}";
  zero.wrong = "float32[1]{0}";
  zero.relative_error = 0;
  EXPECT_EQ(issue_title(zero, {}), "torch.bitwise_left_shift gives 0 instead of -0 (int32)");
  EXPECT_EQ(short_call("f(float32[5]{1,1,1,1,1}, float32[2]{1,1}, 3)"),
            "f(float32[5]{1, 5 times}, float32[2]{1,1}, 3)");
  EXPECT_EQ(short_call("f(3)"), "f(3)");
  EXPECT_EQ(answer_words("float32[64]{0,0,0,...}", 0, "`"), "`0` in each element (float32[64]).");
}

TEST(FindingWords, TheWrongSideIsNeverOurs) {
  EXPECT_EQ(wrong_side_of(finding(0)), "libtorch:cpu");
  EXPECT_EQ(wrong_side_of(finding(2)), "libtorch:cpu?capability=native");
}

TEST(FindingWords, AnOpAndADTypeAreReadOffALine) {
  EXPECT_EQ(op_of_line("add_.Tensor(float32[2], 1)"), "add");
  EXPECT_EQ(op_of_line("__and__.Tensor(int8[2], 1)"), "__and__");
  EXPECT_EQ(op_of_line("special_i0(float32[2])"), "special_i0");
  EXPECT_EQ(dtype_of_line("pow.Scalar(2, bfloat16[3])"), "bfloat16");
  EXPECT_EQ(dtype_of_line("round.decimals(x=int8[3])"), "int8");
  EXPECT_EQ(dtype_of_line("can_cast(int8, int16)"), "");
}

TEST(Markdown, NoTextEndsItsFence) {
  EXPECT_EQ(markdown_fence("a"), "```");
  EXPECT_EQ(markdown_fence("```` and ``"), "`````");
}

}  // namespace
}  // namespace upcast::reports
