// Tests that the promotion grid notices mistakes. Each cell of promote_types and each rule of
// result_type, compute_types and can_cast is broken, one at a time, in our implementation. Some
// case of the grid must then disagree with LibTorch.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cases/grid.h"
#include "cases/notation.h"
#include "oracle/impl_subject.h"
#include "oracle/judge.h"
#include "oracle/libtorch/register.h"
#include "oracle/planted/broken_rules.h"

namespace upcast {
namespace {

/// Cases of the promotion grid with LibTorch's answers to them.
struct Answered {
  std::vector<Case> cases;
  std::vector<Answer> answers;
};

Subject& libtorch() {
  static const std::unique_ptr<Subject> subject = [] {
    register_libtorch_subjects();
    return make_subject("libtorch:cpu");
  }();
  return *subject;
}

const Plan& promotion_grid() {
  static const Plan plan = make_grid("promotion");
  return plan;
}

/// The rows of the promotion grid whose callable is one of `callables`, answered by LibTorch.
Answered answer_rows(std::vector<std::string_view> callables, bool every_default) {
  Answered answered;
  for (const GridRow& row : promotion_grid().rows) {
    const Case& prototype = row.prototype;
    if (std::find(callables.begin(), callables.end(), prototype.callable()) == callables.end())
      continue;
    if (!every_default && prototype.defaults.floating != DType::kFloat32) continue;
    for (std::int64_t i = 0; i < row.count; ++i) {
      Case c = prototype;
      row.decode(i, c);
      answered.answers.push_back(answer_of(libtorch(), c));
      answered.cases.push_back(std::move(c));
    }
  }
  return answered;
}

/// The first case in which LibTorch differs from the broken rules, but not from PyTorch's; null if
/// there is none.
const Case* noticed_by(const Answered& answered, const Rules& broken) {
  ImplSubject right;
  ImplSubject wrong(broken);
  for (std::size_t i = 0; i < answered.cases.size(); ++i) {
    const Case& c = answered.cases[i];
    const auto agrees = [&](Subject& ours) {
      return judge(c, answer_of(ours, c), answered.answers[i]).code == VerdictCode::kAgree;
    };
    if (!agrees(wrong) && agrees(right)) return &c;
  }
  return nullptr;
}

/// Replaces a right result by a wrong one.
DTypeResult flipped(DTypeResult right) {
  if (!right.ok()) return DType::kFloat32;
  return right == DTypeResult(DType::kFloat32) ? DTypeResult(DType::kFloat64)
                                               : DTypeResult(DType::kFloat32);
}

TEST(PlantedBugs, EveryCellOfPromoteTypesIsNoticed) {
  const Answered answered = answer_rows({"promote_types"}, false);
  ASSERT_EQ(answered.cases.size(), 47U * 47U);
  int noticed = 0;
  for (std::size_t i = 0; i < answered.cases.size(); ++i) {
    const DType a = answered.cases[i].arguments[0].dtype;
    const DType b = answered.cases[i].arguments[1].dtype;
    const Rules broken = kPyTorchRules.with_cell(a, b, flipped(promote_types(a, b)));
    // Only the case of this cell can notice the break, so other cases are not asked.
    const Answered cell{{answered.cases[i]}, {answered.answers[i]}};
    const bool by_its_case = noticed_by(cell, broken) != nullptr;
    EXPECT_TRUE(by_its_case) << name(a) << " " << name(b);
    noticed += by_its_case;
  }
  std::printf("%zu cells of promote_types broken, %d noticed\n", answered.cases.size(), noticed);
}

TEST(PlantedBugs, EveryElementwiseCellIsNoticedThroughOperands) {
  const Answered answered = answer_rows({"result_type.Tensor"}, false);
  std::size_t cells = 0;
  for (std::size_t i = 0; i < answered.cases.size(); ++i) {
    const auto& arguments = answered.cases[i].arguments;
    if (arguments[0].tag != Operand::Tag::kTensor || arguments[0].sizes.empty() ||
        arguments[1].tag != Operand::Tag::kTensor || arguments[1].sizes.empty())
      continue;
    const Rules broken =
        kPyTorchRules.with_cell(arguments[0].dtype, arguments[1].dtype,
                                flipped(promote_types(arguments[0].dtype, arguments[1].dtype)));
    const Answered cell{{answered.cases[i]}, {answered.answers[i]}};
    EXPECT_NE(noticed_by(cell, broken), nullptr) << print_case(answered.cases[i]);
    ++cells;
  }
  EXPECT_EQ(cells, 22U * 22U);
}

TEST(PlantedBugs, EveryRuleIsNoticed) {
  const Answered answered = answer_rows(
      {"result_type.Tensor", "can_cast", "div.Tensor", "eq.Tensor", "eq_.Tensor", "neg", "neg.out",
       "abs", "square", "float_power.Tensor_Tensor", "lerp.Scalar", "add_.Tensor"},
      true);
  const Answered three_operands = answer_rows({"clamp.Tensor", "lerp.Tensor"}, false);
  int noticed = 0;
  for (int i = 0; i < kRuleCount; ++i) {
    const Rule rule = static_cast<Rule>(i);
    const Rules broken = rules_without(rule);
    const Case* by = noticed_by(answered, broken);
    if (by == nullptr) by = noticed_by(three_operands, broken);
    EXPECT_NE(by, nullptr) << "without the rule: " << describe(rule);
    if (by == nullptr) continue;
    std::printf("%-70s %s\n", std::string(describe(rule)).c_str(), print_case(*by).c_str());
    ++noticed;
  }
  EXPECT_EQ(noticed, kRuleCount);
}

TEST(PlantedBugs, TheRightImplementationIsNotAccused) {
  EXPECT_EQ(noticed_by(answer_rows({"result_type.Tensor"}, true), kPyTorchRules), nullptr);
}

}  // namespace
}  // namespace upcast
