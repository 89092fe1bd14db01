#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "cases/notation.h"
#include "cases/visible.h"
#include "impl/core/error.h"
#include "impl/ops/dispatch_macro.h"
#include "oracle/host/plan_digest.h"
#include "oracle/host/supervisor.h"
#include "oracle/judge.h"
#include "oracle/verdict_json.h"
#include "oracle/verdict_text.h"
#include "reports/blame.h"
#include "tools/asked_case.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/explain_rulebooks.h"
#include "tools/explanation_text.h"
#include "tools/known_file.h"
#include "tools/paths.h"
#include "tools/store_bridge.h"
#include "tools/verdict_tone.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kQuestions = R"(Examples:
  upcast explain 'torch.add(torch.ones(3, dtype=torch.int32), 5.5)'
  upcast explain 'a += b with a=int32[3], b=5.5'
  upcast explain 'torch.uint8 * torch.int8'
  upcast explain 'F.gelu(float16[4], approximate="tanh")' --oracle libtorch:cpu
  upcast explain --rulebook all 'int32[3] + 5.5'
  upcast explain -- '-int8[2]'    # after -- a question may begin with a minus sign)";

struct ExplainOptions {
  std::string line;
  std::string oracle;
  std::vector<std::string> witnesses;
  std::string rulebook;
  int opset = 9;  // ONNX's; the rule book thesis-onnx describes opset 9
  std::string json;
};

/// What the oracle answers to the case, and the verdict of the judge on that and our answer.
struct OracleReply {
  std::string answer;
  Verdict verdict;
  std::string verdict_text;  // the verdict in words, with a known difference
  std::string wrong;         // which side is wrong, in words; "" if both agree
  std::string detail;
};

OracleReply ask_oracle(const Case& c, const std::string& oracle,
                       const std::vector<std::string>& witnesses) {
  const KnownFile known = load_known_file("");
  const Plan plan = plan_of_cases({c}, "cases");
  SupervisorOptions options;
  options.worker = worker_program();
  options.setup = {"impl:cpu", oracle, "", {print_case(c)}, known.text, known.name};
  options.setup.witnesses = witnesses;
  options.setup.doubt = true;
  options.plan_digest = plan_digest(plan);
  options.planned = 1;
  options.record_all = true;
  Supervisor supervisor(options);
  const std::vector<reports::KnownEntry> entries = store_known(
      known.differences, known_scope(parse_side(options.setup.subject), parse_side(oracle),
                                     supervisor.hello().versions, false));
  OracleReply reply;
  supervisor.run(
      {0}, {.block =
                [&](BlockResult&& block) {
                  const CaseRecord& record = block.records.at(0);
                  reply.answer = record.oracle;
                  reply.verdict = record.verdict;
                  reply.verdict_text = name(record.verdict.code);
                  reply.detail = sentence(record.verdict);
                  reply.wrong = reports::wrong_sentence(
                      record.verdict, record.known == 0 ? nullptr : &entries.at(record.known - 1),
                      {options.setup.subject, oracle});
                  if (record.known == 0) return;
                  const KnownDifference& entry = known.differences.at(record.known - 1);
                  reply.verdict_text += " (" + entry.id + ")";
                  reply.detail = entry.reason;
                  if (const std::string alone = alone_text(record.verdict); !alone.empty())
                    reply.detail += "; " + alone;
                },
            .tick = {},
            .stop = {}});
  return reply;
}

/// Our answer as text. It shows as many elements as the oracle's text does, so that both can be
/// compared.
std::string our_answer(const Explanation& told, std::string_view oracles) {
  const Answer& answer = told.traced.on_gpu.value_or(told.traced.answer);
  std::string text = to_text(answer, elements_in(oracles));
  if (!told.has_values())
    text += fmt::format("  (values are shown for at most {} elements; this call has {})",
                        kMostExplained, told.elements);
  if (told.c.expectation) {
    const std::optional<Unmet> unmet = judge_expectation(told.c, answer);
    text += unmet ? "  " + expectation_text(*unmet) : "  as expected";
  }
  return text;
}

/// The name under which our answer is printed: impl:cpu, or impl:cuda for a case on a GPU.
std::string our_name(const Explanation& told) {
  return told.traced.on_gpu ? "impl:cuda, computed on the host" : "impl:cpu";
}

Json to_json(const Explanation& told) {
  const Case& c = told.c;
  const KindInfo& kind = info(c.op->spec->promotion);
  const KindInfo& here = info(told.kind());
  Json json;
  json["$schema"] = json_schemas::kExplain;
  json["case"] = print_case(c);
  json["op"] = c.op->spec->name;
  json["family"] = c.op->family;
  json["schema"] = c.schema().text;
  json["callable"] = c.callable();
  json["form"] = name(c.form);
  json["default_dtype"] = name(c.defaults.floating);
  json["default_complex_dtype"] = name(c.defaults.complex());
  json["promotion_kind"] = {{"name", kind.name},
                            {"here", here.name},
                            {"sentence", kind.sentence},
                            {"iterator_flags", iterator_flags(told.kind())},
                            {"strategy_2020", here.strategy_2020}};
  json["dispatch"] = Json::array();
  for (const Device device : {Device::kCpu, Device::kCuda}) {
    const DTypeSet dtypes = kernel_dtypes(*c.op->spec, device);
    if (dtypes.empty()) continue;
    Json row = {{"device", name(device)}, {"macro", dispatch_macro(dtypes)}};
    row["dtypes"] = Json::array();
    for (const DType dtype : dtypes.dtypes()) row["dtypes"].push_back(name(dtype));
    json["dispatch"].push_back(row);
  }
  json["operands"] = Json::array();
  ResultTypeState slots;
  for (const OperandRow& operand : told.operands()) {
    const TypedOperand typed = operand.operand;
    if (operand.entered != nullptr) slots = operand.entered->slots;
    Json row = {{"name", operand.name},
                {"text", operand.text},
                {"value", operand.value},
                {"dtype", name(typed.dtype)},
                {"category", category_of(typed.dtype)},
                {"kind", kind_text(typed)},
                {"priority", 3 - static_cast<int>(typed.kind)},
                {"promotes", operand.entered != nullptr},
                {"enters_as", operand.entered != nullptr ? name(operand.entered->as) : "-"},
                {"rule", operand.why}};
    row["slots"] = {{"dim", text_of(slots.dim)},
                    {"zero_dim", text_of(slots.zero_dim)},
                    {"wrapped", text_of(slots.wrapped)}};
    json["operands"].push_back(row);
  }
  json["combine"] = Json::array();
  for (const CombineRow& row : told.combinations()) {
    json["combine"].push_back({{"higher", row.higher_name},
                               {"higher_dtype", text_of(row.slots.higher)},
                               {"lower", row.lower_name},
                               {"lower_dtype", text_of(row.slots.lower)},
                               {"rule", row.why},
                               {"result", text_of(row.slots.result)}});
  }
  json["then"] = told.then();
  const Promoted dtypes = told.dtypes();
  if (dtypes.common != DType::kUndefined) {
    json["common_dtype"] = name(dtypes.common);
    json["compute_dtype"] = name(compute_dtype(dtypes.common));
  }
  if (const StepTrace::Taken* const refusing = told.traced.trace.steps.refusing()) {
    const Rejection& rejection = *refusing->refused;
    json["refusal"] = {{"code", name(rejection.code)},
                       {"detail", rejection.detail},
                       {"step", name(refusing->step)}};
  } else {
    json["result_dtype"] = name(dtypes.result);
  }
  json["iterator"] = Json::array();
  for (const auto& row : told.steps())
    json["iterator"].push_back({{"step", row[0]}, {"finds", row[1]}});
  return json;
}

int explain(const ExplainOptions& options) {
  if (!options.rulebook.empty()) {
    if (!options.oracle.empty()) throw UsageError("give either --rulebook or --oracle, not both");
    explain_rulebooks(options.line, options.rulebook, options.opset, options.json);
    return kAsExpected;
  }
  const Question asked = asked_case(options.line);
  const Case& c = asked.c;
  const Explanation told(c);
  std::optional<OracleReply> reply;
  if (!options.oracle.empty()) {
    if (!told.has_values())
      throw UsageError(
          fmt::format("with an oracle, explain takes at most {} elements, and this call has {}; "
                      "use 'upcast run'",
                      kMostExplained, told.elements));
    std::vector<std::string> witnesses;
    for (const std::string& side : options.witnesses) witnesses.push_back(resolve_side(side));
    reply = ask_oracle(c, resolve_side(options.oracle), witnesses);
  }
  const std::string ours = our_answer(told, reply ? reply->answer : "");
  if (!options.json.empty()) {
    Json json = to_json(told);
    json["asked"] = options.line;
    json["notes"] = asked.notes;
    json["answers"] = {{our_name(told), ours}};
    if (reply) {
      json["answers"][options.oracle] = reply->answer;
      json["verdict"] = reply->verdict_text;
      if (!reply->wrong.empty()) json["who_is_wrong"] = reply->wrong;
      json["detail"] = reply->detail;
      json["evidence"] = nlohmann::json(reply->verdict);
    }
    write_output(options.json, dump_json(json, 2) + "\n");
  }
  std::FILE* const to = people(options.json);
  for (const std::string& note : asked.notes) fmt::print(to, "{}\n", note);
  fmt::print(to, "{}\nanswers\n", explanation_text(told));
  Rows rows = told.values();
  rows.push_back({our_name(told), ours});
  if (reply) {
    rows.push_back({visible(options.oracle), reply->answer});
    for (const Witness& witness : reply->verdict.witnesses)
      rows.push_back(
          {witness.side, fmt::format("{}  ({})", witness.answer, with_text(witness.with))});
    rows.push_back({"verdict", painted(to, tone_of(reply->verdict.code), reply->verdict_text)});
    if (!reply->wrong.empty()) rows.push_back({"", reply->wrong});
    if (!reply->detail.empty()) rows.push_back({"", reply->detail});
  }
  fmt::print(to, "{}", table_text(rows));
  return kAsExpected;
}

}  // namespace

void add_explain_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "explain", "Explain the dtype of a call step by step, and show its answer");
  auto options = std::make_shared<ExplainOptions>();
  command
      ->add_option(
          "CASE", options->line,
          "A call as in a PyTorch program, such as 'torch.ones(3) * 5.5' or 'a += b with "
          "a=int32[3], b=5.5'; or a case line, such as 'add_.Tensor(int32[3], 5.5)'; with "
          "--rulebook also with another system's names, such as 'less_than(int32[3], 5.5)'")
      ->required();
  CLI::Option* const oracle = command->add_option(
      "--oracle", options->oracle, "Show this side's answer too, such as libtorch:cpu");
  command
      ->add_option("--witness", options->witnesses,
                   "A further side, asked where the truth does not decide; may be repeated")
      ->allow_extra_args(false)
      ->needs(oracle);
  command->add_option("--rulebook", options->rulebook,
                      "Explain by this rule book; all: compare every rule book");
  command->add_option("--opset", options->opset, "The ONNX opset, for rule books that depend on it")
      ->check(CLI::Range(1, 28))
      ->needs("--rulebook");
  add_memory_limit_option(*command);
  add_json_option(*command, options->json);
  command->footer(kQuestions);
  command->callback([options, &action] { action = [options] { return explain(*options); }; });
}

}  // namespace upcast::tools
