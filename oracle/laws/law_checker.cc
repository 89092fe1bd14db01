#include "oracle/laws/law_checker.h"

#include <algorithm>

#include "cases/element.h"
#include "cases/notation.h"
#include "cases/operands.h"
#include "cases/values.h"
#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "impl/promotion/can_cast.h"
#include "oracle/judge.h"
#include "oracle/signature.h"
#include "oracle/version_range.h"

namespace upcast {
namespace {

/// How many elements the operands x and y of a law's calls have. There are many if both have one
/// dtype, and few for the many pairs of dtypes.
constexpr std::int64_t kManyElements = 48;
constexpr std::int64_t kFewElements = 4;

bool answers(const Reply& reply) {
  return !reply.died() &&
         (reply.answer.tag == Answer::Tag::kTensor || reply.answer.tag == Answer::Tag::kDType);
}
bool refuses(const Reply& reply) {
  return !reply.died() && reply.answer.tag == Answer::Tag::kRefusal;
}
/// Whether a side fails on the call: it died, or its answer is broken.
bool fails(const Reply& reply) { return reply.died() || reply.answer.tag == Answer::Tag::kBroken; }

/// `count` special elements of a dtype, taken at even distances from all its special elements.
std::vector<std::byte> spread_elements(DType dtype, std::int64_t count) {
  const std::vector<std::byte>& all = special_elements(dtype);
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  const std::size_t there = all.size() / size;
  std::vector<std::byte> values;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const std::size_t from =
        (there <= static_cast<std::size_t>(count) ? i : i * there / count) % there * size;
    values.insert(values.end(), all.begin() + from, all.begin() + from + size);
  }
  return values;
}

/// The elements of the operand y. For an integral dtype or bool they are 1, 2, 3, by which any
/// value can be divided and shifted.
std::vector<std::byte> second_elements(DType dtype, std::int64_t count) {
  if (!is_integral(dtype) && !is_bool(dtype)) return spread_elements(dtype, count);
  std::vector<std::byte> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto element = element_of(dtype, 1 + i % 3);
    values.insert(values.end(), element.begin(), element.end());
  }
  return values;
}

Operand tensor_of(DType dtype, std::int64_t count, std::vector<std::byte> values) {
  Operand operand = tensor(dtype, {count});
  operand.values = std::move(values);
  return operand;
}

Operand tensor_of(const Answer& answer) {
  Operand operand = tensor(answer.dtype, answer.sizes);
  operand.values = answer.bytes;
  return operand;
}

Answer cast_answer(const Answer& answer, DType dtype) {
  Answer cast = answer;
  if (cast.dtype == dtype || cast.tag != Answer::Tag::kTensor) return cast;
  const std::int64_t count = numel(answer.sizes);
  cast.dtype = dtype;
  cast.bytes.resize(static_cast<std::size_t>(count * itemsize(dtype)));
  cast_elements(answer.dtype, answer.bytes.data(), dtype, cast.bytes.data(), count);
  return cast;
}

/// The answer, with the strides of another answer, because laws say nothing about strides.
Answer with_strides_of(Answer answer, const Answer& other) {
  if (answer.sizes == other.sizes) answer.strides = other.strides;
  return answer;
}

/// Whether a known difference is about the side. An entry without a subject is about every path of
/// LibTorch on a CPU.
bool is_about(const KnownDifference& entry, const Side& side) {
  if (entry.subject.empty()) return true;
  const Side subject = parse_side(entry.subject);
  return subject.target == side.target && subject.capability == side.capability;
}

/// How a call's answer differs from what its witness expects. Each of the two is judged within the
/// bounds of its own call.
VerdictCode judged(const Answered& call, const Answered& witness, const Answer& expected,
                   Sides sides) {
  const VerdictCode code = judge(call.call, call.reply.answer, expected, sides).found;
  if (code != VerdictCode::kDifferValue) return code;
  return judge(witness.call, call.reply.answer, expected, sides).found;
}

}  // namespace

LawChecker::LawChecker(Ask ask, const Side& side, Explanations explanations)
    : ask_(std::move(ask)), sides_{side.bounds, side.bounds, side.on_gpu} {
  const auto applies = [&](const std::string& versions) {
    return explanations.libtorch.empty() || version_in_range(explanations.libtorch, versions);
  };
  for (BrokenLaw& broken : explanations.broken)
    if (applies(broken.versions)) broken_.push_back(std::move(broken));
  for (KnownDifference& entry : explanations.known) {
    if (!side.is_libtorch() || !is_about(entry, side) || !applies(entry.versions)) continue;
    DeclaredAnswer answer(entry);
    known_.push_back({std::move(entry), std::move(answer)});
  }
}

Answered LawChecker::ask(const Case& c) {
  const auto [found, is_new] = replies_.try_emplace(print_case(c));
  if (is_new) found->second = ask_(c);
  return {c, found->second};
}

void LawChecker::check(Law law, const Op& op) {
  replies_.clear();
  for_each_pair(law, op, [this](const CallPair& pair) { check(pair); });
}

void LawChecker::check(const CallPair& pair) {
  ++report_.counts[static_cast<int>(pair.law)].pairs;
  if (pair.promoted && answers(ask(*pair.promoted).reply)) return;
  compare(pair.law, "", ask(pair.call), ask(pair.witness), pair.alike, pair.written,
          pair.both_ways);
}

void LawChecker::check(const Identity& identity) {
  replies_.clear();
  const bool two = identity.left.uses("y") || identity.right.uses("y");
  for (const DType x : identity.dtypes.dtypes()) {
    if (!two) check(identity, x, x);
    for (const DType y : two ? identity.dtypes.dtypes() : std::vector<DType>{})
      if (promote_types(x, y).ok()) check(identity, x, y);
  }
}

void LawChecker::check(const Identity& identity, DType x, DType y) {
  ++report_.counts[static_cast<int>(Law::kSiblings)].pairs;
  const std::int64_t count = x == y ? kManyElements : kFewElements;
  const std::map<std::string, Operand> variables{
      {"x", tensor_of(x, count, spread_elements(x, count))},
      {"y", tensor_of(y, count, second_elements(y, count))},
      {"m", tensor_of(DType::kBool, count, second_elements(DType::kBool, count))}};
  const Answered left = evaluate(identity.left, variables);
  const Answered right = evaluate(identity.right, variables);
  compare(Law::kSiblings, identity.text, left, right,
          identity.relation == Relation::kSame ? Alike::kValues : Alike::kAnswering,
          DType::kUndefined, identity.relation != Relation::kOwes);
}

Answered LawChecker::evaluate(const Expression& expression,
                              const std::map<std::string, Operand>& variables) {
  std::string line = expression.callable + "(";
  for (const Expression::Argument& argument : expression.arguments) {
    if (line.back() != '(') line += ", ";
    if (!argument.keyword.empty()) line += argument.keyword + "=";
    if (argument.nested.empty()) {
      const auto variable = variables.find(argument.text);
      line += variable == variables.end() ? argument.text : print_operand(variable->second);
      continue;
    }
    Answered inner = evaluate(argument.nested.front(), variables);
    if (!answers(inner.reply)) return inner;
    line += print_operand(tensor_of(inner.reply.answer));
  }
  return ask(parse_case(line + ")"));
}

bool LawChecker::binds(const Answered& witness, DType written) {
  return answers(witness.reply) &&
         (written == DType::kUndefined || can_cast(witness.reply.answer.dtype, written));
}

void LawChecker::compare(Law law, const std::string& identity, Answered call, Answered witness,
                         Alike alike, DType written, bool both_ways) {
  LawCounts& counts = report_.counts[static_cast<int>(law)];
  const auto unable = [](const Answered& one) {
    return !one.reply.died() && one.reply.answer.tag == Answer::Tag::kNotJudged;
  };
  if (unable(call) || unable(witness)) {
    ++counts.not_judged;
    return;
  }
  if (both_ways && !answers(witness.reply) && answers(call.reply)) std::swap(call, witness);
  if (fails(call.reply) && !fails(witness.reply)) {
    ++counts.binding;
    return add({law, identity, call.reply.timed_out() ? VerdictCode::kTimeout : VerdictCode::kCrash,
                std::move(call), witness},
               witness.reply);
  }
  if (!binds(witness, written)) return;
  ++counts.binding;
  const Reply reply = witness.reply;
  if (refuses(call.reply))
    return add({law, identity, VerdictCode::kDifferRefusal, std::move(call), std::move(witness)},
               reply);
  if (alike == Alike::kAnswering || !answers(call.reply)) return;
  const Answer expected = with_strides_of(
      written == DType::kUndefined ? reply.answer : cast_answer(reply.answer, written),
      call.reply.answer);
  const VerdictCode code = judged(call, witness, expected, sides_);
  if (code == VerdictCode::kNotJudged) ++counts.not_judged;
  if (is_failure(code) && (code != VerdictCode::kDifferValue || alike == Alike::kValues))
    add({law, identity, code, std::move(call), std::move(witness)}, {.answer = expected});
}

void LawChecker::add(LawFinding finding, const Reply& expected) {
  LawCounts& counts = report_.counts[static_cast<int>(finding.law)];
  const std::string id = explanation(finding, expected);
  ++(id.empty() ? counts.unexplained : counts.explained);
  const auto key = [&] {
    return std::string(name(finding.law)) + ": " +
           signature_of(finding.call.call, finding.code, finding.call.reply, expected, sides_)
               .text();
  };
  LawFindings& findings = id.empty() ? report_.unexplained[key()] : report_.explained[id];
  if (findings.count++ == 0) findings.first = std::move(finding);
}

std::string LawChecker::explanation(const LawFinding& finding, const Reply& expected) const {
  const std::string_view kind =
      kind_of(finding.code);  // kind of the call's answer; the witness's kind is the mirrored one
  const std::string_view witness_kind = kind_of(mirrored(finding.code));
  const Answered& call = finding.call;
  const Answered& witness = finding.witness;
  for (const auto& [entry, answer] : known_) {
    // A vector path computes some elements in its scalar tail, so part of its elements may be
    // right.
    const auto is_wrong = entry.subject.empty() ? &DeclaredAnswer::is : &DeclaredAnswer::is_partly;
    if (entry.is_of(kind) && entry.selector->matches(call.call) &&
        (call.reply.died() ? answer.is_death(call.reply)
                           : (answer.*is_wrong)(call.call, expected.answer, call.reply.answer)))
      return entry.id;
    if (!call.reply.died() && entry.is_of(witness_kind) && entry.selector->matches(witness.call) &&
        (answer.*is_wrong)(witness.call, call.reply.answer, expected.answer))
      return entry.id;
  }
  for (const BrokenLaw& broken : broken_)
    if (broken.names(finding.law, kind, call.call, witness.call)) return broken.id;
  return "";
}

std::vector<std::string> LawChecker::unused() const {
  std::vector<std::string> ids;
  for (const BrokenLaw& broken : broken_)
    if (!report_.explained.contains(broken.id)) ids.push_back(broken.id);
  return ids;
}

}  // namespace upcast
