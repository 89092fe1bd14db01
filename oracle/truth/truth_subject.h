// The truth as a Subject, so that any side can be compared with it.
#pragma once

#include <span>

#include "oracle/subject.h"
#include "oracle/truth/evaluate.h"

namespace upcast {

class ImplSubject;
namespace truth {
class TruthEngine;
}

/// Answers with the truth. The answer's leeway holds what is unknown about an element, the error
/// that rounded steps may add, and the effect of a number that is rounded to the common dtype
/// (docs/decisions/0003).
class TruthSubject : public Subject {
 public:
  TruthSubject();
  ~TruthSubject() override;
  void answer(const Case& c, Answer& answer) override;
  std::map<std::string, std::string> versions() const override;
  /// The exact values of the last answer that was a tensor, by place in the output's memory; both
  /// parts of complex numbers. Empty for a view or a composition, of which only the answer itself
  /// is known.
  std::span<const truth::Value> exact() const;
  /// The exact values of one element, in logical order: one for each of its parts.
  std::span<const truth::Value> exact(const Answer& answer, std::size_t element) const;
  /// The dtype to which the exact values are rounded, before an out= of another dtype.
  DType common_dtype() const;

 private:
  void answer_one_way(const Case& c, Answer& answer);
  std::string why_missing(const Case& c) const;
  void set_rest(Answer& answer) const;
  void set_leeway(Answer& answer) const;

  truth::TruthEngine* engine_ = nullptr;
  bool is_composition_ = false;  // the last call
  std::unique_ptr<ImplSubject> calls_;
};

/// "truth": dtypes, shapes and strides by our promotion and iterator, values correctly rounded.
/// Calls without a truth are not judged, and the answer says why.
std::unique_ptr<Subject> make_truth_subject(const Side& side);

}  // namespace upcast
