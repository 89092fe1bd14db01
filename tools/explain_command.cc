#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/host/plan_digest.h"
#include "oracle/host/supervisor.h"
#include "oracle/judge.h"
#include "oracle/subject.h"
#include "tools/command.h"
#include "tools/explain_rulebooks.h"
#include "tools/explanation.h"
#include "tools/iterator_trace.h"
#include "tools/known_file.h"
#include "tools/paths.h"

namespace upcast::tools {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainOptions {
  std::string line;
  std::string oracle;
  std::string rulebook;
  bool json = false;
};

/// What the oracle says, and what the judge says to that.
struct OracleReply {
  std::string answer;
  std::string verdict;
  std::string detail;
};

OracleReply ask_oracle(const Case& c, const std::string& oracle) {
  const KnownFile known = load_known_file("");
  const Plan plan = plan_of_cases({c}, "cases");
  SupervisorOptions options;
  options.worker = worker_program();
  options.setup = {"impl:cpu", oracle, "", {print_case(c)}, known.text, known.name};
  options.plan_digest = plan_digest(plan);
  options.planned = 1;
  options.record_all = true;
  Supervisor supervisor(options);
  OracleReply reply;
  supervisor.run({0}, {.block =
                           [&](BlockResult&& block) {
                             const CaseRecord& record = block.records.at(0);
                             reply.answer = record.oracle;
                             reply.verdict = name(record.verdict);
                             reply.detail = record.detail;
                             if (record.known == 0) return;
                             const KnownDifference& entry = known.differences.at(record.known - 1);
                             reply.verdict += " (" + entry.id + ")";
                             reply.detail = entry.reason;
                           },
                       .tick = {},
                       .stop = {}});
  return reply;
}

std::string our_answer(const Case& c) {
  Answer answer;
  make_subject("impl:cpu")->answer(c, answer);
  std::string text = to_text(answer);
  if (c.expectation) {
    const Verdict met = judge_expectation(c, answer, "impl:cpu");
    text += met.code == VerdictCode::kAgree ? "  as expected" : "  " + met.detail;
  }
  return text;
}

std::string category_of(DType dtype) { return std::string(name(category(dtype))); }

std::string kind_text(const OperandStep& step) {
  if (step.operand.dtype == DType::kUndefined) return "undefined";
  return std::string(name(step.operand.kind));
}

Json to_json(const Explanation& told) {
  const Case& c = told.c;
  const KindInfo& kind = info(told.kind);
  Json json;
  json["case"] = print_case(c);
  json["op"] = c.op->spec->name;
  json["family"] = c.op->family;
  json["schema"] = c.schema().text;
  json["callable"] = c.callable();
  json["form"] = name(c.form);
  json["default_dtype"] = name(c.defaults.floating);
  json["default_complex_dtype"] = name(c.defaults.complex());
  json["promotion_kind"] = {{"name", kind.name},
                            {"sentence", kind.sentence},
                            {"iterator_flags", iterator_flags(told.kind)},
                            {"strategy_2020", kind.strategy_2020}};
  json["operands"] = Json::array();
  for (const OperandStep& step : told.operands) {
    Json row = {{"name", step.name},
                {"text", step.text},
                {"dtype", name(step.operand.dtype)},
                {"category", category_of(step.operand.dtype)},
                {"kind", kind_text(step)},
                {"priority", 3 - static_cast<int>(step.operand.kind)},
                {"promotes", step.promotes},
                {"enters_as", name(step.enters)},
                {"rule", describe(step.rule)}};
    row["slots"] = {{"dim", text_of(step.slots.dim)},
                    {"zero_dim", text_of(step.slots.zero_dim)},
                    {"wrapped", text_of(step.slots.wrapped)}};
    json["operands"].push_back(row);
  }
  json["combine"] = Json::array();
  for (const CombineStep& step : told.combine) {
    json["combine"].push_back({{"higher", step.higher_name},
                               {"higher_dtype", text_of(step.higher)},
                               {"lower", step.lower_name},
                               {"lower_dtype", text_of(step.lower)},
                               {"rule", step.why},
                               {"result", text_of(step.result)}});
  }
  json["then"] = told.then;
  if (told.promoted.ok()) {
    const Promoted& promoted = told.promoted.value();
    json["common_dtype"] = name(promoted.common);
    json["compute_dtype"] = name(compute_dtype(promoted.common));
    json["result_dtype"] = name(promoted.result);
  } else {
    const Rejection& rejection = told.promoted.rejection();
    json["refusal"] = {{"code", name(rejection.code)}, {"detail", rejection.detail}};
  }
  return json;
}

/// Rows of cells under each other, two blanks between; the last cell of a row is not padded.
void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i + 1 < row.size() ? fmt::format(" {:<{}} ", row[i], widths[i]) : " " + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

void print_head(const Explanation& told) {
  const Case& c = told.c;
  const KindInfo& kind = info(told.kind);
  fmt::print("{}\n", print_case(c));
  const std::vector<std::string> flags = iterator_flags(told.kind);
  print_table(
      {{"op", fmt::format("{} ({}), {} form", c.op->spec->name, c.op->family, name(c.form))},
       {"schema", std::string(c.schema().text)},
       {"default dtype", fmt::format("{}, for complex numbers {}", name(c.defaults.floating),
                                     name(c.defaults.complex()))},
       {"promotion kind", fmt::format("{}: {}", kind.name, kind.sentence)},
       {"TensorIterator",
        flags.empty() ? "no dtype flag" : fmt::format("{}", fmt::join(flags, ", "))},
       {"strategy of 2020", std::string(kind.strategy_2020)}});
}

void print_steps(const Explanation& told) {
  if (!told.operands.empty()) {
    fmt::print("\noperands (priority: dim 3, zero_dim 2, wrapped 1)\n");
    std::vector<std::vector<std::string>> rows;
    for (const OperandStep& step : told.operands) {
      const std::string why =
          step.promotes ? std::string(describe(step.rule)) : "stays out of promotion";
      rows.push_back({step.name, step.text, std::string(name(step.operand.dtype)),
                      category_of(step.operand.dtype), kind_text(step), why});
    }
    print_table(rows);
  }
  if (told.combine.empty()) return;
  fmt::print("\nslots as they fill\n");
  std::vector<std::vector<std::string>> rows{{"", "dim", "zero_dim", "wrapped"}};
  for (const OperandStep& step : told.operands) {
    rows.push_back({step.name, text_of(step.slots.dim), text_of(step.slots.zero_dim),
                    text_of(step.slots.wrapped)});
  }
  print_table(rows);
  fmt::print("\ncombine\n");
  rows.clear();
  for (const CombineStep& step : told.combine) {
    rows.push_back({fmt::format("{} {}", step.higher_name, text_of(step.higher)), "with",
                    fmt::format("{} {}", step.lower_name, text_of(step.lower)), "=",
                    text_of(step.result), step.why});
  }
  print_table(rows);
}

void print_dtypes(const Explanation& told) {
  if (!told.then.empty()) fmt::print("\nthen\n");
  for (const std::string& sentence : told.then) fmt::print("  {}\n", sentence);
  fmt::print("\ndtypes\n");
  if (!told.promoted.ok()) {
    const Rejection& rejection = told.promoted.rejection();
    print_table({{"refuses", std::string(name(rejection.code)), std::string(rejection.detail)}});
    return;
  }
  const Promoted& promoted = told.promoted.value();
  print_table({{"common", std::string(name(promoted.common))},
               {"compute", std::string(name(compute_dtype(promoted.common)))},
               {"result", std::string(name(promoted.result))}});
}

void print_iterator(const std::vector<IteratorStep>& steps) {
  if (steps.empty()) return;
  fmt::print("\niterator, step by step\n");
  std::vector<std::vector<std::string>> rows;
  for (const IteratorStep& step : steps) rows.push_back({step.name, step.text});
  print_table(rows);
}

int explain(const ExplainOptions& options) {
  const Case c = parse_case(options.line);
  if (!options.rulebook.empty()) {
    if (!options.oracle.empty()) throw UsageError("give either --rulebook or --oracle, not both");
    explain_rulebooks(c, options.rulebook, options.json);
    return kAsExpected;
  }
  const Explanation told = explain_case(c);
  const std::string ours = our_answer(c);
  std::optional<OracleReply> reply;
  if (!options.oracle.empty()) reply = ask_oracle(c, options.oracle);
  const std::vector<IteratorStep> steps = trace_iterator(c);
  if (options.json) {
    Json json = to_json(told);
    json["iterator"] = Json::array();
    for (const IteratorStep& step : steps)
      json["iterator"].push_back({{"step", step.name}, {"finds", step.text}});
    json["answers"] = {{"impl:cpu", ours}};
    if (reply) {
      json["answers"][options.oracle] = reply->answer;
      json["verdict"] = reply->verdict;
      json["detail"] = reply->detail;
    }
    fmt::print("{}\n", json.dump(2));
    return kAsExpected;
  }
  print_head(told);
  print_steps(told);
  print_dtypes(told);
  print_iterator(steps);
  fmt::print("\nanswers\n");
  std::vector<std::vector<std::string>> rows{{"impl:cpu", ours}};
  if (reply) {
    rows.push_back({options.oracle, reply->answer});
    rows.push_back({"verdict", reply->verdict});
    if (!reply->detail.empty()) rows.push_back({"", reply->detail});
  }
  print_table(rows);
  return kAsExpected;
}

}  // namespace

void add_explain_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("explain", "Why a call has its dtype, step by step, and its answer");
  auto options = std::make_shared<ExplainOptions>();
  command->add_option("CASE", options->line, "A case line, such as 'add(int32[3], 5.5)'")
      ->required();
  command->add_option("--oracle", options->oracle,
                      "Show this one's answer too, such as libtorch:cpu (loads it)");
  command->add_option("--rulebook", options->rulebook,
                      "What the rule book of that name says instead; all: side by side");
  command->add_flag("--json", options->json, "As JSON");
  command->callback([options, &action] { action = [options] { return explain(*options); }; });
}

}  // namespace upcast::tools
