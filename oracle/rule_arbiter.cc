#include "oracle/rule_arbiter.h"

#include <fmt/format.h>

#include <algorithm>

#include "impl/cpu/cpu_engine.h"
#include "oracle/impl_subject.h"

namespace upcast {
namespace {

using What = Difference::What;

/// Whether a side's answers define what its version of PyTorch does. Sides with a device, an
/// imported module or a compiler do not: they only have to agree with PyTorch.
bool is_pytorch(const Side& side) {
  if (side.is_libtorch()) return true;
  return side.vendor == Vendor::kPython && side.target == "torch" &&
         std::all_of(side.settings.begin(), side.settings.end(), [](const Side::Setting& setting) {
           return setting.key == "python" || (setting.key == "device" && setting.value == "cpu");
         });
}

/// The place in the order in which judge() looks at kinds of differences; 0 for a kind that rules
/// do not decide.
int order_of(VerdictCode found) {
  switch (found) {
    case VerdictCode::kDifferRefusal:
    case VerdictCode::kDifferAccepts:
      return 1;
    case VerdictCode::kDifferDType:
      return 2;
    case VerdictCode::kDifferShape:
      return 3;
    case VerdictCode::kDifferStrides:
      return 4;
    default:
      return 0;
  }
}

/// Whether PyTorch's rules decide who is wrong about a difference. They do not decide how a result
/// is typed. Of values they decide only the truth value that a function of dtypes returns
/// (can_cast).
bool is_decided_by_rules(const Case& c, const Verdict& found) {
  if (!found.difference || found.difference->what == What::kTyping) return false;
  return order_of(found.found) > 0 ||
         (found.found == VerdictCode::kDifferValue && c.schema().returns == "bool");
}

/// The result with this number, which differs; null if the answer has no such result.
const Answer* result_of(const Answer& answer, int result) {
  if (result == 0) return &answer;
  const auto further = static_cast<std::size_t>(result) - 1;
  return further < answer.further.size() ? &answer.further[further] : nullptr;
}

/// Whether a side's answer is like the model's in what differs between the sides. It may differ in
/// what judge() compares later.
bool are_alike(const Case& c, const Answer& model, const Answer& side, VerdictCode differing) {
  const Verdict verdict = judge(c, model, side, {});
  // judge() compares values last, so here dtype, shape and strides are alike.
  if (verdict.code == VerdictCode::kNotJudged)
    return order_of(differing) > 0 && (verdict.not_judged == NotJudged::kMachineDecides ||
                                       verdict.not_judged == NotJudged::kNoTruth);
  const int order = order_of(verdict.found);
  return is_agreement(verdict.code) ||
         (order_of(differing) > 0 && (order == 0 || order > order_of(differing)));
}

/// The part of an answer that rules decide, as text: "dtype float64", "shape [2,3]", "a refusal".
std::string text_of(const Answer& answer, const Answer& result, What what) {
  if (answer.tag == Answer::Tag::kRefusal) return "a refusal";
  switch (what) {
    case What::kRefusal:
      return "an answer";
    case What::kShape:
      return fmt::format("shape [{}]", fmt::join(result.sizes, ","));
    case What::kStrides:
      return fmt::format("strides [{}]", fmt::join(result.strides, ","));
    case What::kResults:
      return fmt::format("{} results", answer.further.size() + 1);
    case What::kElement:
      return to_text(result);
    default:
      return fmt::format("dtype {}", name(result.dtype));
  }
}

}  // namespace

RuleArbiter::RuleArbiter(const Side& subject, const Side& oracle)
    : subject_is_pytorch_(is_pytorch(subject)), oracle_is_pytorch_(is_pytorch(oracle)) {
  if (subject.vendor == Vendor::kUpcast || oracle.vendor == Vendor::kUpcast) return;
  const Device device = oracle_is_pytorch_ ? oracle.device : subject.device;
  auto model =
      std::make_unique<ImplSubject>(std::make_unique<CpuEngine>(), ImplSubject::Versions{}, device);
  model->stand_in_for_gpu();
  model_ = std::move(model);
}

RuleArbiter::~RuleArbiter() = default;

Ruling RuleArbiter::rule(const Case& c, const Verdict& found, const Answer& subject,
                         const Answer& oracle) {
  Ruling ruling;
  if (!is_decided_by_rules(c, found)) return ruling;
  ruling.outcome = Ruling::Outcome::kUndecided;
  ruling.result = found.difference->result;
  if (model_ == nullptr) {
    ruling.why = subject_is_pytorch_ || oracle_is_pytorch_
                     ? "LibTorch and our own rules differ, and there is no third source to decide"
                     : "our own rules are one of the sides, and LibTorch, which defines what is "
                       "right, is not";
    return ruling;
  }
  const Answer model = answer_of(*model_, c);
  const Answer* const own = result_of(model, ruling.result);
  if (model.tag == Answer::Tag::kNotJudged || own == nullptr) {
    ruling.why = "our own rules do not answer the call";
    return ruling;
  }
  const auto is_with = [&](const Answer& answer) {
    const Answer* const theirs = result_of(answer, ruling.result);
    return theirs != nullptr && are_alike(c, *own, *theirs, found.found);
  };
  const bool with_subject = is_with(subject);
  const bool with_oracle = is_with(oracle);
  ruling.rules = text_of(model, *own, found.difference->what);
  if (with_oracle && !with_subject && oracle_is_pytorch_ && !subject_is_pytorch_)
    ruling.outcome = Ruling::Outcome::kSubjectIsOff;
  else if (with_subject && !with_oracle && subject_is_pytorch_ && !oracle_is_pytorch_)
    ruling.outcome = Ruling::Outcome::kOracleIsOff;
  else
    ruling.why = fmt::format("our own rules give {}, {}", ruling.rules,
                             with_subject == with_oracle ? "as neither side does"
                             : with_subject              ? "as the subject does"
                                                         : "as the oracle does");
  if (ruling.outcome == Ruling::Outcome::kUndecided && subject_is_pytorch_ == oracle_is_pytorch_)
    ruling.why += subject_is_pytorch_ ? "; both sides are PyTorch, which defines what is right"
                                      : "; LibTorch, which defines what is right, is not a side";
  return ruling;
}

}  // namespace upcast
