// Properties of what a call leaves in memory: results lie where they must, and nothing else has
// changed.
#include <algorithm>

#include "oracle/case_call.h"
#include "properties/layout_checks.h"
#include "properties/layout_generators.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

/// The bytes of the operands' storages before a call. Bytes that belong to no element are 0.
Storages before(const Case& c) {
  CaseCall call;
  call.make(c);
  Storages storages;
  for (const Tensor& tensor : call.tensors()) {
    std::vector<std::byte>& bytes = storages.emplace_back();
    if (!tensor.storage) continue;
    const std::byte* const data = tensor.storage->data();
    bytes.assign(data, data + tensor.storage->size());
  }
  return storages;
}

/// What the storage at a place in Storages belongs to, in words: "argument 0" or an out.
std::string name_of(const Case& c, std::size_t at) {
  if (at < c.arguments.size()) return "argument " + std::to_string(at);
  return at == c.arguments.size() ? "out" : "the second out";
}

std::size_t place_of(const Case& c, int position) {
  return position >= 0 ? static_cast<std::size_t>(position)
                       : c.arguments.size() + (position == kOutPosition ? 0 : 1);
}

/// Marks the bytes that a written operand covers, because these may change.
void allow(const Operand& operand, std::vector<bool>& may_change) {
  const std::int64_t size = itemsize(operand.dtype);
  for (const std::int64_t element : positions_of(operand.sizes, strides_of(operand)))
    for (std::int64_t byte = 0; byte < size; ++byte)
      may_change.at(static_cast<std::size_t>((operand.offset + element) * size + byte)) = true;
}

/// The positions of the operands that the call writes.
std::vector<int> written_positions(const Case& c) {
  if (c.form == Form::kInPlace) return {written_position(c)};
  if (c.form == Form::kFunctional) return {};
  if (c.second_out.tag == Operand::Tag::kTensor) return {kOutPosition, kSecondOutPosition};
  return {kOutPosition};
}

/// Fails (RC_FAIL) if the call changed a byte that no written operand covers. If `writes` is false,
/// the call may change no byte.
void require_untouched(const System& system, const Case& c, bool writes) {
  const Storages old = before(c);
  const Storages left = system.subject->storages(c);
  if (left.size() != old.size()) RC_FAIL("the system does not show its memory");
  for (std::size_t at = 0; at < old.size(); ++at) {
    if (left[at].size() != old[at].size())
      RC_FAIL("the storage of " + name_of(c, at) + " was resized");
    std::vector<bool> may_change(old[at].size(), false);
    for (const int position : written_positions(c)) {
      const Operand& operand = c.operand(position);
      const int shared = operand.shares;
      // Whether the storage is that of the written operand; several arguments may share it.
      const auto same = [&](int other) {
        return at < c.arguments.size() &&
               (static_cast<int>(at) == other || c.arguments[at].shares == other);
      };
      const int owner = shared != kOwnStorage ? shared : position;
      if (writes && (place_of(c, position) == at || (owner >= 0 && same(owner))))
        allow(operand, may_change);
    }
    for (std::size_t byte = 0; byte < old[at].size(); ++byte)
      if (old[at][byte] != left[at][byte] && !may_change[byte])
        RC_FAIL("byte " + std::to_string(byte) + " of the storage of " + name_of(c, at) +
                " has changed");
  }
}

Finding check_inputs(const System& system, const Case& c) {
  const Answer answer = system.answer(c);
  require_untouched(system, c, true);
  return finding_of(answer);
}

/// Whether a call may resize its out before it finds that it has no kernel. It may if the operands'
/// shapes fit each other, but not the out's.
bool may_be_resized(const Case& c) {
  return c.form == Form::kOut && broadcast_shape(c).value_or(c.out.sizes) != c.out.sizes;
}

Finding check_refused(const System& system, const Case& c) {
  if (may_be_resized(c)) return Finding::kVacuous;
  const Answer answer = system.answer(c);
  // An integer division by zero is noticed only while elements are written, so some may have
  // changed.
  if (!refused(answer) || answer.rejection == RejectionCode::kZeroDivision)
    return Finding::kVacuous;
  require_untouched(system, c, false);
  return Finding::kHolds;
}

Finding check_empty(const System& system, const Case& c) {
  const Answer answer = system.answer(c);
  require_untouched(system, c, false);
  return finding_of(answer);
}

bool same_bits(const Answer& a, const Answer& b) {
  return a.tag == b.tag && a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides &&
         a.bytes == b.bytes && a.rejection == b.rejection;
}

/// Checks that a case asked again, and once more after another case, has the same answer.
Finding check_again(const System& system, const Case& c) {
  const Answer first = system.answer(c);
  const Answer second = system.answer(c);
  Case other = dense(c);
  other.seed += 1;
  static_cast<void>(system.answer(other));
  const Answer third = system.answer(c);
  if (!answered(first)) {
    if (answered(second) || answered(third)) RC_FAIL("refused, then answered");
    return Finding::kVacuous;
  }
  if (!same_bits(first, second)) RC_FAIL("first " + to_text(first) + ", then " + to_text(second));
  if (!same_bits(first, third))
    RC_FAIL("first " + to_text(first) + ", after another case " + to_text(third));
  return Finding::kHolds;
}

// Controls.

void flip(std::vector<std::byte>& bytes, std::size_t at) {
  if (at < bytes.size()) bytes[at] ^= std::byte{0x10};
}
void scribble_on_first_input(const Case& c, Storages& storages) {
  for (const int i : tensor_arguments(c)) flip(storages[static_cast<std::size_t>(i)], 0);
}
/// A control: bytes before the written operand change.
void scribble_in_front(const Case& c, Storages& storages) {
  for (const int position : written_positions(c)) {
    const Operand& operand = c.operand(position);
    if (operand.shares != kOwnStorage || operand.offset == 0) continue;
    flip(storages[place_of(c, position)],
         static_cast<std::size_t>(operand.offset * itemsize(operand.dtype)) - 1);
  }
}
/// A control: the byte after the first written element changes, which belongs to no element of the
/// output.
void scribble_between(const Case& c, Storages& storages) {
  for (const int position : written_positions(c)) {
    const Operand& operand = c.operand(position);
    const std::size_t at = operand.shares != kOwnStorage ? static_cast<std::size_t>(operand.shares)
                                                         : place_of(c, position);
    flip(storages[at], static_cast<std::size_t>((operand.offset + 1) * itemsize(operand.dtype)));
  }
}
void write_though_refused(const Case& c, Storages& storages) {
  if (!refused(our_answer(c))) return;
  for (const int position : written_positions(c)) flip(storages[place_of(c, position)], 0);
}
/// A control: every second answer differs.
void answer_in_turns(const Case&, Answer& answer) {
  static bool odd = false;
  odd = !odd;
  if (odd) flip(answer.bytes, 0);
}

}  // namespace

std::span<const Property> memory_properties() {
  static const std::vector<Property> properties{
      law("InputsAreNotWritten", "A functional call changes no byte of its operands' storages.",
          kCallsThatBroadcast, &check_inputs,
          {.what = "the first byte of an input changes",
           .spoil_storages = &scribble_on_first_input}),
      law("InPlaceWritesNothingElse",
          "An in-place call changes no byte but those of the elements of self.", kInPlaceCalls,
          &check_inputs,
          {.what = "the byte in front of self changes", .spoil_storages = &scribble_in_front}),
      law("OutWritesNothingElse",
          "A call with out= changes no byte but those of the elements of its outs.", kOutCalls,
          &check_inputs,
          {.what = "the byte in front of out changes", .spoil_storages = &scribble_in_front}),
      law("NeighboursInOneStorageStay",
          "Elements between those that are written, in one storage, stay what they are.",
          kInterleaved, &check_inputs,
          {.what = "the byte after the first written element changes",
           .spoil_storages = &scribble_between}),
      law("ARefusedCallWritesNothing",
          "A call that is refused, for another reason than an element, changes no byte.",
          kRefusedCalls, &check_refused,
          {.what = "a refused call has begun to write", .spoil_storages = &write_though_refused}),
      law("EmptyOutputsAreNotTouched",
          "A call that writes an empty tensor changes no byte of its storage.", kEmptyOutputs,
          &check_empty,
          {.what = "the byte in front of out changes", .spoil_storages = &scribble_in_front}),
      law("AnswersRepeat",
          "A call that is asked again, also after another case, answers the same bits and strides.",
          kCallsThatBroadcast, &check_again,
          {.what = "every second answer differs", .spoil = &answer_in_turns}),
  };
  return properties;
}

}  // namespace upcast::properties
