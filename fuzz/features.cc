#include "fuzz/features.h"

#include <algorithm>
#include <cmath>

#include "oracle/case_trace.h"

// The feature bytes, where libFuzzer looks for them. Without external linkage and `used`, the
// optimiser would leave the static array out.
extern "C" {
__attribute__((section("__libfuzzer_extra_counters"), used))
std::array<std::uint8_t, upcast::fuzz::kFeatureBytes>
    upcast_features;
/// AFL++'s map of what an input reached; null in an engine of libFuzzer.
extern __attribute__((weak)) std::uint8_t* __afl_area_ptr;  // NOLINT(bugprone-reserved-identifier)
}

namespace upcast::fuzz {
namespace {

enum Kind : std::uint32_t {
  kOutcome = 1,
  kOpDTypes,
  kDTypesKinds,
  kForm,
  kValues,
  kLayout,
  kRefusal,
  kUlp,
  kDefault,
  kRule,
  kRulePair
};

std::uint32_t mix(std::uint32_t hash, std::uint32_t value) {
  hash = (hash ^ value) * 0x9e3779b1u;
  return hash ^ hash >> 15;
}

/// The facts about a case's first two operands that features are made of.
struct Operands {
  std::uint32_t dtypes = 0;
  std::uint32_t kinds = 0;
  std::uint32_t layouts = 0;
};

std::uint32_t kind_number(const Operand& operand) {
  if (operand.tag != Operand::Tag::kTensor) return 3 + static_cast<std::uint32_t>(operand.tag);
  return operand.sizes.empty() ? 1 : element_count(operand) == 0 ? 2 : 0;
}

std::uint32_t layout_number(const Operand& operand) {
  std::uint32_t number =
      operand.sizes.size() > 3 ? 3 : static_cast<std::uint32_t>(operand.sizes.size());
  number = number * 2 + (operand.offset != 0);
  number = number * 2 + (operand.shares != kOwnStorage);
  const bool zero =
      std::find(operand.strides.begin(), operand.strides.end(), 0) != operand.strides.end();
  return number * 3 + (operand.strides.empty() ? 0 : zero ? 1 : 2);
}

Operands operands_of(const Case& c) {
  Operands found;
  int count = 0;
  for (const Operand& operand : c.arguments) {
    if (operand.tag != Operand::Tag::kTensor && operand.tag != Operand::Tag::kNumber) continue;
    if (count++ == 2) break;
    const DType dtype =
        operand.tag == Operand::Tag::kNumber ? operand.number.dtype() : operand.dtype;
    found.dtypes = found.dtypes * 64 + code(dtype) + 1;
    found.kinds = found.kinds * 16 + kind_number(operand) + 1;
    if (operand.tag == Operand::Tag::kTensor)
      found.layouts = found.layouts * 64 + layout_number(operand) + 1;
  }
  return found;
}

}  // namespace

void mark_feature(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t at = mix(mix(0x811c9dc5u, a), b) % kFeatureBytes;
  upcast_features[at] = 1;
  if (&__afl_area_ptr != nullptr) __afl_area_ptr[at] = 1;
}

void mark_features(const Case& c, const Answer& subject, const Verdict& verdict) {
  const auto op = static_cast<std::uint32_t>(c.op - catalogue().data());
  const Operands operands = operands_of(c);
  const auto pair = [](Kind kind, std::uint32_t a, std::uint32_t b) {
    mark_feature(mix(kind, a), b);
  };
  const std::uint32_t outcome =
      answer_code(subject) + (static_cast<std::uint32_t>(verdict.code) << 8);
  pair(kOutcome, op, outcome);
  pair(kOpDTypes, op, operands.dtypes);
  pair(kDTypesKinds, operands.dtypes, operands.kinds);
  pair(kForm, op, static_cast<std::uint32_t>(c.form) * 64 + static_cast<std::uint32_t>(c.overload));
  pair(kValues, op, static_cast<std::uint32_t>(c.values));
  pair(kLayout, operands.kinds, operands.layouts);
  pair(kDefault, code(c.defaults.floating), operands.dtypes);
  const PromotionTrace promoted = trace_promotion(c);
  const auto promotion = static_cast<std::uint32_t>(c.op->spec->promotion);
  for (const Rule rule : promoted.rules()) pair(kRule, promotion, static_cast<std::uint32_t>(rule));
  pair(kRulePair, static_cast<std::uint32_t>(promoted.combined[0].rule),
       static_cast<std::uint32_t>(promoted.combined[1].rule));
  if (subject.tag == Answer::Tag::kRefusal)
    pair(kRefusal, static_cast<std::uint32_t>(subject.rejection), operands.dtypes);
  if (verdict.max_ulp > 0) {
    const double decade = std::min(20.0, std::floor(std::log2(verdict.max_ulp)));
    pair(kUlp, op, static_cast<std::uint32_t>(std::max(-20.0, decade) + 20));
  }
}

void clear_features() { upcast_features.fill(0); }

const std::array<std::uint8_t, kFeatureBytes>& feature_bytes() { return upcast_features; }

}  // namespace upcast::fuzz
