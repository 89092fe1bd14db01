// The list of all rule books.
#pragma once

#include "impl/promotion/rulebooks/array_api.h"
#include "impl/promotion/rulebooks/jax.h"
#include "impl/promotion/rulebooks/nep50.h"
#include "impl/promotion/rulebooks/numpy_legacy.h"
#include "impl/promotion/rulebooks/paddle.h"
#include "impl/promotion/rulebooks/paddle_2_6.h"
#include "impl/promotion/rulebooks/paddle_document.h"
#include "impl/promotion/rulebooks/proposal_9515.h"
#include "impl/promotion/rulebooks/pytorch.h"
#include "impl/promotion/rulebooks/thesis.h"

namespace upcast::rulebooks {

inline constexpr std::array<const RuleBook*, 15> kRuleBooks{
    &kPyTorch,        &kProposal9515, &kThesis,      &kThesisOnnx, &kPaddle,
    &kPaddleDocument, &kPaddle26,     &kNumpyLegacy, &kNep50,      &kThesisNumpy,
    &kJaxX64,         &kJaxX32,       &kJaxStrict,   &kThesisJax,  &kArrayApi};

}  // namespace upcast::rulebooks
