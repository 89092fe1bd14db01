// Properties of operands that share memory: which overlaps of an output with inputs, or with
// itself, are refused.
#include <algorithm>

#include "properties/layout_checks.h"
#include "properties/layout_generators.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

/// The number of the argument in whose storage an operand lies; -2 for an out with storage of its
/// own.
int owner_of(const Case& c, int position) {
  const int shares = c.operand(position).shares;
  if (shares != kOwnStorage) return shares;
  return position == kOutPosition ? -2 : position;
}

/// Where in its storage each element of an operand lies, in row-major order.
std::vector<std::int64_t> covered(const Operand& operand) {
  std::vector<std::int64_t> positions = positions_of(operand.sizes, strides_of(operand));
  for (std::int64_t& position : positions) position += operand.offset;
  return positions;
}

bool is_dense(const Operand& operand) {
  return fills(positions_of(operand.sizes, strides_of(operand)));
}

/// Whether the written operand and an input overlap in some of their places, or in another order.
/// Both must be dense and of one dtype.
bool overlaps_partially(const Case& c) {
  const Operand& written = c.operand(output_position(c));
  const int position = output_position(c);
  if (!is_dense(written)) return false;
  const std::vector<std::int64_t> mine = covered(written);
  for (const int i : tensor_arguments(c)) {
    if (i == position || owner_of(c, i) != owner_of(c, position)) continue;
    const Operand& input = c.operand(i);
    if (input.dtype != written.dtype || !is_dense(input)) continue;
    const std::vector<std::int64_t> theirs = covered(input);
    const bool meets = std::any_of(mine.begin(), mine.end(), [&](std::int64_t element) {
      return std::find(theirs.begin(), theirs.end(), element) != theirs.end();
    });
    if (meets && mine != theirs) return true;
  }
  return false;
}

Finding check_partial(const System& system, const Case& c) {
  if (c.form == Form::kFunctional || !overlaps_partially(c)) return Finding::kVacuous;
  const Answer answer = system.answer(c);
  if (!refused(answer)) RC_FAIL("it answers " + to_text(answer));
  // The example says nothing if the call would be refused without overlap too.
  return finding_of(system.answer(unshared(c)));
}

Finding check_internal(const System& system, const Case& c) {
  if (c.form == Form::kFunctional) return Finding::kVacuous;
  const Operand& written = c.operand(output_position(c));
  const std::vector<std::int64_t> positions = covered(written);
  const Dims strides = strides_of(written);
  bool repeats = false;
  for (std::size_t d = 0; d < strides.size(); ++d)
    repeats = repeats || (strides[d] == 0 && written.sizes[d] > 1);
  if (!repeats || positions.empty()) return Finding::kVacuous;
  const Answer answer = system.answer(c);
  if (!refused(answer)) RC_FAIL("it answers " + to_text(answer));
  Case contiguous = c;
  contiguous.operand(output_position(c)).strides.clear();
  return finding_of(system.answer(contiguous));
}

/// Checks two kinds of sharing that must not change an answer: views without a common element, and
/// an output that is an input.
Finding check_as_copies(const System& system, const Case& c) {
  if (overlaps_partially(c)) return Finding::kVacuous;
  const Answer answer = system.answer(c);
  require_all_same("with shared storage and without", answer, system.answer(unshared(c)));
  return finding_of(answer);
}

// Controls.

void let_pass(const Case& c, Answer& answer) {
  if (answer.tag != Answer::Tag::kRefusal || answer.rejection != RejectionCode::kMemoryOverlap)
    return;
  Case other = unshared(c);
  other.operand(output_position(c)).strides.clear();
  answer = our_answer(other);
}
bool shares_storage(const Case& c) {
  return c.out.shares != kOwnStorage ||
         std::any_of(c.arguments.begin(), c.arguments.end(),
                     [](const Operand& operand) { return operand.shares != kOwnStorage; });
}
void refuse_sharing(const Case& c, Answer& answer) {
  if (shares_storage(c)) refuse(answer);
}
/// A control: the call is computed once more, with its own result as the input that shares storage
/// with the output.
void read_after_write(const Case& c, Answer& answer) {
  if (!shares_storage(c) || answer.tag != Answer::Tag::kTensor) return;
  Case other = dense(c);
  const int position = output_position(c);
  for (const int i : tensor_arguments(c))
    if (owner_of(c, i) == owner_of(c, position)) other.operand(i) = operand_of(answer);
  const Answer again = our_answer(other);
  if (again.tag == Answer::Tag::kTensor && again.dtype == answer.dtype) answer = again;
}

}  // namespace

std::span<const Property> overlap_properties() {
  static const std::vector<Property> properties{
      law("PartialOverlapIsRefused",
          "If the output and an input are dense views that share some elements, or all of them in "
          "another order, the call is refused.",
          kPartialOverlaps, &check_partial, {.what = "overlap goes unnoticed", .spoil = &let_pass},
          {{.system = "libtorch:cpu",
            .reason = "log_sigmoid.out does not check for overlap, and reads what it has written",
            .counterexample = "log_sigmoid.out(float32[4], out=float32[4]:offset(3)+shares(0))",
            .ops = {"log_sigmoid"},
            .grounds =
                "witness: the truth: with 40 elements and offset 1 the ninth is log_sigmoid of "
                "the eighth result"},
           {.system = "libtorch:cpu",
            .reason = "mvlgamma.out copies a result of its own",
            .counterexample =
                "mvlgamma.out(float32[2,3], p=1, out=float32[2,3]:offset(5)+shares(0))",
            .ops = {"mvlgamma"},
            .grounds = "witness: it answers as without overlap, where others refuse"},
           {.system = "libtorch:cpu",
            .reason = "special_ndtr.out computes step by step, and copies the last one",
            .counterexample = "special_ndtr.out(float32[2], out=float32[2]:offset(1)+shares(0))",
            .ops = {"special_ndtr"},
            .grounds = "witness: it answers as without overlap, where others refuse"}}),
      law("AnOutputThatOverlapsItselfIsRefused",
          "The output must not have a stride of 0 along a size above 1.", kInternalOverlaps,
          &check_internal, {.what = "overlap goes unnoticed", .spoil = &let_pass}),
      law("AnOutputMayBeAnInput",
          "If the output is exactly the same view as an input, the call answers what it answers "
          "with copies.",
          kSameViews, &check_as_copies,
          {.what = "the input is read after it was written", .spoil = &read_after_write}),
      law("AnOutputMayLieNextToAnInput",
          "In one storage the output may come after an input, or between its elements.",
          kInterleaved, &check_as_copies,
          {.what = "views of one storage are refused", .spoil = &refuse_sharing}),
  };
  return properties;
}

}  // namespace upcast::properties
