// Compares our promotion with LibTorch's, for all pairs and triples of operands.
#include "impl/promotion/promotion.h"

#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "impl/core/dtype_set.h"
#include "oracle/libtorch/convert.h"
#include "oracle/libtorch/default_dtype.h"
#include "oracle/libtorch/settings.h"

namespace upcast::libtorch {
namespace {

/// The result as text: a dtype's name, "refuses", or another outcome.
std::string text_of(DTypeResult result) {
  return result.ok() ? std::string(name(result.dtype())) : "refuses";
}

/// LibTorch's answer as a DTypeResult. Any exception becomes the same error, because its reason
/// does not matter.
template <class F>
DTypeResult ask(F f) {
  try {
    return from_c10(f());
  } catch (const std::exception&) {
    return PromotionError::kNoTableEntry;
  }
}

bool same(DTypeResult ours, DTypeResult theirs) {
  return ours.ok() == theirs.ok() && (!ours.ok() || ours == theirs);
}

/// Makes an undefined result a refusal. LibTorch's public promote_types may give either for a pair
/// that it does not promote.
DTypeResult undefined_as_refusal(DTypeResult result) {
  if (result.ok() && result.dtype() == DType::kUndefined) return PromotionError::kNoTableEntry;
  return result;
}

class Promotion : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    configure(Capability::kDefault);
    silence_warnings_of_this_thread();
  }
};

TEST_F(Promotion, PromoteTypesEqualsC10OnAllPairs) {
  int refused = 0;
  for (DType first : dtypes()) {
    for (DType second : dtypes()) {
      const DTypeResult ours = undefined_as_refusal(promote_types(first, second));
      const DTypeResult theirs = undefined_as_refusal(
          ask([&] { return c10::promoteTypes(to_c10(first), to_c10(second)); }));
      EXPECT_TRUE(same(ours, theirs)) << "promote_types(" << name(first) << ", " << name(second)
                                      << "): " << text_of(ours) << ", c10: " << text_of(theirs);
      refused += !ours.ok();
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_LT(refused, kDTypeCount * kDTypeCount);
}

TEST_F(Promotion, CanCastEqualsC10OnAllPairs) {
  for (DType from : dtypes()) {
    for (DType to : dtypes()) {
      EXPECT_EQ(can_cast(from, to), c10::canCast(to_c10(from), to_c10(to)))
          << "can_cast(" << name(from) << ", " << name(to) << ")";
    }
  }
}

/// One operand, in our form and in LibTorch's.
struct BothSides {
  TypedOperand ours;
  at::Tensor theirs;
};

/// The operands of the test: a dim and a zero-dim tensor of each elementwise dtype, each number,
/// and the undefined tensor.
std::vector<BothSides> all_operands() {
  std::vector<BothSides> operands;
  const auto add = [&operands](DType dtype, Kind kind) {
    const auto options = at::TensorOptions().dtype(to_c10(dtype));
    at::Tensor tensor = kind == Kind::kDim ? at::empty({2}, options) : at::empty({}, options);
    if (kind == Kind::kWrapped) tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    operands.push_back({{dtype, kind}, tensor});
  };
  for (DType dtype : dtypes()) {
    if (!kElementwise.contains(dtype)) continue;
    add(dtype, Kind::kDim);
    add(dtype, Kind::kZeroDim);
  }
  for (DType dtype :
       {DType::kBool, DType::kInt64, DType::kUInt64, DType::kFloat64, DType::kComplex128})
    add(dtype, Kind::kWrapped);
  operands.push_back({{DType::kUndefined, Kind::kDim}, at::Tensor()});
  return operands;
}

std::string text_of(const BothSides& operand) {
  return std::string(name(operand.ours.dtype)) + ":" + std::string(name(operand.ours.kind));
}

class ResultType : public Promotion, public testing::WithParamInterface<DType> {};

TEST_P(ResultType, EqualsLibTorchOnAllPairs) {
  const Defaults defaults{GetParam()};
  const DefaultDTypeScope scope(GetParam());
  const std::vector<BothSides> operands = all_operands();
  if (dtypes().size() == kDTypeCount) {
    EXPECT_EQ(operands.size(), 22u * 2 + 5 + 1);
  }
  for (const BothSides& a : operands) {
    for (const BothSides& b : operands) {
      const std::array<TypedOperand, 2> both{a.ours, b.ours};
      const DTypeResult ours = result_type(both, defaults);
      const DTypeResult by_table = result_type(a.ours, b.ours, defaults);
      const DTypeResult theirs = ask([&] {
        at::native::ResultTypeState state;
        if (a.theirs.defined()) state = at::native::update_result_type_state(a.theirs, state);
        if (b.theirs.defined()) state = at::native::update_result_type_state(b.theirs, state);
        return at::native::result_type(state);
      });
      EXPECT_TRUE(same(ours, theirs))
          << "result_type(" << text_of(a) << ", " << text_of(b) << "): " << text_of(ours)
          << ", LibTorch: " << text_of(theirs);
      EXPECT_TRUE(same(ours, by_table)) << text_of(a) << ", " << text_of(b);
    }
  }
}

TEST_P(ResultType, EqualsLibTorchOnAllTriples) {
  const Defaults defaults{GetParam()};
  const DefaultDTypeScope scope(GetParam());
  const std::vector<BothSides> operands = all_operands();
  int different = 0;
  for (const BothSides& a : operands)
    for (const BothSides& b : operands)
      for (const BothSides& c : operands) {
        const std::array<TypedOperand, 3> all{a.ours, b.ours, c.ours};
        const DTypeResult ours = result_type(all, defaults);
        const DTypeResult theirs = ask([&] {
          const std::array<at::Tensor, 3> tensors{a.theirs, b.theirs, c.theirs};
          return at::native::result_type(at::ITensorListRef(at::ArrayRef<at::Tensor>(tensors)));
        });
        if (same(ours, theirs)) continue;
        if (++different <= 10)
          ADD_FAILURE() << "result_type(" << text_of(a) << ", " << text_of(b) << ", " << text_of(c)
                        << "): " << text_of(ours) << ", LibTorch: " << text_of(theirs);
      }
  EXPECT_EQ(different, 0);
}

INSTANTIATE_TEST_SUITE_P(Defaults, ResultType,
                         testing::Values(DType::kFloat32, DType::kFloat64, DType::kFloat16,
                                         DType::kBFloat16),
                         [](const auto& test) { return std::string(name(test.param)); });

}  // namespace
}  // namespace upcast::libtorch
