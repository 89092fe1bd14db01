#include "oracle/shared_places.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "cases/operands.h"
#include "impl/cpu/cpu_engine.h"
#include "impl/iterator/compute_shape.h"
#include "impl/ops/plan_call.h"
#include "oracle/case_call.h"
#include "oracle/error_bounds.h"

namespace upcast {
namespace {

constexpr std::int64_t kLibTorchGrain = 32768;  // at::internal::GRAIN_SIZE

using Places =
    std::vector<std::int64_t>;  // where each element lies, in bytes from the start of its storage

int written_argument(const Case& c) {
  return c.form == Form::kOut ? kOutPosition : written_position(c);
}

/// Whether a functional call lays its result out as its in-place form would, like the operand that
/// this form writes.
bool lies_like_written(const Case& c) {
  return c.form == Form::kFunctional && !c.op->spec->written.empty();
}

/// The position of the argument that owns the storage of an operand.
int owner_of(const Case& c, int position) {
  const int shares = c.operand(position).shares;
  return shares == kOwnStorage ? position : shares;
}

Places places_of(const Operand& operand, const Dims& shape) {
  const Dims own = operand.strides.empty() ? contiguous_strides(operand.sizes) : operand.strides;
  const Dims strides = broadcast_strides(operand.sizes, own, shape);
  const std::int64_t size = itemsize(operand.dtype);
  Places places{operand.offset * size};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    Places rows;
    rows.reserve(places.size() * static_cast<std::size_t>(shape[d]));
    for (const std::int64_t place : places)
      for (std::int64_t i = 0; i < shape[d]; ++i) rows.push_back(place + i * strides[d] * size);
    places = std::move(rows);
  }
  return places;
}

bool is_resized(const Case& c, const Answer& answer) {
  return c.form == Form::kOut && c.out.sizes != answer.sizes;
}

/// Whether elements of the case's output can share memory at all. Most cases name neither strides
/// nor a shared storage, so they cannot.
bool may_share(const Case& c) {
  if (c.form == Form::kFunctional && !lies_like_written(c)) return false;
  if (!c.operand(written_argument(c)).strides.empty()) return true;
  const auto shares = [](const Operand& operand) { return operand.shares != kOwnStorage; };
  return shares(c.out) || shares(c.second_out) ||
         std::any_of(c.arguments.begin(), c.arguments.end(), shares);
}

/// Where the elements of an answer lie, if it is written to the operand at `position`. LibTorch
/// resizes an out= within its own storage, which other operands may share.
Places places_written(const Case& c, const Answer& answer, int position) {
  Operand written = c.operand(position);
  if (c.form == Form::kOut && written.sizes != answer.sizes) {
    written.sizes = answer.sizes;
    written.strides = answer.strides;
  }
  return places_of(written, answer.sizes);
}

Places written_places(const Case& c, const Answer& answer) {
  if (!may_share(c) || answer.tag != Answer::Tag::kTensor) return {};
  return places_written(c, answer, written_argument(c));
}

/// Marks each element that reads an operand's element in the place where another element of an
/// output is written.
void mark_read(const Case& c, const Answer& answer, int output, std::vector<bool>& found) {
  const Places places = places_written(c, answer, output);
  // {a place: the last element that is written there}.
  std::unordered_map<std::int64_t, std::size_t> writer;
  for (std::size_t i = 0; i < places.size(); ++i) writer[places[i]] = i;
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i) {
    const Operand& operand = c.arguments[static_cast<std::size_t>(i)];
    if (operand.tag != Operand::Tag::kTensor || owner_of(c, i) != owner_of(c, output)) continue;
    const Places read = places_of(operand, answer.sizes);
    if (read == places) continue;
    for (std::size_t at = 0; at < read.size() && at < found.size(); ++at)
      if (const auto other = writer.find(read[at]); other != writer.end() && other->second != at)
        found[at] = true;
  }
}

/// Whether the op is a single loop, which reads the operands and writes the result in one order.
bool is_one_loop_in_order(const Case& c) {
  CaseCall maker;
  const Call& call = maker.make(c);
  if (has_generated_out(*c.op, call) || c.op->is_composition(call)) return false;
  CallPlan planned;
  CpuEngine cpu;
  return !plan_call(*c.op, call, planned, cpu) && planned.plan.in_order;
}

/// Whether the op may read what it has written before: in place, or with an operand as its out=.
bool reads_what_it_writes(const Case& c) {
  if (!c.op->spec->written.empty()) return false;  // a copy
  if (c.form == Form::kInPlace) return true;
  if (c.form != Form::kOut) return false;
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i)
    if (c.arguments[static_cast<std::size_t>(i)].shares != kOwnStorage || c.out.shares == i)
      return true;
  return false;
}

/// Whether two right sides may compute different results from the same values: by an error, a
/// conversion, or the precision of a number (decision 0003).
bool may_err(const Case& c, DType result) {
  const Outcome<Promoted> promoted = promote_case(c);
  const DType common = promoted.ok() ? promoted.value().common : result;
  if (!is_floating(to_real(common))) return false;
  if (!kFullFloats.contains(common) || result != common) return true;
  for (const Operand& operand : c.arguments)
    if (operand.tag == Operand::Tag::kTensor && operand.dtype != common && !is_bool(operand.dtype))
      return true;
  const auto errs = [&](Implementation side) {
    return accuracy_bound(c, common, side) > kCorrectRounding;
  };
  return errs(Implementation::kOurs) || errs(Implementation::kLibTorchNative);
}

std::vector<bool> none_if_all_false(std::vector<bool> elements) {
  const bool some = std::find(elements.begin(), elements.end(), true) != elements.end();
  return some ? elements : std::vector<bool>();
}

}  // namespace

std::vector<bool> overwritten(const Case& c, const Answer& answer) {
  const Places places = written_places(c, answer);
  std::unordered_map<std::int64_t, int> writes;
  for (const std::int64_t place : places) ++writes[place];
  std::vector<bool> found(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) found[i] = writes.at(places[i]) > 1;
  return none_if_all_false(std::move(found));
}

std::vector<bool> overwritten_by_threads(const Case& c, const Answer& answer) {
  return numel(answer.sizes) < kLibTorchGrain ? std::vector<bool>() : overwritten(c, answer);
}

std::vector<bool> read_where_written(const Case& c, const Answer& answer) {
  if (c.form == Form::kFunctional || !may_share(c)) return {};
  return is_resized(c, answer) || is_one_loop_in_order(c) ? read_where_written_by_threads(c, answer)
                                                          : std::vector<bool>();
}

std::vector<bool> read_where_written_by_threads(const Case& c, const Answer& answer) {
  if (c.form == Form::kFunctional || !may_share(c)) return {};
  std::vector<bool> found(static_cast<std::size_t>(numel(answer.sizes)));
  mark_read(c, answer, written_argument(c), found);
  if (c.second_out.tag == Operand::Tag::kTensor) mark_read(c, answer, kSecondOutPosition, found);
  spread_over_places(c, answer, found);
  return none_if_all_false(std::move(found));
}

std::vector<bool> computed_repeatedly(const Case& c, const Answer& answer) {
  return reads_what_it_writes(c) ? overwritten(c, answer) : std::vector<bool>();
}

std::vector<bool> computed_repeatedly_with_errors(const Case& c, const Answer& answer) {
  return may_share(c) && may_err(c, answer.dtype) ? computed_repeatedly(c, answer)
                                                  : std::vector<bool>();
}

void spread_over_places(const Case& c, const Answer& answer, std::vector<bool>& elements) {
  const Places places = written_places(c, answer);
  if (places.size() != elements.size()) return;
  std::unordered_set<std::int64_t> found;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (elements[i]) found.insert(places[i]);
  for (std::size_t i = 0; i < places.size(); ++i) elements[i] = found.contains(places[i]);
}

}  // namespace upcast
