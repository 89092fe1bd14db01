#include "fuzz/findings/minimize.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "cases/notation.h"
#include "cases/operands.h"
#include "cases/simplify.h"
#include "cases/values.h"
#include "impl/core/error.h"
#include "oracle/case_call.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

constexpr int kMaxSteps = 500;
constexpr std::int64_t kFewElements = 32;
constexpr std::int64_t kMaxSpelledOut = 1 << 16;  // elements

/// The elements of a value class become those of the case itself.
Case with_values(Case c) {
  for (const int i : tensor_arguments(c)) {
    Operand& operand = c.operand(i);
    const bool wanted = operand.values.empty() && operand.shares == kOwnStorage &&
                        element_count(operand) > 0 && element_count(operand) <= kMaxSpelledOut;
    if (wanted) operand.values = operand_values(c, i);
  }
  c.values = ValueClass::kSmall;
  c.seed = 0;
  return c;
}

/// Each operand broadcast to the shape of the whole, as a vector; nothing where one shares storage
/// or the shapes do not go together.
std::optional<Case> flattened(const Case& c) {
  Dims shape;
  std::vector<int> positions;
  for (const int i : tensor_arguments(c)) {
    const Operand& operand = c.operand(i);
    if (operand.shares != kOwnStorage || operand.values.empty()) return std::nullopt;
    if (element_count(operand) > numel(shape) || shape.size() < operand.sizes.size())
      shape = operand.sizes;
    if (!operand.sizes.empty()) positions.push_back(i);
  }
  Case flat = c;
  for (const int i : positions) {
    Operand& operand = flat.operand(i);
    const std::vector<std::byte> bytes = broadcast_values(c, i, shape);
    if (bytes.empty()) return std::nullopt;
    operand.values = bytes;
    operand.sizes = {numel(shape)};
    operand.strides.clear();
    operand.offset = 0;
  }
  for (const int i : {kOutPosition, kSecondOutPosition}) {
    Operand& out = flat.operand(i);
    if (out.tag != Tag::kTensor) continue;
    if (out.shares != kOwnStorage) return std::nullopt;
    out.sizes = {numel(shape)};
    out.strides.clear();
    out.values.clear();
    out.offset = 0;
  }
  return flat;
}

/// Every vector holds one of its elements all over, each of the first ones in turn.
std::vector<Case> uniform(const Case& c) {
  constexpr std::int64_t kTried = 64;
  std::int64_t length = 0;
  for (const int i : tensor_arguments(c))
    if (!c.operand(i).values.empty()) length = std::max(length, element_count(c.operand(i)));
  std::vector<Case> cases;
  for (std::int64_t at = 0; length > 1 && at < std::min(length, kTried); ++at) {
    Case alike = c;
    for (const int i : tensor_arguments(c)) {
      Operand& operand = alike.operand(i);
      if (operand.values.empty() || element_count(operand) <= at) continue;
      const std::ptrdiff_t size = itemsize(operand.dtype);
      const std::vector<std::byte> element(operand.values.begin() + at * size,
                                           operand.values.begin() + (at + 1) * size);
      for (auto to = operand.values.begin(); to != operand.values.end(); to += size)
        std::copy(element.begin(), element.end(), to);
    }
    if (!(alike == c)) cases.push_back(std::move(alike));
  }
  return cases;
}

/// The dtypes of a category that must all show a difference for the category to stand for them.
std::vector<DType> of_category(DType dtype) {
  if (is_integral(dtype))
    return {DType::kUInt8, DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64};
  if (is_complex(dtype)) return {DType::kComplex64, DType::kComplex128};
  if (is_floating(dtype))
    return {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64};
  return {};
}

class Minimizer {
 public:
  Minimizer(const Case& c, const DifferenceOf& difference_of) : difference_of_(difference_of) {
    found_.c = c;
    found_.c.expectation.reset();
    std::optional<Signature> signature = ask(found_.c);
    if (!signature)
      throw UsageError("nothing differs in " + print_case(c) + "; there is nothing to minimize");
    found_.signature = *signature;
    essence_ = signature->essence();
  }

  MinimalCase run() {
    accept(with_values(found_.c));
    if (const auto flat = flattened(found_.c)) accept(*flat);
    while (found_.steps < kMaxSteps && step()) continue;
    abstract_dtypes();
    return found_;
  }

 private:
  std::optional<Signature> ask(const Case& c) {
    ++found_.examined;
    return difference_of_(c);
  }

  bool accept(const Case& c) {
    if (c == found_.c) return false;
    const std::optional<Signature> signature = ask(c);
    if (!signature || signature->essence() != essence_) return false;
    found_.c = c;
    found_.signature = *signature;
    ++found_.steps;
    return true;
  }

  bool step() {
    for (const Case& simpler : simpler_cases(found_.c, nullptr, kFewElements))
      if (accept(simpler)) return true;
    if (made_uniform_) return false;
    made_uniform_ = true;
    for (const Case& alike : uniform(found_.c))
      if (accept(alike)) return true;
    return false;
  }

  /// The operands of a signature stand in the order of the arguments that are given, then outputs.
  void abstract_dtypes() {
    std::size_t at = 0;
    const auto visit = [&](int position) {
      const Operand& operand = found_.c.operand(position);
      if (operand.tag == Tag::kAbsent) return;
      SignatureOperand& abstracted = found_.signature.operands.at(at++);
      if (operand.tag == Tag::kTensor) abstracted.any_of_category = any_dtype_will_do(position);
    };
    for (int i = 0; i < static_cast<int>(found_.c.arguments.size()); ++i) visit(i);
    visit(kOutPosition);
    visit(kSecondOutPosition);
  }

  bool any_dtype_will_do(int position) {
    const DType own = found_.c.operand(position).dtype;
    const std::vector<DType> dtypes = of_category(own);
    if (std::find(dtypes.begin(), dtypes.end(), own) == dtypes.end()) return false;
    return std::all_of(dtypes.begin(), dtypes.end(), [&](DType dtype) {
      if (dtype == own) return true;
      const Case other = with_dtype(found_.c, position, dtype);
      const std::optional<Signature> signature = ask(other);
      return signature && signature->essence() == essence_;
    });
  }

  const DifferenceOf& difference_of_;
  MinimalCase found_;
  std::string essence_;
  bool made_uniform_ = false;
};

}  // namespace

MinimalCase minimize(const Case& c, const DifferenceOf& difference_of) {
  return Minimizer(c, difference_of).run();
}

}  // namespace upcast::fuzz
