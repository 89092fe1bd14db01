#include "oracle/libtorch/refusal.h"

#include <array>

namespace upcast::libtorch {
namespace {

struct Phrase {
  std::string_view text;
  RejectionCode code;
};

using enum RejectionCode;

/// {a phrase of LibTorch's messages: the class of refusal}. The first phrase that a message
/// contains decides. Source: the messages of LibTorch 2.15.0. refusal_test.cc provokes each class.
constexpr std::array kPhrases{
    Phrase{"not implemented for", kUnsupportedDType},
    Phrase{"not yet implemented for", kUnsupportedDType},
    Phrase{"Promotion for ", kPromotion},
    Phrase{"Promotion from ", kPromotion},
    Phrase{"promoteTypes with quantized", kPromotion},
    Phrase{"Unknown Complex ScalarType", kPromotion},
    Phrase{"ix_a != -1", kPromotion},
    Phrase{"ix_b != -1", kPromotion},
    Phrase{"can't be cast to", kResultCast},
    Phrase{"The size of tensor a", kShapeMismatch},
    Phrase{"doesn't match the broadcast shape", kShapeMismatch},
    Phrase{"cannot be converted to type", kAttributeOverflow},
    Phrase{"ZeroDivisionError", kZeroDivision},
    Phrase{"the written-to tensor", kMemoryOverlap},
    Phrase{"undefined Tensor in C++", kUndefinedOperand},
    Phrase{"undefined tensor", kUndefinedOperand},
    Phrase{"tensor does not have a device", kUndefinedOperand},
    Phrase{"to be on the same device", kDeviceMismatch},
    Phrase{"to have device", kDeviceMismatch},
    Phrase{"too many CPU scalars", kDeviceMismatch},
    Phrase{"Found dtype ", kDTypeMismatch},
    Phrase{"expected dtype ", kDTypeMismatch},
    Phrase{"Expected out tensor to have dtype", kDTypeMismatch},
    Phrase{"Expected out type to be", kDTypeMismatch},
    Phrase{"result requires dtype", kDTypeMismatch},
    Phrase{"same dtype", kDTypeMismatch},
    Phrase{"argument alpha", kBadAttribute},
    Phrase{"At least one of 'min' or 'max'", kBadAttribute},
    Phrase{"not supported", kUnsupportedDType},
    Phrase{"does not support", kUnsupportedDType},
    Phrase{"only supports", kUnsupportedDType},
    Phrase{"not intended to support", kUnsupportedDType},
    Phrase{"to be a boolean tensor", kUnsupportedDType},
};

}  // namespace

RejectionCode classify(std::string_view message) {
  for (const Phrase& phrase : kPhrases)
    if (message.find(phrase.text) != std::string_view::npos) return phrase.code;
  return kOther;
}

std::string_view first_line(std::string_view message) {
  return message.substr(0, message.find('\n'));
}

}  // namespace upcast::libtorch
