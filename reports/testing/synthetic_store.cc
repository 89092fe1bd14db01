#include "reports/testing/synthetic_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string_view>

#include "reports/rulebook_fold.h"

namespace upcast::reports::testing {
namespace {

using enum DType;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr std::array kElementwise{
    kBool,         kUInt8,          kInt8,           kInt16,        kInt32,      kInt64,
    kUInt16,       kUInt32,         kUInt64,         kFloat16,      kBFloat16,   kFloat32,
    kFloat64,      kComplex32,      kBComplex32,     kComplex64,    kComplex128, kFloat8E5M2,
    kFloat8E4M3FN, kFloat8E5M2FNUZ, kFloat8E4M3FNUZ, kFloat8E8M0FNU};

constexpr std::array<std::string_view, 40> kBinary{"add",
                                                   "sub",
                                                   "mul",
                                                   "div",
                                                   "floor_divide",
                                                   "fmod",
                                                   "remainder",
                                                   "pow",
                                                   "atan2",
                                                   "hypot",
                                                   "eq",
                                                   "ne",
                                                   "lt",
                                                   "le",
                                                   "gt",
                                                   "ge",
                                                   "maximum",
                                                   "minimum",
                                                   "fmax",
                                                   "fmin",
                                                   "bitwise_and",
                                                   "bitwise_or",
                                                   "bitwise_xor",
                                                   "bitwise_left_shift",
                                                   "bitwise_right_shift",
                                                   "logical_and",
                                                   "logical_or",
                                                   "logical_xor",
                                                   "copysign",
                                                   "nextafter",
                                                   "ldexp",
                                                   "logaddexp",
                                                   "logaddexp2",
                                                   "gcd",
                                                   "lcm",
                                                   "heaviside",
                                                   "xlogy",
                                                   "special_zeta",
                                                   "igamma",
                                                   "igammac"};

/// The operand that a token means: its dtype, and whether it is a number.
struct Operand {
  DType dtype = kUndefined;
  bool wrapped = false;
};

Operand parse(std::string_view token) {
  const size_t bracket = token.find('[');
  if (bracket != std::string_view::npos) {
    return {dtype_from_code(find_dtype_code(token.substr(0, bracket))), false};
  }
  if (token == "True") return {kBool, true};
  if (token.find('j') != std::string_view::npos) return {kComplex64, true};
  return {token.find('.') != std::string_view::npos ? kFloat32 : kInt64, true};
}

DType promote(Operand a, Operand b, DType default_dtype) {
  if (a.dtype == kUndefined) return b.dtype;
  if (category(a.dtype) != category(b.dtype)) {
    const Operand& high = category(a.dtype) > category(b.dtype) ? a : b;
    return high.wrapped && is_floating(high.dtype) ? default_dtype : high.dtype;
  }
  if (a.wrapped != b.wrapped) return a.wrapped ? b.dtype : a.dtype;
  return itemsize(a.dtype) >= itemsize(b.dtype) ? a.dtype : b.dtype;
}

uint64_t hash(std::string_view text, uint64_t seed) {
  uint64_t h = seed * 0x9e3779b97f4a7c15 + 0xcbf29ce484222325;
  for (const char c : text) h = (h ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return h ^ (h >> 29);
}

std::vector<std::string> operand_tokens(int dtypes, bool numbers) {
  std::vector<std::string> tokens;
  for (const char* dims : {"[4]", "[]"}) {
    for (int i = 0; i < dtypes; ++i)
      tokens.push_back(fmt::format("{}{}", name(kElementwise[i]), dims));
  }
  if (numbers) tokens.insert(tokens.end(), {"True", "7", "5.5", "1+2j"});
  return tokens;
}

void add_rows(RunPlan& plan, const SyntheticOptions& options, const std::string& op,
              const std::string& family, int arity) {
  const auto operands = operand_tokens(options.dtypes, arity > 1);
  std::vector<std::string> outs;
  for (int i = 0; i < options.dtypes; ++i)
    outs.push_back(fmt::format("{}[4]", name(kElementwise[i])));
  std::string arguments;
  for (int i = 0; i < arity; ++i) arguments += fmt::format("{}{{{}}}", i > 0 ? ", " : "", i);
  const std::string overload = arity == 1 ? "" : ".Tensor";
  for (const char* form : {"functional", "in_place", "out"}) {
    const bool out = form[0] == 'o';
    if (out && !options.out_forms) continue;
    for (const char* default_dtype : {"float32", "float64", "float16", "bfloat16"}) {
      if (!options.four_defaults && std::string_view(default_dtype) != "float32") continue;
      GridRow row{.id = static_cast<int64_t>(plan.rows.size()),
                  .op = op,
                  .family = family,
                  .schema = op + (form[0] == 'i' ? "_" : "") + (out ? ".out" : overload),
                  .form = form,
                  .default_dtype = default_dtype,
                  .first = plan.planned,
                  .count = 1,
                  .line_template = {},
                  .axes = {}};
      row.line_template = fmt::format("{}({}{})", row.schema, arguments,
                                      out ? fmt::format(", out={{{}}}", arity) : "");
      if (row.default_dtype != "float32") row.line_template += " @default=" + row.default_dtype;
      row.axes.assign(arity, operands);
      if (out) row.axes.push_back(arity < 3 ? outs : std::vector<std::string>{"float32[4]"});
      for (const auto& axis : row.axes) row.count *= static_cast<int64_t>(axis.size());
      plan.planned += row.count;
      plan.rows.push_back(std::move(row));
    }
  }
}

std::vector<KnownEntry> known_entries(bool hostile) {
  KnownEntry nan{.id = 1,
                 .name = "zeta-nan",
                 .difference_class = "bug",
                 .selector = "special_zeta(*, *)",
                 .oracle_answer = "nan",
                 .kind = "value",
                 .versions = "<=2.15.0",
                 .reason = "LibTorch gives nan for x = 1 + 2^-23, where the series is finite.",
                 .found = "2026-11-21",
                 .link = "https://github.com/pytorch/pytorch/issues/1",
                 .case_line = "special_zeta.Tensor(float32[4], float32[4])",
                 .wrong = "oracle"};
  KnownEntry left{.id = 2,
                  .name = "shift-past-width",
                  .difference_class = "host_defined",
                  .selector = "bitwise_left_shift(*, *)",
                  .oracle_answer = "model:x86_shift",
                  .kind = "value",
                  .versions = "*",
                  .reason = "A shift by the width or more is undefined in C++.",
                  .found = "2026-11-22",
                  .link = "",
                  .case_line = "bitwise_left_shift.Tensor(int32[4], int64[4])",
                  .wrong = "oracle"};
  KnownEntry power{.id = 3,
                   .name = "pow-refuses-negative-integer",
                   .difference_class = "by_design",
                   .selector = "pow(int*, -1)",
                   .oracle_answer = "refuses",
                   .kind = "refusal",
                   .versions = ">=1.5",
                   .reason = "Integers to negative integer powers are refused.",
                   .found = "2025-11-22",
                   .link =
                       "https://pytorch.org/docs/stable/generated/torch.pow.html "
                       "https://github.com/pytorch/pytorch/pull/2",
                   .case_line = "pow.Tensor(int32[4], int8[4])",
                   .wrong = "oracle"};
  if (hostile) {
    nan.name = "<script>window.hacked=1</script>";
    nan.reason = "</script><img src=x onerror=\"window.hacked=2\"> & \"quotes\" 'single'";
    nan.link = "javascript:window.hacked=3 https://example.org/\"onmouseover=\"window.hacked=9";
    nan.found = "<img src=x onerror=\"window.hacked=10\">";
  }
  return {nan, left, power};
}

/// A made-up verdict with a code. `answer`: what both sides answer if the line expects another
/// answer.
Verdict verdict_of(VerdictCode code, const std::string& answer) {
  Verdict verdict{.code = code, .found = code};
  if (code == VerdictCode::kKnown) verdict.found = VerdictCode::kDifferValue;
  switch (code) {
    case VerdictCode::kNotJudged:
      verdict.not_judged = NotJudged::kSideCannotSay;
      verdict.why = "float to integer cast of nan";
      break;
    case VerdictCode::kDifferValue:
      verdict.difference = {.what = Difference::What::kElement,
                            .element = 2,
                            .dtype = kFloat32,
                            .subject = "nan",
                            .oracle = "3",
                            .ulp = kInfinity};
      verdict.ruling = {.outcome = Ruling::Outcome::kSubjectIsOff,
                        .element = 2,
                        .truth = "3",
                        .subject_ulp = kInfinity};
      break;
    case VerdictCode::kExpectation:
      verdict.found = VerdictCode::kAgree;
      verdict.unmet = {{.who = Role::kBoth,
                        .wanted = Unmet::Wanted::kDType,
                        .expected = "another dtype",
                        .answer = answer}};
      break;
    default:
      verdict.difference = {.what = Difference::What::kShape, .subject = "[4]", .oracle = "[5]"};
      if (is_of_refusal(code))
        verdict.ruling = {.outcome = Ruling::Outcome::kSubjectIsOff, .rules = "a refusal"};
      if (code != VerdictCode::kDifferDType) break;
      verdict.asked = verdict.difference;
      verdict.witnesses = {{"python:numpy", "float32[4]{1,2,3,4}", "[4]", Vote::kSubject},
                           {"python:jax", "timeout"}};
      verdict.alone = Alone::kOracle;
  }
  return verdict;
}

}  // namespace

RunPlan synthetic_plan(const SyntheticOptions& options) {
  RunPlan plan{.upcast_version = "0.1.0",
               .subject = "impl:cpu",
               .oracle = options.hostile ? "plugin:<b>o'clock</b>.so" : "libtorch:cpu",
               .source = "promotion",
               .planned = 0,
               .block_size = options.block_size,
               .shard = {},
               .plan_digest = "5eed",
               .judges_values = true,
               .date = "2026-11-22",
               .environment = {{"compiler", "g++ 12.2.0"},
                               {"cpu", "AMD EPYC 9354 32-Core Processor"},
                               {"libtorch", "2.15.0+cpu, capability default, one thread"},
                               {"os", "Debian GNU/Linux 12 (bookworm)"}},
               .rows = {},
               .known = known_entries(options.hostile)};
  if (options.plugin_ops > 0) {
    plan.subject = "plugin:/home/runner/work/tiny/tiny/build/release/lib/libtinytensor.so";
    plan.environment["subject.name"] = "tinytensor 0.3.1";
  }
  if (options.hostile) add_rows(plan, options, "<script>alert(1)</script>", "<i>family</i>", 2);
  for (int i = 0; i < options.binary_ops; ++i) {
    const auto index = static_cast<size_t>(i);
    const std::string_view family = i < 10 ? "arithmetic" : i < 16 ? "comparison" : "binary";
    add_rows(plan, options,
             index < kBinary.size() ? std::string(kBinary[index]) : fmt::format("binary_{}", i),
             std::string(family), 2);
  }
  constexpr std::array<std::string_view, 12> kUnary{
      "abs", "neg", "sin", "cos", "exp", "log", "erf", "sqrt", "round", "tanh", "floor", "sign"};
  for (int i = 0; i < options.unary_ops; ++i) {
    add_rows(plan, options, i < 12 ? std::string(kUnary[i]) : fmt::format("special_unary_{}", i),
             "unary", 1);
  }
  constexpr std::array<std::string_view, 5> kTernary{"where", "clamp", "addcmul", "lerp",
                                                     "addcdiv"};
  for (int i = 0; i < options.ternary_ops; ++i) {
    add_rows(plan, options, std::string(kTernary[i % 5]), "ternary", 3);
  }
  return plan;
}

RunPlan synthetic_rows_plan(int64_t cases) {
  RunPlan plan = synthetic_plan({.binary_ops = 0, .unary_ops = 0});
  plan.source = "ops";
  for (int64_t number = 0; plan.planned < cases; ++number) {
    const auto op =
        kBinary[static_cast<size_t>(number * kBinary.size() * 22 / (cases + 1)) % kBinary.size()];
    const auto dtype = [&](int64_t step) {
      return name(kElementwise[static_cast<size_t>((number / step) % 22)]);
    };
    const std::string schema = std::string(op) + ".Tensor";
    GridRow row{.id = number,
                .op = std::string(op),
                .family = "binary",
                .schema = schema,
                .form = "functional",
                .default_dtype = "float32",
                .first = plan.planned,
                .count = 20,
                .line_template = fmt::format("{}({{0}}, {{1}}, alpha={}, seed={})", schema,
                                             number % 9, number % 31),
                .axes = {}};
    row.axes = {{}, {}};
    for (const char* dims : {"[79,1]", "[128]", "[]", "[7]"})
      row.axes[0].push_back(fmt::format("{}{}", dtype(1), dims));
    for (const char* dims : {"[1,79]", "[128]", "[]", "[7]", "[1]"})
      row.axes[1].push_back(fmt::format("{}{}", dtype(22), dims));
    plan.planned += row.count;
    plan.rows.push_back(std::move(row));
  }
  return plan;
}

RunPlan synthetic_list_plan(int lines) {
  RunPlan plan = synthetic_plan({.binary_ops = 0, .unary_ops = 0});
  plan.source = "examples.cases";
  plan.planned = lines;
  for (int i = 0; i < lines; ++i) {
    const std::string op(kBinary[i % 7]);
    const std::string_view dtype = name(kElementwise[i % 22]);
    plan.rows.push_back(
        {.id = i,
         .op = op,
         .family = "arithmetic",
         .schema = op + ".Tensor",
         .form = "functional",
         .default_dtype = "float32",
         .first = i,
         .count = 1,
         .line_template = fmt::format("{}.Tensor({}[1]{{0}}, {}) -> {}[1]", op, dtype, i, dtype),
         .axes = {}});
  }
  return plan;
}

RunPlan synthetic_rulebooks_plan(const std::string& book) {
  RunPlan plan = synthetic_plan({.binary_ops = 0, .unary_ops = 0});
  plan.subject = "rulebook:all";
  plan.oracle = "table:all";
  plan.source = "grid rulebooks";
  plan.judges_values = false;
  plan.known.clear();
  plan.rows.push_back(
      {.id = 0,
       .op = book,
       .family = pair_family(book, "paddle_3.3.1_dygraph"),
       .schema = "op.add.tensor",
       .form = "functional",
       .default_dtype = "float32",
       .first = 0,
       .count = 4,
       .line_template = book + " | paddle_3.3.1_dygraph | op.add.tensor | {0} | {1}",
       .axes = {{"i64", "f32"}, {"i64", "f32"}}});
  for (const std::string& system : {book, std::string("another")}) {
    const auto id = static_cast<int64_t>(plan.rows.size());
    plan.rows.push_back({.id = id,
                         .op = system,
                         .family = std::string(kComparedFamily),
                         .schema = "add",
                         .form = "functional",
                         .default_dtype = "float32",
                         .first = 4 * id,
                         .count = 4,
                         .line_template = "add({0}, {1})",
                         .axes = {{"int64[2]", "float32[2]"}, {"int64[2]", "float32[2]"}}});
  }
  plan.planned = 12;
  return plan;
}

BlockResult synthetic_block(const RunPlan& plan, const SyntheticOptions& options, int64_t id) {
  BlockResult block;
  block.id = id;
  block.first = id * plan.block_size;
  block.count = std::min(plan.block_size, plan.planned - block.first);
  std::array<int64_t, kVerdictNames.size()> recorded{};
  std::array<int64_t, 256> matched{};
  const int rows_of_op = (options.out_forms ? 3 : 2) * (options.four_defaults ? 4 : 1);
  for (int64_t i = block.first; i < block.first + block.count; ++i) {
    const GridRow& row = row_of(plan.rows, i);
    const std::vector<int> at = axis_positions(row, i - row.first);
    const DType default_dtype = dtype_from_code(find_dtype_code(row.default_dtype));
    Operand result;
    uint64_t pair = 0;
    const size_t arity = row.axes.size() - (row.form == "out" ? 1 : 0);
    for (size_t axis = 0; axis < arity; ++axis) {
      const Operand operand = parse(row.axes[axis][at[axis]]);
      result = {promote(result, operand, default_dtype), operand.wrapped};
      pair = pair * 64 + static_cast<uint64_t>(code(operand.dtype));
    }
    if (row.family == "comparison") result.dtype = kBool;
    if (row.family == "unary" && category(result.dtype) < Category::kFloating) {
      result.dtype = default_dtype;
    }
    AnswerByte subject = answer_byte(result.dtype == kUndefined ? kFloat32 : result.dtype);
    const bool float8 = group(result.dtype) == Group::kFloat8;
    if (float8 || (row.op.starts_with("bitwise") && category(result.dtype) > Category::kIntegral)) {
      subject = answer_byte(RejectionCode::kUnsupportedDType);
    } else if (row.form == "in_place") {
      const DType self = parse(row.axes[0][at[0]]).dtype;
      subject = category(self) < category(result.dtype) ? answer_byte(RejectionCode::kResultCast)
                                                        : answer_byte(self);
    } else if (row.form == "out") {
      const DType out = parse(row.axes.back()[at.back()]).dtype;
      subject = category(out) < category(result.dtype) ? answer_byte(RejectionCode::kResultCast)
                                                       : answer_byte(out);
    }
    AnswerByte oracle = subject;
    VerdictCode verdict = VerdictCode::kAgree;
    uint8_t known = 0;
    if (row.op == "special_zeta" || row.op == "bitwise_left_shift" || row.op == "pow") {
      const int entry = row.op == "pow" ? 3 : row.op == "special_zeta" ? 1 : 2;
      ++matched[entry];
      if (hash(row.op, pair) % 7 == 0 && is_dtype(subject)) {
        verdict = VerdictCode::kKnown;
        known = static_cast<uint8_t>(entry);
        if (entry == 3) oracle = answer_byte(RejectionCode::kOther);
      }
    }
    const uint64_t chance = hash(row.op + row.schema, pair + options.chance) % 4000;
    if (!options.clean && verdict == VerdictCode::kAgree) {
      if (chance < 3) {
        verdict = VerdictCode::kDifferDType;
        oracle = answer_byte(kFloat64);
      } else if (chance == 3) {
        verdict = VerdictCode::kDifferAccepts;
        oracle = answer_byte(RejectionCode::kOther);
      } else if (chance % 400 == 4 && row.op == "div") {
        verdict = VerdictCode::kCrash;
        oracle = kCrashByte;
      } else if (chance % 400 == 5 && row.op == "fmod") {
        verdict = VerdictCode::kTimeout;
        subject = kTimeoutByte;
      } else if (chance < 10) {
        verdict = VerdictCode::kDifferValue;
      }
    }
    if (row.axes.empty() && i % 400 == 5) verdict = VerdictCode::kExpectation;
    if (chance > 3980 && verdict == VerdictCode::kAgree) verdict = VerdictCode::kNotJudged;
    const bool is_absent =
        options.plugin_ops > 0 && row.id >= int64_t{options.plugin_ops} * rows_of_op;
    if (is_absent) {
      verdict = VerdictCode::kNotJudged, known = 0;
      subject = oracle = kNotRunByte;
    }
    block.verdict.push_back(verdict);
    block.known.push_back(known);
    block.subject.push_back(subject);
    block.oracle.push_back(oracle);
    if (verdict == VerdictCode::kDifferValue || is_of_refusal(verdict)) {
      block.ruling.resize(static_cast<size_t>(block.count));
      block.ruling[static_cast<size_t>(i - block.first)] = Ruling::Outcome::kSubjectIsOff;
    }
    block.values_judged += verdict == VerdictCode::kAgree && is_dtype(subject) ? 4 : 0;
    const int most = verdict == VerdictCode::kKnown ? 4 : 64;
    if ((is_absent && i == row.first) || (!is_absent && verdict != VerdictCode::kAgree &&
                                          ++recorded[static_cast<size_t>(verdict)] <= most)) {
      const auto shown = [](AnswerByte answer) {
        return is_dtype(answer) ? answer_name(answer) + "[4]{1,2,nan,4}" : answer_name(answer);
      };
      Verdict said = verdict_of(verdict, shown(subject));
      if (is_absent) said.why = "no such op";
      block.records.push_back(
          {.case_index = i,
           .verdict = said,
           .known = known,
           .line = case_line(row, i - row.first),
           .subject = shown(subject),
           .oracle = options.hostile ? "<script>window.hacked=4</script>" : shown(oracle),
           .signature = verdict >= VerdictCode::kDifferDType
                            ? "FuzzerHash=akblcmdn " + std::string(name(verdict))
                            : ""});
    }
  }
  for (int entry = 1; entry < 256; ++entry) {
    if (matched[entry] > 0) block.matched.emplace_back(entry, matched[entry]);
  }
  return block;
}

void write_synthetic_store(const std::string& path, const RunPlan& plan,
                           const SyntheticOptions& options) {
  RunStore store = RunStore::create_or_resume(path, plan);
  for (const int64_t id : store.blocks_pending())
    store.add_block(synthetic_block(plan, options, id));
  store.finish(1.5);
}

}  // namespace upcast::reports::testing
