#include "fuzz/self_consistency.h"

#include <algorithm>
#include <cstring>

#include "fuzz/out_of_scope.h"
#include "fuzz/shape_codec.h"
#include "oracle/case_call.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

constexpr std::string_view kOwn = "impl:cpu";
constexpr std::string_view kBaseline = "impl:cpu?capability=baseline";
constexpr std::string_view kEmulated = "impl:emulated";
constexpr std::string_view kOurMeta = "impl:meta";
constexpr std::string_view kTheirMeta = "libtorch:meta";

constexpr Sides kOurs{Implementation::kOurs, Implementation::kOurs, false};
constexpr Sides kBoth{};
/// One case in so many is asked another way.
constexpr std::uint64_t kSample = 8;

bool shares(const Case& c) {
  for (int i = kOutPosition; i < static_cast<int>(c.arguments.size()); ++i)
    if (c.operand(i).shares != kOwnStorage) return true;
  return false;
}

/// Elements that lie over one another get the last one's value: other strides, other operands.
bool overlaps(const Operand& operand) {
  return !operand.strides.empty() &&
         span_of(operand.sizes, operand.strides) < element_count(operand);
}

}  // namespace

SelfConsistency::SelfConsistency(InProcess& sides)
    : sides_(sides),
      ours_(make_subject(kOwn)),
      baseline_(make_subject(kBaseline)),
      emulated_(make_subject(kEmulated)),
      our_meta_(make_subject(kOurMeta)),
      their_meta_(make_subject(kTheirMeta)),
      meta_known_(sides.known_of(std::string(kOurMeta), std::string(kTheirMeta))) {}

void SelfConsistency::beside(Subject& other, const Case& c, std::string_view check) {
  other.answer(c, other_.answer);
  const std::string_view name = check == "emulated" ? kEmulated : kBaseline;
  sides_.judge_replies(c, other_, sides_.subject_reply(), kOurs, {check, name, kOwn});
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
  other_.answer.strides = expected.strides;  // a result may lie as its operands do
  for (std::size_t i = 0; i < std::min(expected.further.size(), other_.answer.further.size()); ++i)
    other_.answer.further[i].strides = expected.further[i].strides;
  sides_.judge_replies(other, other_, sides_.subject_reply(), kOurs,
                       {"strided", kOwn, sides_.oracle_name()});
}

void SelfConsistency::alone(const Case& c) {
  const Answer& whole = sides_.subject_reply().answer;
  if (whole.tag != Answer::Tag::kTensor || c.form != Form::kFunctional || !whole.further.empty())
    return;
  const std::int64_t elements = numel(whole.sizes);
  if (elements < 2 || whole.sizes.empty() || shares(c)) return;
  const auto at = static_cast<std::size_t>(count_ % static_cast<std::uint64_t>(elements));
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
                         {"alone", kOwn, sides_.oracle_name()});
    return;
  }
  const auto size = static_cast<std::size_t>(itemsize(whole.dtype));
  reply_.answer = other_.answer;
  reply_.answer.bytes.assign(whole.bytes.begin() + static_cast<std::ptrdiff_t>(at * size),
                             whole.bytes.begin() + static_cast<std::ptrdiff_t>((at + 1) * size));
  sides_.judge_replies(one, other_, reply_, kOurs, {"alone", kOwn, sides_.oracle_name()});
}

void SelfConsistency::meta(const Case& c) {
  our_meta_->answer(c, other_.answer);
  their_meta_->answer(c, reply_.answer);
  sides_.judge_replies(c, other_, reply_, kBoth, {"meta", kOurMeta, kTheirMeta}, &meta_known_);
}

void SelfConsistency::examine(const Case& c) {
  const std::uint64_t turn = ++count_;
  if (turn % kSample != 0 || sides_.subject_reply().died() || !why_not_asked(c).empty()) return;
  switch (turn / kSample % 5) {
    case 0:
      return strided(c);
    case 1:
      return alone(c);
    case 2:
      return beside(*baseline_, c, "baseline");
    case 3:
      return beside(*emulated_, c, "emulated");
    default:
      return meta(c);
  }
}

}  // namespace upcast::fuzz
