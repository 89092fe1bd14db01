// The wrong answer that a known difference declares, as data.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cases/case.h"
#include "cases/known_differences.h"
#include "oracle/answer.h"
#include "oracle/known/known_models.h"

namespace upcast {

/// One of
///   refuses             the oracle refuses
///   float32             it answers with this dtype, whatever the values
///   nan, 0, -128        each element not as ours has this value (or what a 0 is converted to)
///   {1,2}               its elements are these
///   crash(SIGFPE)       it dies so; `crash` alone: in any way
///   timeout
///   model:NAME          what a model computes (oracle/known/known_models.h)
class DeclaredAnswer {
 public:
  /// Throws UsageError for a text that is none of these, naming the known difference `id`.
  DeclaredAnswer(std::string_view text, std::string_view id);
  /// That of an entry. Throws UsageError, too, where its selectors name an op that its model does
  /// not know.
  explicit DeclaredAnswer(const KnownDifference& entry);

  /// Whether the oracle said exactly this to the case. `right` is the subject's answer.
  bool is(const Case& c, const Answer& right, const Answer& oracle) const;
  /// As is(), of LibTorch's scalar path beside another path, each of whose elements is `right` or
  /// what the oracle said.
  bool is_beside(const Case& c, const Answer& right, const Answer& oracle,
                 const Answer& other) const;
  /// As is(), save that each element may be the right one instead.
  bool is_partly(const Case& c, const Answer& right, const Answer& wrong) const;
  /// `right` with the wrong side's element in the place of each that is declared: where several
  /// causes meet in one tensor, what is left to explain.
  Answer without_declared(const Case& c, const Answer& right, const Answer& wrong) const;
  /// Whether the side died, and exactly so.
  bool is_death(const Reply& reply) const;
  /// Whether it is what a model of any op computes: a conversion's fault.
  bool is_of_every_op() const { return model_ && model_->knows_every_op(); }

 private:
  enum class Tag : std::uint8_t { kRefuses, kDType, kValue, kValues, kDeath, kModel };

  bool values_are(const Case& c, const Answer& right, const Answer& oracle) const;

  Tag tag_ = Tag::kRefuses;
  std::string text_;
  DType dtype_ = DType::kUndefined;
  std::optional<KnownModel> model_{};
};

}  // namespace upcast
