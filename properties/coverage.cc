#include "properties/coverage.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "cases/element.h"
#include "cases/values.h"
#include "impl/ops/number_cast.h"
#include "properties/run_property.h"
#include "properties/tag_counter.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;
using Features = std::set<std::string>;

std::string feature(std::string_view kind, std::string_view value) {
  return std::string(kind) + ":" + std::string(value);
}

void add_part(DType real, double value, Features& features) {
  const auto add = [&features](std::string_view what) { features.insert(feature("value", what)); };
  if (std::isnan(value)) return add("nan");
  if (std::signbit(value)) add(value == 0 ? "negative_zero" : "negative");
  if (value == 0) return add("zero");
  if (std::isinf(value)) return add("infinite");
  add("finite");
  if (!is_floating(real)) return;
  if (std::abs(value) == largest_finite(real)) add("limit");
  const double smallest_normal = real == DType::kFloat16   ? 0x1p-14
                                 : real == DType::kFloat64 ? std::numeric_limits<double>::min()
                                 : itemsize(real) > 1      ? 0x1p-126
                                                           : 0;
  if (std::abs(value) < smallest_normal) add("subnormal");
}

void add_values(const Case& c, int position, Features& features) {
  const Operand& operand = c.operand(position);
  if (!kElementwise.contains(operand.dtype) || operand.shares != kOwnStorage) return;
  // Operands of more than 1000 elements are left out, because they only repeat the values of short
  // ones.
  constexpr std::int64_t kLong = 1000;
  if (element_count(operand) > kLong) return;
  const std::vector<std::byte> values = operand_values(c, position);
  const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
  for (std::size_t at = 0; at + size <= values.size(); at += size) {
    const Complex<double> value = value_of(operand.dtype, values.data() + at);
    add_part(to_real(operand.dtype), value.re, features);
    if (is_complex(operand.dtype)) add_part(to_real(operand.dtype), value.im, features);
    // For integers, only the ends of their range are features.
    if (is_integral(operand.dtype) &&
        std::abs(value.re) >= std::ldexp(1.0, 8 * itemsize(operand.dtype) - 1) - 1)
      features.insert("value:limit");
  }
}

void add_layout(const Operand& operand, Features& features) {
  const auto add = [&features](std::string_view what) { features.insert(feature("layout", what)); };
  features.insert(feature("rank", std::to_string(operand.sizes.size())));
  if (element_count(operand) == 0) add("empty");
  if (operand.shares != kOwnStorage) add("shared");
  if (operand.offset != 0) add("offset");
  if (operand.strides.empty()) return add("contiguous");
  const bool expanded =
      std::find(operand.strides.begin(), operand.strides.end(), 0) != operand.strides.end();
  add(expanded ? "expanded" : "strided");
}

void add_operand(const Case& c, int position, Features& features) {
  const Operand& operand = c.operand(position);
  switch (operand.tag) {
    case Tag::kTensor:
      features.insert(feature("dtype", name(operand.dtype)));
      features.insert(feature("category", name(category(operand.dtype))));
      if (position >= 0)
        features.insert(feature("kind", operand.sizes.empty() ? "zero_dim" : "dim"));
      add_layout(operand, features);
      add_values(c, position, features);
      break;
    case Tag::kNumber:
      features.insert(feature("number", name(category(operand.number.dtype()))));
      if (c.schema().parameters[static_cast<std::size_t>(position)].type == ParameterType::kTensor)
        features.insert(feature("kind", "wrapped"));
      break;
    case Tag::kDType:
      features.insert(feature("dtype", name(operand.dtype)));
      features.insert(feature("category", name(category(operand.dtype))));
      break;
    case Tag::kUndefined:
      features.insert(feature("kind", "undefined"));
      break;
    default:
      break;
  }
}

}  // namespace

std::vector<std::string> features_of(const Case& c) {
  Features features{feature("op", c.op->spec->name), feature("default", name(c.defaults.floating)),
                    feature("form", name(c.form)), feature("class", name(c.values))};
  int operands = 0;
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i) {
    add_operand(c, i, features);
    const Tag tag = c.operand(i).tag;
    operands += tag == Tag::kTensor || tag == Tag::kNumber || tag == Tag::kDType;
  }
  for (int i : {kOutPosition, kSecondOutPosition}) add_operand(c, i, features);
  features.insert(feature("arity", std::to_string(operands)));
  return {features.begin(), features.end()};
}

int Coverage::distinct(std::string_view feature) const {
  return static_cast<int>(std::count_if(counts.begin(), counts.end(), [&](const auto& count) {
    return count.first.starts_with(std::string(feature) + ":");
  }));
}

double Coverage::smallest_share(const Demand& demand) const {
  std::vector<int> found;
  for (const auto& [what, count] : counts)
    if (what.starts_with(std::string(demand.feature) + ":")) found.push_back(count);
  if (static_cast<int>(found.size()) < demand.distinct) return 0;
  std::sort(found.begin(), found.end(), std::greater<>());
  return 100.0 * found[static_cast<std::size_t>(demand.distinct - 1)] / examples;
}

Coverage measure(const Generator& generator, int examples, std::uint64_t seed) {
  const std::shared_ptr<const Promotion> promotion = make_promotion(kPyTorchRules);
  const rc::Gen<Case> cases = examples_of(generator, *promotion);
  TagCounter tags;
  rc::detail::TestParams params;
  params.seed = seed;
  params.maxSuccess = examples;
  rc::detail::checkProperty(rc::detail::toProperty([&cases] {
                              for (const std::string& what : features_of(*cases))
                                rc::detail::classify(what, {});
                            }),
                            {}, params, tags, {});
  return {examples, tags.counts()};
}

}  // namespace upcast::properties
