#include "bench/call_bench.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/add.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/exp.h>

#include <cstring>
#include <string>

#include "bench/recycled_memory.h"
#include "cases/notation.h"
#include "cases/values.h"
#include "impl/core/error.h"
#include "impl/ops/call_op.h"
#include "oracle/case_call.h"

namespace upcast::bench {
namespace {

/// The tensor operand of a case at `position`, contiguous, with the values that the case gives it.
at::Tensor tensor_of(const Case& c, int position) {
  const Operand& operand = c.arguments[position];
  at::Tensor tensor = at::empty(
      operand.sizes, at::TensorOptions().dtype(static_cast<at::ScalarType>(code(operand.dtype))));
  const std::vector<std::byte> values = operand_values(c, position);
  std::memcpy(tensor.mutable_data_ptr(), values.data(), values.size());
  return tensor;
}

/// A row that times our call of a case against `peer`. `peer` is called with the case's first two
/// tensors; if the case has only one, it gets that one twice.
template <class Peer>
Row row(const std::string& line, int calls, Peer peer) {
  const Case c = parse_case(line);
  CaseCall holder;
  const Call& call = holder.make(c);
  RecyclingEngine cpu;
  check(call_op(*c.op, call, cpu).ok(), "a benchmark is not refused");
  const at::Tensor a = tensor_of(c, 0);
  const bool two = c.arguments.size() > 1 && c.arguments[1].tag == Operand::Tag::kTensor;
  const at::Tensor b = two ? tensor_of(c, 1) : a;
  return side_by_side(
      "call/" + line, calls,
      [&] {
        for (int i = 0; i < calls; ++i) keep(call_op(*c.op, call, cpu).ok());
      },
      [&] {
        for (int i = 0; i < calls; ++i) keep(peer(a, b).defined());
      });
}

}  // namespace

std::vector<Row> call_rows() {
  const at::NoGradGuard no_grad;
  const auto add = [](const at::Tensor& a, const at::Tensor& b) { return at::add(a, b); };
  const auto add_number = [](const at::Tensor& a, const at::Tensor&) { return at::add(a, 2.5); };
  const auto div = [](const at::Tensor& a, const at::Tensor& b) { return at::div(a, b); };
  const auto exp = [](const at::Tensor& a, const at::Tensor&) { return at::exp(a); };
  std::vector<Row> rows;
  for (const auto& [size, calls] : {std::pair("4", 1000), {"65536", 1}}) {
    const std::string n = std::string("[") + size + "]";
    rows.push_back(row("add.Tensor(float32" + n + ", float32" + n + ")", calls, add));
    rows.push_back(row("add.Tensor(int32" + n + ", float32" + n + ")", calls, add));
    rows.push_back(row("add.Tensor(int32" + n + ", 2.5)", calls, add_number));
    rows.push_back(row("add.Tensor(float16" + n + ", float16" + n + ")", calls, add));
    rows.push_back(row("div.Tensor(int64" + n + ", int64" + n + ")", calls, div));
    rows.push_back(row("exp(float32" + n + ")", calls, exp));
  }
  return rows;
}

}  // namespace upcast::bench
