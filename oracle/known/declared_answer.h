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

/// The sides whose bounds count when a path of LibTorch is compared with a declared answer: two
/// paths of LibTorch. If `right` is the truth, only the path's own bound counts, without the op's
/// scale.
constexpr Sides paths_against(Implementation right) {
  return {right == Implementation::kTruth ? right : Implementation::kLibTorch,
          Implementation::kLibTorchNative};
}

/// A declared answer is one of
///   refuses             the oracle refuses
///   answers             the oracle answers, no matter what, although it should refuse
///   answers(promotion)  the oracle answers, although it should refuse for this reason
///   (impl/core/rejection.h) float32             the oracle answers with this dtype, whatever the
///   values are nan, 0, -128        each element that is not as ours has this value (or what a 0 is
///   converted to) {1,2}               the oracle's elements are these crash(SIGFPE)       the
///   oracle dies in this way; `crash` alone: in any way, or its answer is broken timeout the oracle
///   exceeds the time limit model:NAME          the oracle answers what a model computes
///   (oracle/known/known_models.h)
class DeclaredAnswer {
 public:
  /// Reads a declared answer. Throws UsageError for a text that is none; `id` names the known
  /// difference in the message.
  DeclaredAnswer(std::string_view text, std::string_view id);
  /// Takes the declared answer of an entry. `of_paths`: the sides whose bounds count when a path of
  /// LibTorch is compared. Throws UsageError also if the entry's selectors name an op that its
  /// model does not know.
  explicit DeclaredAnswer(const KnownDifference& entry,
                          Sides of_paths = paths_against(Implementation::kOurs));

  /// Whether the oracle's answer to the case is exactly the declared one. `right` is the subject's
  /// answer.
  bool is(const Case& c, const Answer& right, const Answer& oracle) const;
  /// Whether `oracle`, the answer of LibTorch's scalar path, is exactly the declared one, and each
  /// element of `other`, the answer of another path, is either `right`'s or `oracle`'s.
  bool is_scalar_path(const Case& c, const Answer& right, const Answer& oracle,
                      const Answer& other) const;
  /// Whether each element of `wrong` is either the declared one or the right one.
  bool is_partly(const Case& c, const Answer& right, const Answer& wrong) const;
  /// The answer `right`, with `wrong`'s element wherever that is the declared one. If several
  /// causes show in one tensor, what still differs is left for other entries to explain.
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
  /// Whether the declared answer is a model that knows every op, because the fault is in a
  /// conversion.
  bool is_of_every_op() const { return model_ && model_->knows_every_op(); }

 private:
  enum class Tag : std::uint8_t { kRefuses, kAnswers, kDType, kValue, kValues, kDeath, kModel };

  bool values_are(const Case& c, const Answer& right, const Answer& oracle) const;

  Tag tag_ = Tag::kRefuses;
  std::string text_;
  DType dtype_ = DType::kUndefined;
  // For kAnswers: the reason for which the side should have refused; nothing: any.
  std::optional<RejectionCode> missed_{};
  std::optional<KnownModel> model_{};
  Sides of_paths_ = paths_against(Implementation::kOurs);
};

}  // namespace upcast
