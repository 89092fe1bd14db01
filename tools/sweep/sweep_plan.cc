#include "tools/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/notation.h"
#include "cases/values.h"
#include "impl/core/error.h"
#include "oracle/truth/coverage.h"

namespace upcast::tools {
namespace {

int operand_count(const Case& c) {
  return static_cast<int>(
      std::count_if(c.arguments.begin(), c.arguments.end(),
                    [](const Operand& operand) { return operand.tag == Operand::Tag::kTensor; }));
}

/// How many tensor operands a callable takes: the smallest number from 1 to 3 with which a line is
/// a case. Throws UsageError.
int find_operand_count(const std::string& op, const std::string& attributes, DType dtype) {
  std::string tensors;
  std::string why;
  for (int count = 1; count <= 3; ++count) {
    tensors += fmt::format("{}{}[1]", count == 1 ? "" : ", ", name(dtype));
    try {
      return operand_count(parse_case(fmt::format("{}({}{})", op, tensors, attributes)));
    } catch (const UsageError& error) {
      if (why.empty()) why = error.what();
    }
  }
  throw UsageError(why);
}

/// The value of an operand that is a degree or an order, for one chunk of a sample: one of 0, 0.75,
/// ... 47.25, in mixed sequence. These numbers have few digits, so that every dtype holds them.
double order_of_chunk(std::int64_t chunk) {
  constexpr std::int64_t kOrders = 64;
  constexpr std::int64_t kStep = 23;
  return 0.75 * static_cast<double>(chunk * kStep % kOrders);
}

/// The bits of an element in hexadecimal, with as many digits as its dtype has: "0x3c00" for 1 of
/// float16.
std::string hex(DType dtype, const std::byte* element) {
  std::string text = "0x";
  for (int i = static_cast<int>(itemsize(dtype)) - 1; i >= 0; --i)
    text += fmt::format("{:02x}", static_cast<int>(element[i]));
  return text;
}

bool is_unsigned(DType dtype) { return name(dtype).starts_with("uint"); }

}  // namespace

std::string SweepPlan::line(std::int64_t chunk, std::string_view layout) const {
  const std::string_view dtype_name = name(dtype);
  if (!exhaustive) {
    std::string tensors;
    for (int i = 0; i < operands; ++i) {
      tensors += fmt::format("{}{}", i == 0 ? "" : ", ", dtype_name);
      if (i == order)
        tensors += fmt::format("[1]{{{}}}", order_of_chunk(chunk));
      else
        tensors += fmt::format("[{}]{}", chunk_inputs, i + 1 == operands ? layout : "");
    }
    return fmt::format("{}({}{}, values=random, seed={})", op, tensors, attributes,
                       first_seed + chunk);
  }
  if (operands == 1)
    return fmt::format("{}({}[{}]{}{}, values=consecutive, seed={})", op, dtype_name, chunk_inputs,
                       layout, attributes, chunk);
  const std::int64_t columns = std::int64_t{1} << (8 * itemsize(dtype));
  if (by_second) {
    const std::int64_t wrapped =
        chunk < columns / 2 || is_unsigned(dtype) ? chunk : chunk - columns;
    return fmt::format("{}({}[{}]{}, {}[1]{{{}}}{}, values=consecutive)", op, dtype_name, columns,
                       layout, dtype_name, wrapped, attributes);
  }
  return fmt::format("{}({}[{},1], {}[{}]{}{}, values=consecutive, seed={})", op, dtype_name,
                     chunk_inputs / columns, dtype_name, columns, layout, attributes, chunk);
}

SweepPlan SweepPlan::in_blocks(std::int64_t inputs) const {
  if (!exhaustive || by_second) return *this;
  SweepPlan blocks = *this;
  const std::int64_t row = operands == 1 ? 1 : std::int64_t{1} << (8 * itemsize(dtype));
  blocks.chunk_inputs = std::min(chunk_inputs, std::max(inputs, row));
  blocks.chunks = chunks * (chunk_inputs / blocks.chunk_inputs);
  return blocks;
}

std::string SweepPlan::input_text(std::uint64_t index) const {
  if (!exhaustive) return sample_text(index);
  const int bits = 8 * itemsize(dtype);
  if (operands == 1) return fmt::format("{:#0{}x}", index, 2 + bits / 4);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  if (by_second) index = (index & mask) << bits | index >> bits;
  return fmt::format("{:#0{}x}, {:#0{}x}", index >> bits, 2 + bits / 4, index & mask, 2 + bits / 4);
}

std::string SweepPlan::sample_text(std::uint64_t index) const {
  const auto chunk = static_cast<std::int64_t>(index) / chunk_inputs;
  const auto element = static_cast<std::int64_t>(index) % chunk_inputs;
  const Case c = parse_case(line(chunk));
  std::string text;
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i) {
    const Operand& operand = c.operand(i);
    if (operand.tag != Operand::Tag::kTensor) continue;
    const std::vector<std::byte> values = operand_values(c, i);
    const std::int64_t at = element_count(operand) == 1 ? 0 : element;
    text += (text.empty() ? "" : ", ") + hex(dtype, values.data() + at * itemsize(dtype));
  }
  return text + fmt::format(" (element {} of seed {}{})", element, first_seed + chunk,
                            order < 0 ? "" : fmt::format(", order {}", order_of_chunk(chunk)));
}

SweepPlan make_sweep_plan(const std::string& op, const std::string& attributes, DType dtype,
                          std::int64_t samples, std::int64_t chunk) {
  SweepPlan plan;
  plan.op = op;
  plan.attributes = attributes.empty() ? "" : ", " + attributes;
  plan.dtype = dtype;
  plan.operands = find_operand_count(op, plan.attributes, dtype);
  plan.exhaustive = samples == 0;
  const int bits = plan.operands * 8 * static_cast<int>(itemsize(dtype));
  if (plan.exhaustive && (bits > 32 || plan.operands > 2))
    throw UsageError(
        fmt::format("{} operands of {} have 2^{} inputs, more than the 2^32 of a full sweep: take "
                    "random ones with --samples 1000000",
                    plan.operands, name(dtype), bits));
  const std::int64_t inputs = plan.exhaustive ? std::int64_t{1} << bits : samples;
  if (!plan.exhaustive) plan.order = truth::order_operand(op);
  plan.chunk_inputs = std::min(inputs, plan.exhaustive  ? chunk
                                       : plan.order < 0 ? chunk / 16
                                                        : chunk / 1024);
  plan.by_second = plan.exhaustive && plan.operands == 2 && is_integral(dtype);
  if (plan.by_second) plan.chunk_inputs = std::int64_t{1} << (bits / 2);
  plan.chunks = (inputs + plan.chunk_inputs - 1) / plan.chunk_inputs;
  return plan;
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SweepPlan, op, attributes, operands, chunk_inputs, chunks,
                                   exhaustive, by_second, order, first_seed)

nlohmann::json plan_json(const SweepPlan& plan) {
  nlohmann::json json = plan;
  json["dtype"] = name(plan.dtype);
  return json;
}

SweepPlan read_plan(const nlohmann::json& json) {
  auto plan = json.get<SweepPlan>();
  const int dtype = find_dtype_code(json.at("dtype").get<std::string>());
  if (dtype == kDTypeCount) throw UsageError("a sweep over no dtype: " + json.at("dtype").dump());
  plan.dtype = dtype_from_code(dtype);
  return plan;
}

}  // namespace upcast::tools
