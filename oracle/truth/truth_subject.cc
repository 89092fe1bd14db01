#include "oracle/truth/truth_subject.h"

#include <arb.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "impl/core/error.h"
#include "impl/tensor/memory_format.h"
#include "oracle/impl_subject.h"
#include "oracle/truth/coverage.h"
#include "oracle/truth/truth_engine.h"
#include "oracle/truth/whole_compositions.h"

namespace upcast {
namespace {

/// Where the i-th element in logical order lies in memory, in elements.
std::size_t place_of(const Answer& answer, std::size_t i) {
  std::int64_t place = 0;
  auto rest = static_cast<std::int64_t>(i);
  for (std::size_t d = answer.sizes.size(); d-- > 0;) {
    place += rest % answer.sizes[d] * answer.strides[d];
    rest /= answer.sizes[d];
  }
  return static_cast<std::size_t>(place);
}

double leeway_of(std::span<const truth::Value> parts) {
  double leeway = 0;
  for (const truth::Value& value : parts)
    leeway =
        std::max(leeway, value.decided ? value.leeway : std::numeric_limits<double>::infinity());
  return leeway;
}

double rest_of(const truth::Value& value) {
  return std::isfinite(value.rounded) ? (value.high - value.rounded) + value.low : 0;
}

}  // namespace

TruthSubject::TruthSubject() {
  auto engine = std::make_unique<truth::TruthEngine>();
  engine_ = engine.get();
  calls_ = std::make_unique<ImplSubject>(std::move(engine), ImplSubject::Versions{});
}

TruthSubject::~TruthSubject() = default;

void TruthSubject::answer(const Case& c, Answer& answer) {
  engine_->reset();
  is_composition_ = false;
  answer.leeway.clear();
  answer.rest.clear();
  calls_->answer(c, answer);
  if (answer.tag != Answer::Tag::kTensor || answer.bytes.empty()) return;
  const auto& ran = engine_->ran();
  is_composition_ = ran.size() != 1 || ran.front()->spec->name != c.op->spec->name;
  const std::string missing = why_missing(c);
  if (missing.empty()) {
    set_rest(answer);
    return set_leeway(answer);
  }
  if (is_composition_ && truth::evaluate_whole(c, answer)) return;
  decline("no truth: " + missing, answer);
}

std::map<std::string, std::string> TruthSubject::versions() const {
  return {{"flint", FLINT_VERSION}, {"arb", arb_version}, {"mpfr", mpfr_get_version()}};
}

std::span<const truth::Value> TruthSubject::exact() const {
  return is_composition_ ? std::span<const truth::Value>() : engine_->values();
}

std::span<const truth::Value> TruthSubject::exact(const Answer& answer, std::size_t element) const {
  const auto parts = static_cast<std::size_t>(engine_->parts());
  return exact().subspan(place_of(answer, element) * parts, parts);
}

DType TruthSubject::common_dtype() const { return engine_->common_dtype(); }

std::string TruthSubject::why_missing(const Case& c) const {
  if (!engine_->missing().empty()) return engine_->missing();
  if (!is_composition_) return "";
  const truth::CompositionRow* row = truth::find_composition(c.op->spec->name);
  if (row == nullptr) return "a composition rounds each step";
  if (!row->once) return std::string(row->note);
  if (leeway_of(engine_->values()) != 0) return "a step of the composition is not decided";
  return "";
}

/// An out= of another dtype rounds once more: then the judge compares with what that gives.
void TruthSubject::set_rest(Answer& answer) const {
  const std::span<const truth::Value> values = exact();
  const DType part = to_real(answer.dtype);
  if (values.empty() || part != to_real(common_dtype()) || !is_floating(part)) return;
  const std::size_t count = answer.bytes.size() / static_cast<std::size_t>(itemsize(answer.dtype));
  const std::size_t parts = is_complex(answer.dtype) ? 2 : 1;
  if (engine_->parts() == 1 && values.size() == count &&
      is_contiguous(answer.sizes, answer.strides)) {  // nearly always
    answer.rest.resize(count);
    std::transform(values.begin(), values.end(), answer.rest.begin(), &rest_of);
    return;
  }
  answer.rest.assign(count * parts, 0);  // a real value in a complex out= has no imaginary part
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const truth::Value> element = exact(answer, i);
    for (std::size_t j = 0; j < std::min(parts, element.size()); ++j)
      answer.rest[i * parts + j] = rest_of(element[j]);
  }
}

void TruthSubject::set_leeway(Answer& answer) const {
  const std::span<const truth::Value> values = exact();
  if (leeway_of(values) == 0) return;
  const std::size_t count = answer.bytes.size() / static_cast<std::size_t>(itemsize(answer.dtype));
  answer.leeway.reserve(count);
  for (std::size_t i = 0; i < count; ++i) answer.leeway.push_back(leeway_of(exact(answer, i)));
}

std::unique_ptr<Subject> make_truth_subject(const Side&) {
  return std::make_unique<TruthSubject>();
}

}  // namespace upcast
