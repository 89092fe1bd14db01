// The wrong answer that a known difference declares, as data.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cases/case.h"
#include "cases/known_differences.h"
#include "oracle/answer.h"
#include "oracle/known/known_models.h"
#include "oracle/side.h"

namespace upcast {

/// The sides for comparing a path of LibTorch with the answer that an entry declares: within the
/// bounds of two paths. If `right` is the truth: within the path's own bounds, without the op's
/// scale.
constexpr Sides paths_against(Implementation right) {
  return {right == Implementation::kTruth ? right : Implementation::kLibTorch,
          Implementation::kLibTorchNative};
}

/// One of
///   refuses             the oracle refuses
///   answers             it answers, whatever that is, where it is to refuse
///   answers(promotion)  it answers where it is to refuse for this reason (impl/core/rejection.h)
///   float32             it answers with this dtype, whatever the values
///   nan, 0, -128        each element not as ours has this value (or what a 0 is converted to)
///   {1,2}               its elements are these
///   crash(SIGFPE)       it dies so; `crash` alone: in any way, or its answer is broken
///   timeout
///   model:NAME          what a model computes (oracle/known/known_models.h)
class DeclaredAnswer {
 public:
  /// Reads a declared answer. Throws UsageError, naming the known difference `id`, for another
  /// text.
  DeclaredAnswer(std::string_view text, std::string_view id);
  /// The declared answer of an entry. `of_paths`: the sides whose bounds count when a path of
  /// LibTorch is compared. Throws UsageError, too, if its selectors name an op that its model does
  /// not know.
  explicit DeclaredAnswer(const KnownDifference& entry,
                          Sides of_paths = paths_against(Implementation::kOurs));

  /// Whether the oracle's answer to the case is exactly the declared one. `right` is the subject's
  /// answer.
  bool is(const Case& c, const Answer& right, const Answer& oracle) const;
  /// As is(), for LibTorch's scalar path against another path. Each element of that path is
  /// `right`'s or the oracle's.
  bool is_scalar_path(const Case& c, const Answer& right, const Answer& oracle,
                      const Answer& other) const;
  /// As is(), but each element may also be the right one.
  bool is_partly(const Case& c, const Answer& right, const Answer& wrong) const;
  /// `right`, with the wrong side's element in the place of each declared one. If several causes
  /// show in one tensor, the rest is left to explain.
  Answer without_declared(const Case& c, const Answer& right, const Answer& wrong) const;
  /// The answer that the entry's model computes. Nothing if it has no model, or if the model does
  /// not cover the case.
  std::optional<Answer> computed(const Case& c, const Answer& right) const {
    return model_ ? model_->answer(c, right) : std::nullopt;
  }
  /// Whether the entry declares one value, which elements have instead of the right one.
  bool is_value() const { return tag_ == Tag::kValue; }
  /// Whether the side died in exactly the declared way.
  bool is_death(const Reply& reply) const;
  /// Whether it is a model that knows every op, because the fault is in a conversion.
  bool is_of_every_op() const { return model_ && model_->knows_every_op(); }

 private:
  enum class Tag : std::uint8_t { kRefuses, kAnswers, kDType, kValue, kValues, kDeath, kModel };

  bool values_are(const Case& c, const Answer& right, const Answer& oracle) const;

  Tag tag_ = Tag::kRefuses;
  std::string text_;
  DType dtype_ = DType::kUndefined;
  std::optional<RejectionCode> missed_{};  // of kAnswers: the reason why the side has to refuse
  std::optional<KnownModel> model_{};
  Sides of_paths_ = paths_against(Implementation::kOurs);
};

}  // namespace upcast
