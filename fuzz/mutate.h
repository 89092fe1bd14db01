// Mutates decoded cases: every change is one that means something for a call.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cases/case.h"
#include "cases/draw/choices.h"

namespace upcast::fuzz {

/// Changes a case in one to three ways: another op with the same operands, or another form; swapped
/// operands; a dtype, a kind, a shape, a layout, values, an attribute, the default dtype, sharing
/// of storage. The result may be a case that the codec cannot hold.
void mutate(Random& random, Case& c);

/// The next input of a campaign, as bytes: a mutation of the case, or of a new one. Most inputs
/// that our side would refuse are left out, because each refusal costs LibTorch an exception, and
/// says less than an answer. Nothing if several tries make only cases that the codec cannot hold.
std::optional<std::vector<std::uint8_t>> mutated_bytes(Random& random, const Case& before);

/// Crosses two cases: a call of the op of `a` with operands of both.
Case cross(Random& random, const Case& a, const Case& b);

}  // namespace upcast::fuzz
