#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "cases/text_file.h"
#include "impl/core/error.h"
#include "impl/core/temporary_folder.h"
#include "reports/html/html_report.h"
#include "reports/html/markup.h"
#include "reports/html/page_assets.h"
#include "reports/html/page_json.h"
#include "reports/html/planes.h"
#include "reports/html/stories.h"
#include "reports/outputs/finding_words.h"
#include "reports/run_data.h"
#include "reports/testing/synthetic_input.h"
#include "reports/testing/synthetic_store.h"

namespace upcast::reports {
namespace {

using testing::synthetic_block;
using testing::synthetic_list_plan;
using testing::synthetic_plan;
using testing::SyntheticOptions;
using testing::write_synthetic_store;

const SyntheticOptions kSmall{.binary_ops = 9, .unary_ops = 5, .ternary_ops = 1, .dtypes = 8};

std::string small_store(const TemporaryFolder& folder, const SyntheticOptions& options = kSmall) {
  const std::string path = folder / "run.db";
  write_synthetic_store(path, synthetic_plan(options), options);
  return path;
}

size_t count(const std::string& text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// The test vectors for base64 in RFC 4648, section 10.
TEST(Base64, GivesThePublishedTexts) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

TEST(PlanePool, SharesEqualColumnsAndNamesZerosByMinusOne) {
  PlanePool pool;
  EXPECT_EQ(pool.add(std::string(100, '\0')), -1);
  EXPECT_EQ(pool.add(std::string(100, 'a')), 0);
  EXPECT_EQ(pool.add(std::string(100, 'b')), 1);
  EXPECT_EQ(pool.add(std::string(100, 'a')), 0);
  EXPECT_EQ(pool.planes().size(), 2u);
}

TEST(Deflated, InflatesToTheSame) {
  std::string bytes;
  for (uint32_t i = 0; i < 50'000; ++i) bytes += static_cast<char>(i * i >> 3);
  const std::string packed = deflated(bytes);
  std::string out(bytes.size(), '\0');
  uLongf size = out.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  EXPECT_EQ(out, bytes);
}

TEST(ParseToken, TellsKindAndDtype) {
  const auto expect = [](std::string_view text, TokenKind kind, DType dtype) {
    EXPECT_EQ(parse_token(text).kind, kind) << text;
    EXPECT_EQ(parse_token(text).dtype, dtype) << text;
  };
  expect("int32[4]", TokenKind::kDim, DType::kInt32);
  expect("float8_e4m3fn[2,3]{1,2,3,4,5,6}", TokenKind::kDim, DType::kFloat8E4M3FN);
  expect("f16[]", TokenKind::kZeroDim, DType::kFloat16);
  expect("True", TokenKind::kWrapped, DType::kBool);
  expect("-7", TokenKind::kWrapped, DType::kInt64);
  expect("5.5", TokenKind::kWrapped, DType::kFloat64);
  expect("1e3", TokenKind::kWrapped, DType::kFloat64);
  expect("0xe", TokenKind::kWrapped, DType::kInt64);
  expect("0x1p3", TokenKind::kWrapped, DType::kFloat64);
  expect("nan", TokenKind::kWrapped, DType::kFloat64);
  expect("1+2j", TokenKind::kWrapped, DType::kComplex128);
  expect("add.Tensor(int32[4])", TokenKind::kOther, DType::kUndefined);
  expect("floor", TokenKind::kOther, DType::kUndefined);
  expect("", TokenKind::kOther, DType::kUndefined);
}

TEST(Escaped, LeavesNoMarkupAndNoBrokenBytes) {
  EXPECT_EQ(escaped("<a href=\"x\">'&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(escaped("ulp \xc3\xa9 \xf0\x9f\x98\x80"), "ulp \xc3\xa9 \xf0\x9f\x98\x80");
  for (const std::string_view broken : {"\xff", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80",
                                        "\xf4\x90\x80\x80", "\xe2\x82", "\x01"}) {
    EXPECT_EQ(escaped(broken).find(broken), std::string::npos);
    EXPECT_TRUE(escaped(broken).starts_with("\\x")) << escaped(broken);
  }
}

TEST(Escaped, LeavesLinesAndNothingThatSteersThem) {
  EXPECT_EQ(escaped("a\n\tb"), "a\n\tb");
  EXPECT_EQ(escaped("\r\x1b[m\xc2\x9b\u202e\ufffe"), "\\x0d\\x1b[m\\u{9b}\\u{202e}\\u{fffe}");
}

TEST(RunCommand, QuotesForAShell) {
  Summary summary;
  summary.subject = "impl:cpu";
  summary.oracle = "libtorch:cpu";
  EXPECT_EQ(command_text("run", "add(1, 2)", summary), "upcast run 'add(1, 2)'");
  summary.oracle = "plugin:o'c.so";
  EXPECT_EQ(command_text("run", "add('x')", summary),
            "upcast run 'add('\\''x'\\'')' --oracle 'plugin:o'\\''c.so'");
}

TEST(RunCommand, OfARuleBookFitsItsLine) {
  Summary summary;
  summary.subject = "rulebook:all";
  summary.oracle = "table:all";
  EXPECT_EQ(rerun_text("paddle | paddle_3.3.1_dygraph | op.add.* | i64 | f32", summary),
            "upcast run --grid rulebooks --subject 'rulebook:paddle' --oracle "
            "'table:paddle_3.3.1_dygraph'");
  EXPECT_EQ(rerun_text("add(bool[2], 1)", summary),
            "upcast explain --rulebook all 'add(bool[2], 1)'");
  summary.subject = "impl:cpu";
  EXPECT_EQ(rerun_text("add(bool[2], 1)", summary),
            "upcast run 'add(bool[2], 1)' --oracle 'table:all'");
}

TEST(RunData, FoldsAddUpToTheSummary) {
  const TemporaryFolder folder;
  const RunStore store = RunStore::open(small_store(folder));
  const RunData data = fold_run({&store});
  const Counts& counts = data.summary.counts;
  ASSERT_GT(counts.unexplained, 0);
  ASSERT_GT(counts.known, 0);
  Counts ops;
  for (const OpData& op : data.ops) {
    Counts rows;
    for (const ReportRow& row : op.rows) rows.add(row.counts);
    EXPECT_EQ(rows.by_verdict, op.counts.by_verdict) << op.name;
    ops.add(op.counts);
  }
  EXPECT_EQ(ops.by_verdict, counts.by_verdict);
  int64_t failures = 0;
  for (const FailureGroup& group : data.failures) {
    failures += group.count;
    EXPECT_EQ(store.line(group.first_case), group.line);
  }
  EXPECT_EQ(failures, counts.unexplained);
  int64_t known = 0;
  for (const auto& [id, places] : data.known_ops) {
    for (const auto& [op, cases] : places) known += cases;
  }
  EXPECT_EQ(known, counts.known);
  int64_t not_judged = 0;
  for (const NotJudgedGroup& group : data.not_judged) not_judged += group.count;
  EXPECT_EQ(not_judged, counts.not_judged);
}

TEST(RunData, DtypeCellsCountEveryCaseWithSuchAnOperandOnce) {
  const TemporaryFolder folder;
  const SyntheticOptions options{.binary_ops = 1, .unary_ops = 0, .dtypes = 3, .out_forms = true};
  const RunStore store = RunStore::open(small_store(folder, options));
  const RunData data = fold_run({&store});
  // An axis has 3 dtypes x {dim, zero-dim} + 4 numbers = 10 tokens. A dtype is in 2 of these 10 on
  // each side.
  const int64_t with_dtype = 10 * 10 - 8 * 8;
  const int64_t calls = 4 * (1 + 1 + 3);  // default dtypes x (functional, in-place, 3 of out=)
  ASSERT_EQ(data.ops.size(), 1u);
  ASSERT_EQ(data.ops[0].dtypes.size(), 3u) << "an out= dtype is no operand";
  for (const auto& [dtype, cell] : data.ops[0].dtypes) {
    EXPECT_EQ(cell.cases, with_dtype * calls);
    EXPECT_EQ(cell.subject, dtype) << "add of equal dtypes";
  }
}

// Negative control: a block that did not run must not look like one that agrees.
TEST(RunData, AMissingBlockIsNotRun) {
  const TemporaryFolder folder;
  const RunPlan plan = synthetic_plan(kSmall);
  {
    RunStore store = RunStore::create_or_resume(folder / "run.db", plan);
    for (const int64_t id : store.blocks_pending()) {
      if (id != 1) store.add_block(synthetic_block(plan, kSmall, id));
    }
  }
  const RunStore store = RunStore::open(folder / "run.db");
  const RunData data = fold_run({&store});
  EXPECT_EQ(data.columns.verdict[plan.block_size], kNotStored);
  EXPECT_EQ(data.columns.verdict[plan.block_size - 1] == kNotStored, false);
  EXPECT_EQ(data.summary.counts.ran, plan.planned - plan.block_size);
  EXPECT_NE(render_html({.stores = {folder / "run.db"}}).find("Incomplete: "), std::string::npos);
}

TEST(RunData, ACaseListIsOneRowAnOp) {
  const TemporaryFolder folder;
  const RunPlan plan = synthetic_list_plan(100);
  write_synthetic_store(folder / "run.db", plan, kSmall);
  const RunStore store = RunStore::open(folder / "run.db");
  const RunData data = fold_run({&store});
  ASSERT_EQ(data.ops.size(), 7u);
  EXPECT_EQ(data.ops[2].rows.size(), 1u);
  EXPECT_EQ(data.ops[2].rows[0].cases.at(1), 9);
  EXPECT_EQ(data.axes[data.ops[2].rows[0].axes[0]].at(1), plan.rows[9].line_template);
}

TEST(HtmlReport, TheSameStoreGivesTheSameBytes) {
  const TemporaryFolder folder;
  const std::string path = small_store(folder);
  const std::string page = render_html({.stores = {path}});
  EXPECT_EQ(render_html({.stores = {path}}), page);
  // The page must not depend on the store's file or on the order in which its content was written.
  const RunPlan plan = synthetic_plan(kSmall);
  RunStore store = RunStore::create_or_resume(folder / "other.db", plan);
  std::vector<int64_t> ids = store.blocks_pending();
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
    store.add_block(synthetic_block(plan, kSmall, *id));
  }
  store.finish(1.5);
  // Only the run time may differ between stores whose blocks came in several sessions, because it
  // is measured.
  EXPECT_EQ(render_html({.stores = {folder / "other.db"}}), page);
  EXPECT_EQ(page.find(folder.path()), std::string::npos) << "no absolute path in the page";
}

TEST(HtmlReport, IsReadableWithoutAScript) {
  const TemporaryFolder folder;
  const std::string path = small_store(folder);
  const RunStore store = RunStore::open(path);
  const RunData data = fold_run({&store});
  std::string page = render_html({.stores = {path}});
  page.resize(page.find("<script"));
  EXPECT_NE(page.find(escaped(data.summary.verdict_sentence())), std::string::npos);
  EXPECT_NE(page.find(grouped(data.summary.counts.values_judged) + " values were judged"),
            std::string::npos);
  for (const FailureGroup& group : data.failures) {
    EXPECT_NE(page.find(escaped(group.line)), std::string::npos) << group.line;
    if (group.record.signature.empty()) continue;
    EXPECT_NE(page.find(escaped(group.record.signature)), std::string::npos);
    const std::string command = command_text("minimize", group.record.line, data.summary);
    EXPECT_NE(page.find(escaped(command)), std::string::npos) << command;
  }
  EXPECT_NE(page.find("FuzzerHash="), std::string::npos);
  for (const KnownEntry& entry : data.summary.known) {
    const std::string reason = as_sentence(entry.reason);
    EXPECT_NE(page.find("<p>" + escaped(reason) + "</p>"), std::string::npos) << reason;
  }
  EXPECT_NE(page.find("Debian GNU/Linux 12"), std::string::npos);
}

TEST(HtmlReport, SaysWithWhomTheTruthIs) {
  const TemporaryFolder folder;
  const std::string path = small_store(folder);
  const RunStore store = RunStore::open(path);
  int64_t told = 0;
  // Only rulings by the truth count, not those by PyTorch's rules.
  store.for_each_record([&told](const CaseRecord& row) {
    told += row.verdict.ruling.subject_is_off() && row.verdict.ruling.rules.empty();
  });
  ASSERT_GT(told, 0);
  EXPECT_NE(render_html({.stores = {path}})
                .find("with <b>impl:cpu</b> in 0, with <b>libtorch:cpu</b> in " + grouped(told)),
            std::string::npos);
  // A report without an arbiter says nothing about the truth.
  SyntheticOptions clean = kSmall;
  clean.clean = true;
  write_synthetic_store(folder / "clean.db", synthetic_plan(clean), clean);
  EXPECT_EQ(render_html({.stores = {folder / "clean.db"}}).find("<p class=\"truth\">"),
            std::string::npos);
}

TEST(HtmlReport, HostileTextsStayText) {
  const TemporaryFolder folder;
  SyntheticOptions options = kSmall;
  options.hostile = true;
  const std::string page = render_html({.stores = {small_store(folder, options)}});
  const size_t scripts = kPlotScript.empty() ? 2 : 3;
  EXPECT_EQ(count(page, "<script"), scripts) << "the data, the page's own, and the plot library";
  EXPECT_EQ(count(page, "</script"), scripts);
  EXPECT_EQ(count(page, "<img"), 0u);
  EXPECT_EQ(count(page, "onerror=\""), 0u);
  EXPECT_EQ(count(page, "href=\"javascript:"), 0u);
  EXPECT_EQ(count(page, "<b>o'clock"), 0u);
  EXPECT_GT(count(page, "&lt;script&gt;alert(1)&lt;/script&gt;"), 0u);
  const size_t data = page.find("id=\"upcast-data\">") + 17;
  const std::string json = page.substr(data, page.find("</script", data) - data);
  EXPECT_EQ(count(json, "<"), 0u);
  const auto parsed = nlohmann::json::parse(json);
  EXPECT_EQ(parsed["runs"][0]["ops"][0]["name"], "<script>alert(1)</script>");
}

/// Whether JSON has an array with values of several types. The meaning of such values depends on
/// their places alone.
bool has_tuple(const nlohmann::json& value) {
  for (const auto& each : value) {
    if (value.is_array() && std::string_view(each.type_name()) != value.front().type_name())
      return true;
    if (each.is_structured() && has_tuple(each)) return true;
  }
  return false;
}

TEST(PageData, ValuesHaveNames) {
  EXPECT_TRUE(has_tuple(nlohmann::json::parse(R"({"a": [["exp", 1]]})"))) << "control";
  const TemporaryFolder folder;
  SyntheticOptions earlier = kSmall;
  earlier.clean = true;
  write_synthetic_store(folder / "earlier.db", synthetic_plan(earlier), earlier);
  ReportInput input =
      testing::synthetic_input({small_store(folder)}, folder.path(), /*hostile=*/false);
  input.baseline = folder / "earlier.db";
  const std::string page = render_html(input);
  const size_t data = page.find("id=\"upcast-data\">") + 17;
  const auto parsed = nlohmann::json::parse(page.substr(data, page.find("</script", data) - data));
  for (const char* list : {"dtypes", "runs", "books", "changes", "campaigns"})
    EXPECT_GT(parsed[list].size(), 0u) << list;
  EXPECT_FALSE(has_tuple(parsed));
  EXPECT_EQ(parsed["dtypes"][6]["name"], "float32");
  for (const auto& [name, column] : parsed["changes"].items())
    EXPECT_EQ(column.size(), parsed["changes"]["line"].size()) << name;
}

TEST(HtmlReport, AsksForNothingFromOutside) {
  const TemporaryFolder folder;
  const std::string page = render_html({.stores = {small_store(folder)}});
  EXPECT_EQ(count(page, "default-src 'none'; script-src 'sha256-"), 1u);
  const std::string policy = page.substr(0, page.find("<title>"));
  EXPECT_EQ(count(policy, "'sha256-"), kPlotScript.empty() ? 2u : 3u) << "scripts and the style";
  EXPECT_EQ(count(page, "unsafe"), 0u);
  EXPECT_EQ(count(page, " src="), 0u);
  EXPECT_EQ(count(page, "url("), 0u);
  EXPECT_EQ(count(page, "@import"), 0u);
}

TEST(HtmlReport, ThePlotLibraryComesWithItsLicence) {
  if (kPlotScript.empty()) GTEST_SKIP() << "this build has no uPlot (ci/setup.sh fetches it)";
  const TemporaryFolder folder;
  const std::string page = render_html({.stores = {small_store(folder)}});
  EXPECT_EQ(count(page, "Permission is hereby granted, free of charge"), 1u);
  EXPECT_GE(count(page, "Copyright (c) 2021 Leon Sorokin"), 1u);
  EXPECT_EQ(count(page, "github.com/leeoniya/uPlot (v"), 1u);
}

TEST(HtmlReport, ShardsAreOneRunAndOtherStoresAreSeveral) {
  const TemporaryFolder folder;
  const SyntheticOptions options{.binary_ops = 2, .unary_ops = 0, .dtypes = 8};
  RunPlan plan = synthetic_plan(options);
  write_synthetic_store(folder / "whole.db", plan, options);
  for (int index = 0; index < 2; ++index) {
    plan.shard = {.index = index, .count = 2};
    write_synthetic_store(folder / std::to_string(index), plan, options);
  }
  const std::string shards = render_html({.stores = {folder / "0", folder / "1"}});
  const std::string whole = render_html({.stores = {folder / "whole.db"}});
  const auto sentence = [](const std::string& page) {
    const size_t at = page.find("<h1>");
    return page.substr(at, page.find("</h1>") - at);
  };
  EXPECT_EQ(sentence(shards), sentence(whole));
  EXPECT_EQ(count(shards, "class=\"verdict "), 1u);
  plan.shard = {};
  plan.subject = "impl:emulated";
  write_synthetic_store(folder / "second.db", plan, options);
  EXPECT_EQ(count(render_html({.stores = {folder / "whole.db", folder / "second.db"}}),
                  "class=\"verdict "),
            2u);
}

TEST(HtmlReport, BothSidesSayWhichBoundsTheyAreHeldTo) {
  const TemporaryFolder folder;
  RunPlan plan = synthetic_plan(kSmall);
  const auto page_of = [&](const std::string& subject) {
    plan.subject = subject;
    write_synthetic_store(folder / (subject.substr(0, 4) + ".db"), plan, kSmall);
    return render_html({.stores = {folder / (subject.substr(0, 4) + ".db")}});
  };
  const std::string foreign = page_of("python:jax==0.10.2");
  const std::string held = "<th scope=\"row\">subject is held to</th><td>";
  EXPECT_EQ(count(foreign, held + "the bounds for foreign sides"), 1u);
  EXPECT_EQ(count(foreign, R"("vendor":"python","target":"jax","version":"0.10.2")"), 1u);
  EXPECT_EQ(count(foreign, R"("bounds":"foreign")"), 1u);
  EXPECT_EQ(count(page_of("impl:cpu"), held + "our bounds"), 1u);
}

TEST(HtmlReport, FaultsAreUsageErrors) {
  const TemporaryFolder folder;
  EXPECT_THROW(render_html({.stores = {}}), UsageError);
  EXPECT_THROW(render_html({.stores = {folder / "missing.db"}}), UsageError);
  std::ofstream(folder / "broken.db") << "no database";
  EXPECT_THROW(render_html({.stores = {folder / "broken.db"}}), UsageError);
}

TEST(HtmlReport, ChangesSinceABaselineAddUp) {
  const TemporaryFolder folder;
  const std::string path = small_store(folder);
  SyntheticOptions earlier = kSmall;
  earlier.clean = true;
  write_synthetic_store(folder / "earlier.db", synthetic_plan(earlier), earlier);
  const std::string page = render_html({.stores = {path}, .baseline = folder / "earlier.db"});
  const RunStore after = RunStore::open(path);
  const RunDiff diff = diff_runs(RunStore::open(folder / "earlier.db"), after, 5);
  ASSERT_GT(diff.worse(), 0);
  EXPECT_NE(page.find(grouped(diff.worse()) + " cases got worse since the baseline"),
            std::string::npos);
  for (const DiffRow& row : diff.rows)
    EXPECT_NE(page.find(escaped(row.line)), std::string::npos) << row.line;
  // Compared in the reverse direction, every broken case is mended.
  const std::string mended = render_html({.stores = {folder / "earlier.db"}, .baseline = path});
  EXPECT_NE(mended.find("Nothing got worse since the baseline"), std::string::npos);
  EXPECT_EQ(render_html({.stores = {path}}).find("since the baseline"), std::string::npos);
  // Shards must be merged before runs are compared.
  RunPlan plan = synthetic_plan(kSmall);
  plan.shard = {.index = 0, .count = 2};
  write_synthetic_store(folder / "shard.db", plan, kSmall);
  EXPECT_THROW(render_html({.stores = {folder / "shard.db"}, .baseline = path}), UsageError);
}

TEST(Stories, ThoseOfEveryKindOfDifferenceAreTold) {
  const TemporaryFolder folder;
  const RunStore store = RunStore::open(small_store(folder));
  const RunData data = fold_run({&store});
  std::set<int64_t> told;
  for (const CaseRecord* row : noteworthy(data)) told.insert(row->case_index);
  EXPECT_LE(told.size(), kMaxStories);
  for (const FailureGroup& group : data.failures)
    EXPECT_TRUE(group.record.line.empty() || told.contains(group.first_case)) << group.line;
  std::set<int> known;
  for (const CaseRecord* row : noteworthy(data)) known.insert(row->known);
  for (const KnownEntry& entry : data.summary.known)
    EXPECT_TRUE(entry.hits == 0 || known.contains(entry.id)) << entry.name;
  EXPECT_TRUE(stories_json(data, {}).is_null());
}

TEST(Stories, ComeBackWhole) {
  const TemporaryFolder folder;
  const RunStore store = RunStore::open(small_store(folder));
  const RunData data = fold_run({&store});
  const auto json = stories_json(data, [](const CaseRecord& row, const Summary&) {
    CaseStory story;
    story.explanation = row.line;
    story.python = "import torch  # the same in all\n" + row.line;
    return story;
  });
  EXPECT_EQ(json["python"], "import torch  # the same in all\n");
  EXPECT_EQ(json["cpp"], "");
  const size_t pack = json["pack"];
  EXPECT_EQ(json["packs"].size(), (json["cases"].size() + pack - 1) / pack);
}

// A report on a whole grid: 105 ops, 15.7 million cases. Targets: under 5 MB and 2 GiB, and 20 s,
// which is recorded and not asserted.
TEST(HtmlReport, AWholeGridStaysSmall) {
  const TemporaryFolder folder;
  const SyntheticOptions options{.binary_ops = 40, .unary_ops = 60, .ternary_ops = 5};
  const std::string path = small_store(folder, options);
  const auto start = std::chrono::steady_clock::now();
  const std::string page = render_html({.stores = {path}});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  RecordProperty("seconds", std::to_string(seconds.count()));
  RecordProperty("bytes", static_cast<int>(page.size()));
  RecordProperty("peak_kib", static_cast<int>(usage.ru_maxrss));
  EXPECT_LT(page.size(), 5'000'000u);
  EXPECT_LT(usage.ru_maxrss, 2 << 20);
}

}  // namespace
}  // namespace upcast::reports
