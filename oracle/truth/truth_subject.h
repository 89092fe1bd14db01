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

/// The truth as a subject. The leeway of an answer holds what is unknown about an element, the
/// error that rounding each step may add, and the effect of rounding numbers to the common dtype
/// (docs/decisions/0003).
class TruthSubject : public Subject {
 public:
  TruthSubject();
  ~TruthSubject() override;
  void answer(const Case& c, Answer& answer) override;
  std::map<std::string, std::string> versions() const override;
  /// The exact values of the last answer that was a tensor, by place in the output's memory, with
  /// both parts of complex numbers. Empty for a view or a composition, of which only the answer
  /// itself is known.
  std::span<const truth::Value> exact() const;
  /// The exact values of one element, given by its number in logical order: one value for each
  /// part.
  std::span<const truth::Value> exact(const Answer& answer, std::size_t element) const;
  /// The dtype to which the exact values are rounded. An out= of another dtype is rounded once
  /// more.
  DType common_dtype() const;

 private:
  void answer_one_way(const Case& c, Answer& answer);
  std::string why_missing(const Case& c) const;
  void set_rest(Answer& answer) const;
  void set_leeway(Answer& answer) const;

  truth::TruthEngine* engine_ = nullptr;
  bool is_composition_ = false;  // whether the last call was a composition
  std::unique_ptr<ImplSubject> calls_;
};

/// Makes the subject "truth". Dtypes, shapes and strides come from our promotion and iterator,
/// values are correctly rounded. A call without a truth is not judged, and the answer says why.
std::unique_ptr<Subject> make_truth_subject(const Side& side);

}  // namespace upcast
