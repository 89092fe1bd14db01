#include "reports/testing/synthetic_input.h"

#include <fmt/ostream.h>

#include <filesystem>
#include <fstream>

#include "impl/promotion/rulebooks/rulebooks.h"
#include "reports/token.h"

namespace upcast::reports::testing {

/// The texts of cases/testing/measured_findings.json and findings.toml, which CMake embeds.
extern const char kMadeUpFindings[];
extern const char kMadeUpEntries[];

namespace {

constexpr const char* kMarkup = "<img src=x onerror=\"window.hacked=6\"></script>";

constexpr const char* kSweep = R"({{
  "op": "{0}", "dtype": "{1}", "exhaustive": true, "inputs": 65536,
  "sides": {{
    "impl:cpu": {{"max_ulp": 0.50006, "mean_ulp": 0.25, "correctly_rounded": 0.99999, "misplaced": 0,
      "undecided": 0, "inputs": 65536, "worst": [{{"input": "0x3c00", "ulp": 0.50006}}],
      "histogram_edges": [0.5, 1.0, 16.0], "histogram": [65000, 4, 0, 0]}},
    "libtorch:cpu": {{"max_ulp": 254.9, "mean_ulp": 0.5, "correctly_rounded": 0.9, "misplaced": 3,
      "undecided": 0, "inputs": 65536,
      "worst": [{{"input": "0xc10a", "ulp": 254.9}}, {{"input": "0x0001", "ulp": 12.5}}],
      "histogram_edges": [0.5, 1.0, 16.0], "histogram": [60000, 4000, 1000, 4]}},
    "glibc": {{"max_ulp": 0.8, "mean_ulp": 0.25, "correctly_rounded": 0.9, "misplaced": 0,
      "undecided": 0, "inputs": 65536, "worst": [], "histogram_edges": [0.5, 1.0, 16.0],
      "histogram": [60000, 4000, 0, 0]}}
  }}
}})";

constexpr const char* kCampaign = R"({
  "target": "elementwise", "seconds": 60.5, "cases": 4200000, "cases_per_second": 69421.5,
  "features": 5121, "findings": 2, "finding_cases": 31, "known": 1200, "corpus": 812,
  "known_by_id": {"zeta-nan": 1200}, "crashes": [], "complete": true, "log": "log",
  "samples": [
    {"seconds": 1, "cases": 60000, "features": 2100, "findings": 0},
    {"seconds": 12, "cases": 900000, "features": 4100, "findings": 0},
    {"seconds": 30, "cases": 2100000, "features": 4800, "findings": 1},
    {"seconds": 60.5, "cases": 4200000, "features": 5121, "findings": 2}],
  "coverage": {
    "pairs": {"possible": 1000, "asked": 940, "answered": 610},
    "triples": {"possible": 20000, "asked": 9100, "answered": 5000},
    "combinations": [{"factors": ["op", "dtype"], "possible": 500, "asked": 499, "answered": 300,
      "gaps": [{"of": ["special_zeta"], "missing": ["bfloat16", "float8_e5m2"]}],
      "gaps_left_out": 3}],
    "ops": [{"op": "add", "possible": 400, "asked": 390, "answered": 300},
      {"op": "pow", "possible": 400, "asked": 399, "answered": 250},
      {"op": "special_zeta", "possible": 90, "asked": 40, "answered": 9}]
  }
})";

std::string campaign_file(const std::string& folder, bool hostile) {
  std::filesystem::create_directories(folder + "/log");
  std::ofstream(folder + "/campaign.json") << kCampaign;
  std::ofstream findings(folder + "/log/findings.ndjson");
  const std::string text = hostile ? "<img src=x onerror='window.hacked=7'>" : "nan";
  for (const char* line : {"add.Tensor(float16[2], 2.5)", "sub.Tensor(int8[2], True)"})
    fmt::print(findings,
               "{{\"signature\": \"value {0} {1}\", \"line\": \"{0}\", \"subject\": \"{1}\", "
               "\"oracle\": \"3\", \"verdict\": \"differ(value)\"}}\n",
               line, text);
  return folder + "/campaign.json";
}

CaseStory story_of(const CaseRecord& record, bool hostile) {
  const std::string text = hostile ? kMarkup : "";
  CaseStory story;
  story.explanation = record.line + "\n  op  made up " + text + "\n";
  story.operands = {{"self",
                     "float16[4]" + text,
                     {{"0.7", "0x399a", "0.7001953125" + text}, {"nan" + text, "0x7e00"}},
                     4},
                    {"alpha", "2", {}, 0}};
  story.elements = {{1, {{"nan", "0x7e00"}, {}}, {"3" + text, "0x4200"}, {"4", "0x4400"}}};
  if (record.verdict.code != VerdictCode::kDifferDType) {
    story.cpp = "#include <torch/torch.h>\nint main() { /* " + record.line + text + " */ }\n";
    if (record.verdict.code == VerdictCode::kDifferValue)
      story.no_python = "a number cannot be passed as a tensor to this op" + text;
    else
      story.python = "import torch\n# " + record.line + text + "\n";
  } else {
    story.no_program = "the record does not hold both answers in full" + text;
  }
  return story;
}

rulebooks::Operand operand_of(const std::string& text) {
  const Token token = parse_token(text);
  const rulebooks::Rank rank = token.kind == TokenKind::kDim       ? rulebooks::Rank::kDim
                               : token.kind == TokenKind::kZeroDim ? rulebooks::Rank::kZeroDim
                                                                   : rulebooks::Rank::kNumber;
  return {token.dtype, rank, 1};
}

/// Asks all rule books about a row of the synthetic run, by the name of its op. A number as operand
/// has the value 1.
std::vector<std::string> ask_books(const GridRow& row) {
  const std::string op = row.line_template.substr(0, row.line_template.find_first_of("_.("));
  std::vector<std::string> planes;
  for (const rulebooks::RuleBook* book : rulebooks::kRuleBooks) {
    std::string& plane = planes.emplace_back();
    for (const std::string& a : row.axes[0]) {
      for (const std::string& b : row.axes[1]) {
        const rulebooks::Operand operands[] = {operand_of(a), operand_of(b)};
        rulebooks::Question question{.op = op, .operands = operands};
        if (row.form == "in_place") question.form = rulebooks::Form::kInPlace;
        question.default_dtype = dtype_from_code(find_dtype_code(row.default_dtype));
        const rulebooks::Reply reply = rulebooks::ask(*book, question);
        plane += static_cast<char>(reply.tag == rulebooks::Reply::Tag::kOutside ? kNotRunByte
                                   : reply.ok() ? code(reply.dtype) | (reply.weak ? kWeakBit : 0)
                                                : kRefusalByte);
      }
    }
  }
  return planes;
}

BookShelf shelf(bool hostile) {
  BookShelf books;
  for (const rulebooks::RuleBook* book : rulebooks::kRuleBooks)
    books.books.push_back({std::string(book->name),
                           std::string(book->title) + (hostile ? kMarkup : ""),
                           std::string(book->version)});
  books.ask = ask_books;
  return books;
}

/// Made-up findings: measurements of the known differences of synthetic_store.cc with the same ids.
/// The first has the name of an entry in the run.
std::vector<ReportFinding> findings(bool hostile) {
  const std::vector<KnownDifference> entries =
      parse_known_differences(kMadeUpEntries, "findings.toml");
  std::vector<ReportFinding> made;
  for (const MeasuredFinding& measured : parse_measured_findings(kMadeUpFindings))
    for (const KnownDifference& entry : entries)
      if (entry.id == measured.id) made.push_back({measured, entry});
  if (!hostile) return made;
  auto& [measured, entry] = made.front();
  measured.id = entry.id = "<script>window.hacked=1</script>";
  for (std::string* text :
       {&measured.reach.python, &measured.right, &measured.wrong, &measured.python, &measured.cpp,
        &measured.sample->dtype, &measured.shows[0].form, &measured.shows[0].dtype, &entry.reason,
        &entry.place, &entry.mend, &entry.witnesses[1].text})
    *text += kMarkup;
  entry.links = {"javascript:window.hacked=12"};
  entry.related = {"https://example.org/\"onmouseover=\"window.hacked=13"};
  return made;
}

}  // namespace

ReportInput synthetic_input(const std::vector<std::string>& stores, const std::string& folder,
                            bool hostile) {
  ReportInput input{.stores = stores};
  for (const char* dtype : {"float16", "bfloat16"})
    input.accuracy.add_sweep(fmt::format(kSweep, hostile ? "<b>exp</b>" : "exp", dtype), "sweep");
  input.accuracy.add_sweep(fmt::format(kSweep, "log", "float16"), "sweep");
  input.accuracy.bounds[{"exp", DType::kFloat16}] = 0.501;
  input.campaigns = {load_campaign(campaign_file(folder, hostile))};
  input.teller = [hostile](const CaseRecord& record, const Summary&) {
    return story_of(record, hostile);
  };
  input.books = shelf(hostile);
  input.findings = findings(hostile);
  return input;
}

}  // namespace upcast::reports::testing
