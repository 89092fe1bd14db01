#include "reports/html/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "reports/verdict_look.h"

namespace upcast::reports {
namespace {

/// The largest error, in ulp, that counts as a rounding error.
constexpr double kSmallUlp = 16;

constexpr bool died(AnswerByte answer) { return answer >= kTimeoutByte; }

std::string who_died(const FailureGroup& group, const Summary& summary) {
  if (died(group.subject) && died(group.oracle)) return "both sides";
  if (died(group.subject)) return summary.subject_name();
  return died(group.oracle) ? summary.oracle_name() : "the judge";
}

std::string death_sentence(const FailureGroup& group, const Summary& summary) {
  const std::string who = who_died(group, summary);
  const bool is_both = died(group.subject) && died(group.oracle);
  if (group.verdict == VerdictCode::kTimeout)
    return who + (is_both ? " give no answer in time" : " gives no answer in time");
  return who + (is_both ? " crash" : " crashes");
}

std::string answer_words(const std::string& side, AnswerByte answer) {
  if (is_dtype(answer)) return side + " answers";
  return fmt::format("{} {}", side, answer_name(answer));
}

/// A special value (NaN, an infinity) in words; "" for a usual number.
std::string special_words(const std::string& value) {
  if (value.find("nan") != std::string::npos) return "NaN";
  return value.find("inf") != std::string::npos ? "infinity" : "";
}

std::string value_sentence(const FailureGroup& group, const Summary& summary) {
  const std::optional<Difference>& difference = group.record.verdict.difference;
  if (!difference || difference->what != Difference::What::kElement) return "values differ";
  const std::string subject = special_words(difference->subject);
  const std::string oracle = special_words(difference->oracle);
  if (subject != oracle)
    return fmt::format("{} gives {}, {} {}", summary.subject_name(),
                       subject.empty() ? "a number" : subject, summary.oracle_name(),
                       oracle.empty() ? "a number" : oracle);
  if (difference->dtype != DType::kUndefined && category(difference->dtype) < Category::kFloating)
    return "whole numbers differ";
  if (std::isfinite(difference->ulp) && difference->ulp <= kSmallUlp)
    return fmt::format("values differ by {:.0f} ulp or fewer", kSmallUlp);
  if (!std::isfinite(difference->ulp)) return "values differ";
  return fmt::format("values differ by more than {:.0f} ulp", kSmallUlp);
}

/// The search term for one side's answer, such as "oracle:float32". "" unless all failures of a
/// group share that answer (run_data.cc).
std::string answer_term(std::string_view key, AnswerByte answer, VerdictCode verdict) {
  const bool by_refusal = is_of_refusal(verdict);
  const bool is_told =
      verdict == VerdictCode::kDifferDType || (by_refusal ? !is_dtype(answer) : died(answer));
  if (is_told) return fmt::format(" {}:{}", key, answer_name(answer));
  return fmt::format(" -{}:{}", key, by_refusal ? "refuses" : "crash,timeout");
}

std::string answer_terms(const FailureGroup& group) {
  switch (group.verdict) {
    case VerdictCode::kDifferDType:
    case VerdictCode::kDifferRefusal:
    case VerdictCode::kDifferAccepts:
    case VerdictCode::kCrash:
    case VerdictCode::kTimeout:
      return answer_term("result", group.subject, group.verdict) +
             answer_term("oracle", group.oracle, group.verdict);
    default:
      return "";
  }
}

std::string verdict_query(const FailureGroup& group) {
  return fmt::format("verdict:{}{}", name(group.verdict), answer_terms(group));
}

}  // namespace

std::vector<std::string_view> Reason::ops() const {
  std::vector<std::string_view> names;
  for (const FailureGroup* group : groups)
    if (std::find(names.begin(), names.end(), group->op) == names.end()) names.push_back(group->op);
  return names;
}

std::string reason_sentence(const FailureGroup& group, const Summary& summary) {
  switch (group.verdict) {
    case VerdictCode::kCrash:
    case VerdictCode::kTimeout:
      return death_sentence(group, summary);
    case VerdictCode::kExpectation:
      return "a line expects another answer";
    case VerdictCode::kDifferRefusal:
    case VerdictCode::kDifferAccepts:
      return fmt::format("{}, {}", answer_words(summary.subject_name(), group.subject),
                         answer_words(summary.oracle_name(), group.oracle));
    case VerdictCode::kDifferDType:
      return fmt::format("{} answers {}, {} {}", summary.subject_name(), answer_name(group.subject),
                         summary.oracle_name(), answer_name(group.oracle));
    case VerdictCode::kDifferValue:
      return value_sentence(group, summary);
    case VerdictCode::kDifferShape:
      return "shapes differ";
    case VerdictCode::kDifferStrides:
      return "strides differ";
    case VerdictCode::kDifferAlias:
      return "operands have other values after the call";
    case VerdictCode::kNondeterminism:
      return "two answers to the same call differ";
    default:
      return std::string(name(group.verdict));
  }
}

std::string group_query(const FailureGroup& group) {
  return fmt::format("schema:{} form:{} {} in:cases", group.schema, group.form,
                     verdict_query(group));
}

std::vector<Reason> reasons_of(const RunData& data) {
  std::map<std::pair<VerdictCode, std::string>, Reason> found;
  for (const FailureGroup& group : data.failures) {
    Reason& reason = found[{group.verdict, reason_sentence(group, data.summary)}];
    reason.verdict = group.verdict;
    reason.count += group.count;
    reason.groups.push_back(&group);
    // For differences in values there is no search: the kind of value of the first record cannot be
    // a term.
    if (group.verdict != VerdictCode::kDifferValue)
      reason.query = verdict_query(group) + " in:cases";
  }
  std::vector<Reason> reasons;
  for (auto& [key, reason] : found) {
    reason.sentence = key.second;
    std::stable_sort(reason.groups.begin(), reason.groups.end(),
                     [](const auto* a, const auto* b) { return a->count > b->count; });
    reasons.push_back(std::move(reason));
  }
  std::stable_sort(reasons.begin(), reasons.end(), [](const Reason& a, const Reason& b) {
    return std::pair(-severity(a.verdict), -a.count) < std::pair(-severity(b.verdict), -b.count);
  });
  return reasons;
}

std::vector<FailingOp> failing_ops(const RunData& data) {
  std::vector<FailingOp> ops;
  for (const OpData& op : data.ops) {
    if (op.counts.unexplained == 0) continue;
    FailingOp failing{.op = &op, .worst = nullptr, .verdicts = {}};
    for (const FailureGroup& group : data.failures) {  // data.failures has the most severe first
      if (group.op != op.name) continue;
      if (failing.worst == nullptr) failing.worst = &group;
      if (failing.verdicts.empty() || failing.verdicts.back() != group.verdict)
        failing.verdicts.push_back(group.verdict);
    }
    ops.push_back(std::move(failing));
  }
  const auto rank = [](const FailingOp& each) {
    return std::pair(-severity(each.worst->verdict), -each.op->counts.unexplained);
  };
  std::stable_sort(ops.begin(), ops.end(),
                   [&](const FailingOp& a, const FailingOp& b) { return rank(a) < rank(b); });
  return ops;
}

}  // namespace upcast::reports
