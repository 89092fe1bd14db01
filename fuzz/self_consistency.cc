#include "fuzz/self_consistency.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fuzz/out_of_scope.h"
#include "fuzz/shape_codec.h"
#include "oracle/case_call.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

constexpr Sides kOurs{Implementation::kOurs, Implementation::kOurs, false};
constexpr Sides kBoth{};

bool shares(const Case& c) {
  for (int i = kOutPosition; i < static_cast<int>(c.arguments.size()); ++i)
    if (c.operand(i).shares != kOwnStorage) return true;
  return false;
}

/// Whether elements of a tensor share memory. They then hold the value that is written last, so
/// that other strides or operands would give other values.
bool overlaps(const Operand& operand) {
  return !operand.strides.empty() &&
         span_of(operand.sizes, operand.strides) < element_count(operand);
}

}  // namespace

SelfConsistency::SelfConsistency(InProcess& sides, Names names)
    : sides_(sides),
      names_(std::move(names)),
      ours_(make_subject(names_.own)),
      baseline_(make_subject(names_.baseline)),
      emulated_(make_subject(names_.emulated)),
      our_meta_(make_subject(names_.our_meta)),
      their_meta_(make_subject(names_.their_meta)),
      meta_known_(sides.known_of(names_.our_meta, names_.their_meta)) {}

void SelfConsistency::compare(Subject& other, const Case& c, std::string_view check,
                              const std::string& name) {
  other.answer(c, other_.answer);
  sides_.judge_replies(c, other_, sides_.subject_reply(), sides_of(name, names_.own),
                       {check, name, names_.own});
}

void SelfConsistency::strided(const Case& c) {
  if (shares(c)) return;
  Case other = c;
  for (Operand& operand : other.arguments) {
    if (operand.tag != Tag::kTensor || !operand.strides.empty()) continue;
    operand.strides = strides_of(StrideKind::kStepTwo, operand.sizes);
  }
  ours_->answer(other, other_.answer);
  const Answer& expected = sides_.subject_reply().answer;
  if (other_.answer.tag != Answer::Tag::kTensor || expected.tag != Answer::Tag::kTensor) return;
  // Strides are not compared, because a result may have the layout of its operands.
  other_.answer.strides = expected.strides;
  for (std::size_t i = 0; i < std::min(expected.further.size(), other_.answer.further.size()); ++i)
    other_.answer.further[i].strides = expected.further[i].strides;
  sides_.judge_replies(other, other_, sides_.subject_reply(), kOurs,
                       {"strided", names_.own, sides_.oracle_name()});
}

void SelfConsistency::alone(const Case& c) {
  const Answer& whole = sides_.subject_reply().answer;
  if (whole.tag != Answer::Tag::kTensor || c.form != Form::kFunctional || !whole.further.empty())
    return;
  const std::int64_t elements = numel(whole.sizes);
  if (elements < 2 || whole.sizes.empty() || shares(c)) return;
  const std::uint64_t turn = count_ / (kSample * kWays);
  const auto at = static_cast<std::size_t>(turn % static_cast<std::uint64_t>(elements));
  Case one = c;
  for (int i = 0; i < static_cast<int>(one.arguments.size()); ++i) {
    Operand& operand = one.arguments[i];
    if (operand.tag != Tag::kTensor) continue;
    if (overlaps(operand)) return;
    const std::vector<std::byte> values = broadcast_values(c, i, whole.sizes);
    const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
    if (values.size() != size * static_cast<std::size_t>(elements)) return;
    std::fill(operand.sizes.begin(), operand.sizes.end(), 1);
    operand.strides.clear();
    operand.offset = 0;
    operand.values.assign(values.begin() + static_cast<std::ptrdiff_t>(at * size),
                          values.begin() + static_cast<std::ptrdiff_t>((at + 1) * size));
  }
  ours_->answer(one, other_.answer);
  if (other_.answer.tag != Answer::Tag::kTensor || other_.answer.dtype != whole.dtype) {
    sides_.judge_replies(one, other_, sides_.subject_reply(), kOurs,
                         {"alone", names_.own, sides_.oracle_name()});
    return;
  }
  const auto size = static_cast<std::size_t>(itemsize(whole.dtype));
  reply_.answer = other_.answer;
  reply_.answer.bytes.assign(whole.bytes.begin() + static_cast<std::ptrdiff_t>(at * size),
                             whole.bytes.begin() + static_cast<std::ptrdiff_t>((at + 1) * size));
  sides_.judge_replies(one, other_, reply_, kOurs, {"alone", names_.own, sides_.oracle_name()});
}

void SelfConsistency::meta(const Case& c) {
  our_meta_->answer(c, other_.answer);
  their_meta_->answer(c, reply_.answer);
  sides_.judge_replies(c, other_, reply_, kBoth, {"meta", names_.our_meta, names_.their_meta},
                       &meta_known_);
}

void SelfConsistency::examine(const Case& c) {
  const std::uint64_t turn = ++count_;
  if (turn % kSample != 0 || sides_.subject_reply().died() || !why_not_asked(c).empty()) return;
  switch (turn / kSample % kWays) {
    case 0:
      return strided(c);
    case 1:
      return alone(c);
    case 2:
      return compare(*baseline_, c, "baseline", names_.baseline);
    case 3:
      return compare(*emulated_, c, "emulated", names_.emulated);
    default:
      return meta(c);
  }
}

}  // namespace upcast::fuzz
