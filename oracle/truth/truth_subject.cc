#include "oracle/truth/truth_subject.h"

#include <arb.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "impl/core/error.h"
#include "impl/tensor/memory_format.h"
#include "oracle/impl_subject.h"
#include "oracle/number_rounding.h"
#include "oracle/same_value.h"
#include "oracle/shared_places.h"
#include "oracle/truth/coverage.h"
#include "oracle/truth/truth_engine.h"
#include "oracle/truth/whole_compositions.h"

namespace upcast {
namespace {

/// Where the element with this number in logical order lies in memory, counted in elements.
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

/// How far an element lies from the one that rounded numbers give, if both are of one kind.
/// Infinite for two whole results, because it is not known which of them is right.
double distance_of(const Answer& rounded, const Answer& answer, std::size_t i) {
  const std::size_t at = i * static_cast<std::size_t>(itemsize(answer.dtype));
  const std::byte *one = answer.bytes.data() + at, *other = rounded.bytes.data() + at;
  if (same_value(answer.dtype, one, other)) return 0;
  if (!is_floating(to_real(answer.dtype))) return std::numeric_limits<double>::infinity();
  if (!are_of_one_kind(answer.dtype, one, other)) return 0;
  const ElementParts a = parts_of(answer.dtype, one), b = parts_of(answer.dtype, other);
  double distance = 0;
  for (std::size_t part = 0; part < a.size(); ++part)
    if (!same_value(a[part], b[part])) distance = std::max(distance, std::abs(a[part] - b[part]));
  return distance;
}

/// Makes leeways infinite in an op that reads what it writes: an element computed from one with
/// leeway has no known leeway.
void leave_repeated_open(const Case& c, Answer& answer) {
  if (answer.leeway.empty()) return;
  const std::vector<bool> repeated = computed_repeatedly(c, answer);
  for (std::size_t i = 0; i < repeated.size(); ++i)
    if (repeated[i]) answer.leeway[i] = std::numeric_limits<double>::infinity();
}

/// Adds to each element's leeway the distance to the answer in which numbers are rounded to the
/// common dtype.
void leave_open(const Answer& rounded, Answer& answer) {
  if (answer.tag != Answer::Tag::kTensor) return;
  if (rounded.tag != Answer::Tag::kTensor || rounded.bytes.size() != answer.bytes.size()) {
    answer.tag = Answer::Tag::kNotJudged;
    answer.detail = rounded.detail;
    return;
  }
  if (rounded.bytes == answer.bytes && rounded.leeway == answer.leeway) return;
  const std::size_t count = answer.bytes.size() / static_cast<std::size_t>(itemsize(answer.dtype));
  std::vector<double> leeway(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double own = answer.leeway.empty() ? 0 : answer.leeway[i];
    const double others = rounded.leeway.empty() ? 0 : rounded.leeway[i];
    const double distance = distance_of(rounded, answer, i);
    leeway[i] = std::isinf(others) ? others : std::max(own, distance == 0 ? 0 : distance + others);
  }
  if (*std::max_element(leeway.begin(), leeway.end()) > 0) answer.leeway = std::move(leeway);
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
  answer_one_way(c, answer);
  if (answer.tag != Answer::Tag::kTensor) return;
  for (const NumberRounding& way : number_roundings(c)) {
    TruthSubject rounding;
    if (way.rounds_operands) rounding.calls_->round_numbers();
    Answer rounded;
    rounding.answer_one_way(way.c, rounded);
    leave_open(rounded, answer);
  }
}

void TruthSubject::answer_one_way(const Case& c, Answer& answer) {
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
    set_leeway(answer);
    return leave_repeated_open(c, answer);
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
  if (leeway_of(engine_->values()) != 0) return "a step of the composed op is not decided";
  return "";
}

/// Sets Answer::rest. It stays empty if an out= of another dtype rounds the result once more. The
/// judge then compares with the rounded value.
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
  // A complex out= of a real value has an imaginary part of 0, which is exact.
  answer.rest.assign(count * parts, 0);
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
