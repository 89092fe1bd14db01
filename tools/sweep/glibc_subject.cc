#include "tools/sweep/glibc_subject.h"

#include <gnu/libc-version.h>

#include <cmath>
#include <cstring>

#include "cases/values.h"
#include "impl/core/error.h"

namespace upcast::tools {
namespace {

struct Row {
  std::string_view callable;
  float (*of_float)(float);
  double (*of_double)(double);
};

constexpr Row kRows[] = {
    {"acos", acosf, acos},    {"acosh", acoshf, acosh},    {"asin", asinf, asin},
    {"asinh", asinhf, asinh}, {"atan", atanf, atan},       {"atanh", atanhf, atanh},
    {"cos", cosf, cos},       {"cosh", coshf, cosh},       {"erf", erff, erf},
    {"erfc", erfcf, erfc},    {"exp", expf, exp},          {"exp2", exp2f, exp2},
    {"expm1", expm1f, expm1}, {"lgamma", lgammaf, lgamma}, {"log", logf, log},
    {"log10", log10f, log10}, {"log1p", log1pf, log1p},    {"log2", log2f, log2},
    {"sin", sinf, sin},       {"sinh", sinhf, sinh},       {"sqrt", sqrtf, sqrt},
    {"tan", tanf, tan},       {"tanh", tanhf, tanh},
};

/// The functions of glibc that compute an op; null if it has none.
const Row* row_of(const Op& op) {
  for (const Row& row : kRows) {
    const Op* const found = find_callable(row.callable).op;
    check(found != nullptr, "a function of glibc is named for an op of the catalogue");
    if (found == &op) return &row;
  }
  return nullptr;
}

template <class T>
void apply(T (*function)(T), std::vector<std::byte>& elements) {
  for (std::size_t at = 0; at < elements.size(); at += sizeof(T)) {
    T x{};
    std::memcpy(&x, elements.data() + at, sizeof x);
    x = function(x);
    std::memcpy(elements.data() + at, &x, sizeof x);
  }
}

class GlibcSubject : public Subject {
 public:
  void answer(const Case& c, Answer& answer) override {
    const Operand& operand = c.operand(0);
    answer = {.tag = Answer::Tag::kNotJudged, .detail = "glibc has no such function"};
    const Row* const row = row_of(*c.op);
    if (row == nullptr || operand.tag != Operand::Tag::kTensor) return;
    answer.bytes = operand_values(c, 0);
    if (operand.dtype == DType::kFloat32)
      apply(row->of_float, answer.bytes);
    else if (operand.dtype == DType::kFloat64)
      apply(row->of_double, answer.bytes);
    else
      return;
    answer.tag = Answer::Tag::kTensor;
    answer.dtype = operand.dtype;
    answer.sizes = operand.sizes;
    answer.strides = contiguous_strides(operand.sizes);
    answer.detail.clear();
  }
  std::map<std::string, std::string> versions() const override {
    return {{"glibc", gnu_get_libc_version()}};
  }
};

}  // namespace

std::unique_ptr<Subject> make_glibc_subject(const Side&) {
  return std::make_unique<GlibcSubject>();
}

}  // namespace upcast::tools
