#include "oracle/truth/truth_subject.h"

#include <arb.h>

#include "impl/core/error.h"
#include "oracle/impl_subject.h"
#include "oracle/truth/truth_engine.h"

namespace upcast {
TruthSubject::TruthSubject() {
  auto engine = std::make_unique<truth::TruthEngine>();
  engine_ = engine.get();
  calls_ = std::make_unique<ImplSubject>(std::move(engine), ImplSubject::Versions{});
}

TruthSubject::~TruthSubject() = default;

void TruthSubject::answer(const Case& c, Answer& answer) {
  engine_->reset();
  calls_->answer(c, answer);
  if (answer.tag != Answer::Tag::kTensor || answer.bytes.empty()) return;
  const std::string missing = why_missing(c);
  if (missing.empty()) return;
  answer.tag = Answer::Tag::kNotJudged;
  answer.detail = "no truth: " + missing;
}

std::map<std::string, std::string> TruthSubject::versions() const {
  return {{"flint", FLINT_VERSION}, {"arb", arb_version}, {"mpfr", mpfr_get_version()}};
}

std::span<const truth::Value> TruthSubject::exact() const { return engine_->values(); }

DType TruthSubject::common_dtype() const { return engine_->common_dtype(); }

std::string TruthSubject::why_missing(const Case& c) const {
  const auto& ran = engine_->ran();
  if (ran.empty()) return "nothing is computed";
  if (ran.size() > 1 || ran.front()->spec->name != c.op->spec->name)
    return "a composition rounds each step";
  return engine_->missing();
}

std::unique_ptr<Subject> make_truth_subject(std::string_view name) {
  if (name != "truth")
    throw UsageError("the truth has no settings: write 'truth', not '" + std::string(name) + "'");
  return std::make_unique<TruthSubject>();
}

}  // namespace upcast
