// The systems that properties are checked on. A system is a promotion system, and an implementation
// that makes calls if it has one. Rule books are systems without calls.
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

/// Answers questions about dtypes. A result of nullopt: the system refuses, or lacks the dtype.
class Promotion {
 public:
  virtual ~Promotion() = default;
  virtual std::optional<DType> promote_types(DType a, DType b) const = 0;
  /// The result dtype of any number of operands. An operand of dtype kUndefined is an undefined
  /// tensor.
  virtual std::optional<DType> result_type(std::span<const TypedOperand> operands,
                                           Defaults defaults) const = 0;
  virtual std::optional<bool> can_cast(DType from, DType to) const = 0;

  /// What two operands become together, as one operand of the higher kind of the two. If a system
  /// has weak types and this one is weak, the operand enters as a number does.
  virtual std::optional<TypedOperand> combine(TypedOperand a, TypedOperand b,
                                              Defaults defaults) const;
  /// Whether the system has this dtype. Examples are drawn with such dtypes only.
  virtual bool knows(DType) const { return true; }
  virtual bool knows_all() const { return true; }
};

/// Functions that replace those of our promotion in a control. Null: ours stays.
struct PromotionFunctions {
  std::optional<DType> (*promote_types)(DType a, DType b) = nullptr;
  std::optional<DType> (*result_type)(std::span<const TypedOperand> operands,
                                      Defaults defaults) = nullptr;
  std::optional<bool> (*can_cast)(DType from, DType to) = nullptr;
};
/// Our promotion with these rules, and with these functions in place of its own.
std::shared_ptr<const Promotion> make_promotion(const Rules& rules,
                                                const PromotionFunctions& functions = {});

/// The functions by which the project writes and reads texts and bytes. A control replaces one of
/// them by a broken one.
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
  std::shared_ptr<Subject> subject{};  // what makes calls; null for a rule book
  Codecs codecs = kOurCodecs;
  IteratorSteps iterator{};

  /// Asks the subject, which must not be null, about a case.
  Answer answer(const Case& c) const;
};

/// Makes a system of our implementation with PyTorch's rules. `name`: "impl:cpu" or
/// "impl:emulated".
System make_impl_system(std::string_view name);

}  // namespace upcast::properties
