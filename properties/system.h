// The systems that properties are checked on: a promotion system, with an implementation that runs
// calls if it has one. Rule books are promotion systems without calls.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cases/case.h"
#include "impl/promotion/promotion.h"
#include "oracle/answer.h"
#include "oracle/subject.h"
#include "properties/iterator_steps.h"

namespace upcast::properties {

/// Answers about dtypes alone. nullopt: it refuses, or has no such dtype.
class Promotion {
 public:
  virtual ~Promotion() = default;
  virtual std::optional<DType> promote_types(DType a, DType b) const = 0;
  /// Takes any number of operands; those of dtype kUndefined are undefined tensors.
  virtual std::optional<DType> result_type(std::span<const TypedOperand> operands,
                                           Defaults defaults) const = 0;
  virtual std::optional<bool> can_cast(DType from, DType to) const = 0;

  /// The outcome of two operands as an operand, of the higher kind of both. A system with weak
  /// types says whether the outcome is weak: it then enters as a number does.
  virtual std::optional<TypedOperand> combine(TypedOperand a, TypedOperand b,
                                              Defaults defaults) const;
  /// Whether the system has a dtype. Examples are drawn of such dtypes only.
  virtual bool knows(DType) const { return true; }
  virtual bool knows_all() const { return true; }
};

/// Functions that replace ours, for controls. A null one stays ours.
struct PromotionFunctions {
  std::optional<DType> (*promote_types)(DType a, DType b) = nullptr;
  std::optional<DType> (*result_type)(std::span<const TypedOperand> operands,
                                      Defaults defaults) = nullptr;
  std::optional<bool> (*can_cast)(DType from, DType to) = nullptr;
};
/// Our promotion, by these rules.
std::shared_ptr<const Promotion> make_promotion(const Rules& rules,
                                                const PromotionFunctions& functions = {});

/// The project's texts and codecs; a control replaces one of them by a broken one.
struct Codecs {
  std::string (*print)(const Case& c);
  Case (*parse)(std::string_view line);
  std::string (*encode)(const Answer& answer);
  bool (*decode)(std::string_view bytes, Answer& answer);
};
extern const Codecs kOurCodecs;

struct System {
  std::string name;  // "impl:cpu"
  std::shared_ptr<const Promotion> promotion;
  std::shared_ptr<Subject> subject{};  // null: a rule book
  Codecs codecs = kOurCodecs;
  IteratorSteps iterator{};

  /// Asks the subject. Precondition: there is one.
  Answer answer(const Case& c) const;
};

/// Makes a system of our implementation with PyTorch's rules. `name`: "impl:cpu" or
/// "impl:emulated".
System make_impl_system(std::string_view name);

}  // namespace upcast::properties
