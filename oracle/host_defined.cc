#include "oracle/host_defined.h"

#include <cmath>
#include <cstring>

#include "impl/core/dtype_set.h"
#include "impl/cpu/cpu_engine.h"
#include "impl/ops/call_op.h"
#include "oracle/case_call.h"

namespace upcast {
namespace {

/// The values that are converted, in the shape of the result; NaN where they are not real.
std::vector<double> converted_values(const Case& c) {
  Case wide = c;
  Operand& destination = wide.arguments[wide.schema().find(wide.op->spec->written)];
  destination = {
      .tag = Operand::Tag::kTensor, .dtype = DType::kFloat64, .sizes = destination.sizes};
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

}  // namespace

std::vector<bool> host_defined_elements(const Case& c, DType result) {
  const std::string_view written = c.op->spec->written;
  if (written.empty() || !is_integral(result)) return {};
  const int source = c.schema().find(c.op->spec->operands[0]);
  const DType from = c.arguments[source].dtype;
  if (is_integral(from) || is_bool(from)) return {};
  std::vector<bool> defined_by_host;
  for (const double value : converted_values(c))
    defined_by_host.push_back(!is_in_range(value, result));
  return defined_by_host;
}

}  // namespace upcast
