#include "oracle/host_defined.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "impl/core/cast.h"
#include "impl/core/dtype_set.h"
#include "impl/cpu/cpu_engine.h"
#include "impl/ops/call_op.h"
#include "oracle/case_call.h"
#include "oracle/shared_places.h"

namespace upcast {
namespace {

/// The values that the call converts to the result's dtype, broadcast to the result's shape; NaN if
/// they are not real.
std::vector<double> converted_values(const Case& c) {
  Case wide = c;
  Operand& destination = wide.arguments[wide.schema().find(wide.op->spec->written)];
  destination = {
      .tag = Operand::Tag::kTensor, .dtype = DType::kFloat64, .sizes = destination.sizes};
  // Values are computed on the CPU, wherever the case puts its operands.
  for (Operand& operand : wide.arguments) operand.device.reset();
  wide.device = Device::kCpu;
  CaseCall maker;
  CpuEngine cpu;
  const Outcome<CallResult> copied = call_op(*wide.op, maker.make(wide), cpu);
  if (!copied.ok()) return {};
  const std::vector<std::byte> bytes = logical_bytes(copied.value().tensor);
  std::vector<double> values(bytes.size() / sizeof(double));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

bool is_in_range(double value, DType integral) {
  const int bits = 8 * itemsize(integral);
  const double whole = std::trunc(value);  // NaN stays
  const bool is_unsigned = integral == DType::kUInt8 || kUnsigned.contains(integral);
  return is_unsigned ? whole >= 0 && whole < std::ldexp(1.0, bits)
                     : whole >= -std::ldexp(1.0, bits - 1) && whole < std::ldexp(1.0, bits - 1);
}

/// For each element, whether its float is outside the range of the integer dtype that it is
/// converted to.
std::vector<bool> beyond_range(const Case& c, const Answer& answer) {
  const std::string_view written = c.op->spec->written;
  if (written.empty() || !is_integral(answer.dtype)) return {};
  const int source = c.schema().find(c.op->spec->operands[0]);
  const DType from = c.arguments[source].dtype;
  if (is_integral(from) || is_bool(from)) return {};
  std::vector<bool> beyond;
  for (const double value : converted_values(c))
    beyond.push_back(!is_in_range(value, answer.dtype));
  return beyond;
}

std::vector<bool> zero_divisors(const Case& c, const Answer& answer) {
  if (!c.op->spec->divides()) return {};
  const int divisor = c.schema().find(c.op->spec->divisor);
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok() || !is_integral(promoted.value().common)) return {};
  const DType common = promoted.value().common;
  const std::vector<std::byte> values = broadcast_values(c, divisor, answer.sizes);
  if (values.empty()) return {};
  const Operand& operand = c.arguments[divisor];
  const DType own = operand.tag == Operand::Tag::kNumber ? operand.number.dtype() : operand.dtype;
  const std::size_t count = values.size() / itemsize(own);
  const auto size = static_cast<std::size_t>(itemsize(common));
  std::vector<std::byte> seen(count * size);
  cast_elements(own, values.data(), common, seen.data(), static_cast<std::int64_t>(count));
  std::vector<bool> zero(count);
  for (std::size_t i = 0; i < count; ++i)
    zero[i] = std::all_of(&seen[i * size], &seen[i * size] + size,
                          [](std::byte byte) { return byte == std::byte{0}; });
  return zero;
}

constexpr HostDefined kBeyondRange{
    "float-beyond-integer-range",
    "a float that is NaN, or beyond the integer's range: C++ does not define the conversion. x86 "
    "gives the least integer, a GPU the nearest one, and narrower dtypes take the low bytes",
    HostDefined::Where::kEverywhere, &beyond_range};

constexpr HostDefined kOverwrittenOnGpu{"overlapping-results-on-a-gpu",
                                        "elements of the result share one place in memory, and the "
                                        "threads of a GPU write them in any order",
                                        HostDefined::Where::kInParallel, &overwritten};

constexpr HostDefined kOverwrittenByThreads{
    "overlapping-results-of-threads",
    "elements of the result share one place in memory, and there are so many that several threads "
    "of LibTorch write them, in any order",
    HostDefined::Where::kEverywhere, &overwritten_by_threads};

constexpr HostDefined kReadWhereWritten{
    "operand-read-where-written",
    "an operand shares its memory with another element of the result: a vector loop reads it "
    "before that element is written, a scalar loop may read it after",
    HostDefined::Where::kEverywhere, &read_where_written};

constexpr HostDefined kReadWhereWrittenOnGpu{
    "operand-read-where-written-on-a-gpu",
    "an operand shares its memory with another element of the result, and the threads of a GPU "
    "read and write in any order",
    HostDefined::Where::kInParallel, &read_where_written_by_threads};

constexpr HostDefined kComputedRepeatedly{
    "errors-of-repeated-computation",
    "elements of the result share one place in memory, and the op rounds or converts: each "
    "computation enlarges the error of the one before it, and no bound holds",
    HostDefined::Where::kEverywhere, &computed_repeatedly_with_errors};

}  // namespace

const HostDefined kZeroDivision{
    "integer-division-by-zero",
    "an integer division by zero: a CPU traps, so it is refused; a GPU gives an unspecified value "
    "(PTX ISA, div and rem)",
    HostDefined::Where::kOnGpu, &zero_divisors};

std::span<const HostDefined> host_defined_rules() {
  static const std::array<HostDefined, 7> rules{
      kBeyondRange,          kZeroDivision,     kOverwrittenOnGpu,   kReadWhereWrittenOnGpu,
      kOverwrittenByThreads, kReadWhereWritten, kComputedRepeatedly,
  };
  return rules;
}

HostDefinedElements host_defined_elements(const Case& c, const Answer& answer,
                                          HostDefined::Where where) {
  HostDefinedElements found;
  for (const HostDefined& rule : host_defined_rules()) {
    if (rule.where > where) continue;
    const std::vector<bool> more = rule.elements(c, answer);
    if (std::find(more.begin(), more.end(), true) == more.end()) continue;
    if (found.id.empty()) found.id = rule.id;
    found.elements.resize(more.size());
    for (std::size_t i = 0; i < more.size(); ++i) found.elements[i] = found.elements[i] || more[i];
  }
  if (!found.elements.empty()) spread_over_places(c, answer, found.elements);
  return found;
}

bool machine_decides_refusal(const Case& c, const Answer& refusal, const Answer& answer) {
  if (refusal.rejection != RejectionCode::kZeroDivision || answer.tag != Answer::Tag::kTensor)
    return false;
  const std::vector<bool> zero = kZeroDivision.elements(c, answer);
  return std::find(zero.begin(), zero.end(), true) != zero.end();
}

}  // namespace upcast
