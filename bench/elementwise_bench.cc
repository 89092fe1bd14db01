#include "bench/elementwise_bench.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <string>

#include "bench/tensor_view.h"
#include "bench/uniform.h"
#include "cases/notation.h"
#include "impl/core/error.h"
#include "impl/cpu/cpu_engine.h"
#include "impl/ops/call_op.h"
#include "oracle/case_call.h"

namespace upcast::bench {
namespace {

constexpr int kTurnsOfLongTensors = 21;

/// The shapes of a benchmark, as they stand in a case line.
struct Shapes {
  std::int64_t elements;
  std::int64_t side;  // of a square with as many elements
  std::string line, square, row, column, short_rows;

  explicit Shapes(std::int64_t square_side)
      : elements(square_side * square_side), side(square_side) {
    line = "[" + std::to_string(elements) + "]";
    square = "[" + std::to_string(side) + "," + std::to_string(side) + "]";
    row = "[" + std::to_string(side) + "]";
    column = "[" + std::to_string(side) + ",1]";
    short_rows = "[" + std::to_string(elements / 3) + ",3]";
  }
};

using Peer = std::function<at::Tensor(const std::vector<at::Tensor>&)>;

struct Bench {
  std::string name;
  std::string line;  // a case line; its tensors get uniform random values
  double low, high;
  Peer peer;
};

/// Nanoseconds that this thread takes to move a byte: half of those that it reads or writes in a
/// copy of what no cache holds, the fastest of ten.
double nanoseconds_of_a_byte() {
  constexpr std::size_t kSize = std::size_t{1} << 26;
  std::vector<std::byte> from(kSize, std::byte{1}), to(kSize);
  double fastest = std::numeric_limits<double>::infinity();
  const auto copy = [&] {
    std::memcpy(to.data(), from.data(), kSize);
    keep(to.data());
  };
  for (int i = 0; i < 10; ++i) fastest = std::min(fastest, nanoseconds_of(copy));
  return fastest / (2 * kSize);
}

/// The bytes of a tensor, and those between its elements: each crosses the memory once.
double bytes_of(const Tensor& tensor) {
  return static_cast<double>(span_of(tensor.sizes, tensor.strides) * itemsize(tensor.dtype));
}

Row measure(const Bench& bench, std::int64_t elements, double nanoseconds_a_byte) {
  const Case c = parse_case(bench.line);
  CaseCall holder;
  CpuEngine cpu;
  Call call = holder.make(c, kPyTorchRules, nullptr);
  std::vector<Argument> arguments(call.arguments.begin(), call.arguments.end());
  std::vector<at::Tensor> peers;
  double bytes = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Tensor& tensor = arguments[i].tensor;
    if (!tensor.defined()) continue;
    const std::int64_t span = tensor.offset + span_of(tensor.sizes, tensor.strides);
    tensor.storage =
        std::make_shared<Storage>(uniform(tensor.dtype, span, bench.low, bench.high, i + 1));
    peers.push_back(view_of(tensor));
    bytes += bytes_of(tensor);
  }
  call.arguments = arguments;
  const auto result = call_op(*c.op, call, cpu);
  check(result.ok(), "a benchmark is not refused");
  bytes += bytes_of(result.value().tensor);
  Row row = side_by_side(
      bench.name, elements, [&] { keep(call_op(*c.op, call, cpu).ok()); },
      [&] { keep(bench.peer(peers).defined()); }, kTurnsOfLongTensors);
  row.bytes = bytes / static_cast<double>(elements);
  row.predicted = row.bytes * nanoseconds_a_byte;
  return row;
}

Peer unary(at::Tensor (*f)(const at::Tensor&)) {
  return [f](const std::vector<at::Tensor>& t) { return f(t[0]); };
}
Peer binary(at::Tensor (*f)(const at::Tensor&, const at::Tensor&)) {
  return [f](const std::vector<at::Tensor>& t) { return f(t[0], t[1]); };
}
at::Tensor add(const at::Tensor& a, const at::Tensor& b) { return at::add(a, b); }

std::vector<Bench> same_rows(const Shapes& shapes) {
  const auto two = [&shapes](std::string op, std::string dtype) {
    return op + "(" + dtype + shapes.line + ", " + dtype + shapes.line + ")";
  };
  const Peer mul = binary(at::mul);
  const Peer lt = binary(at::lt);
  return {
      {"same/add float32", two("add.Tensor", "float32"), -100, 100, binary(add)},
      {"same/add float64", two("add.Tensor", "float64"), -100, 100, binary(add)},
      {"same/add int32", two("add.Tensor", "int32"), -100, 100, binary(add)},
      {"same/add int64", two("add.Tensor", "int64"), -100, 100, binary(add)},
      {"same/add uint8", two("add.Tensor", "uint8"), 0, 200, binary(add)},
      {"same/add float16", two("add.Tensor", "float16"), -100, 100, binary(add)},
      {"same/add bfloat16", two("add.Tensor", "bfloat16"), -100, 100, binary(add)},
      {"same/mul float32", two("mul.Tensor", "float32"), -100, 100, mul},
      {"same/mul int32", two("mul.Tensor", "int32"), -100, 100, mul},
      {"same/mul complex64", two("mul.Tensor", "complex64"), -100, 100, mul},
      {"same/div float32", two("div.Tensor", "float32"), 1, 100, binary(at::div)},
      {"same/lt float32", two("lt.Tensor", "float32"), -100, 100, lt},
      {"same/eq int64", two("eq.Tensor", "int64"), -100, 100, binary(at::eq)},
      {"same/maximum float32", two("maximum", "float32"), -100, 100, binary(at::maximum)},
      {"same/where float32",
       "where.self(bool" + shapes.line + ", float32" + shapes.line + ", float32" + shapes.line +
           ")",
       -1, 1, [](const std::vector<at::Tensor>& t) { return at::where(t[0], t[1], t[2]); }},
  };
}

std::vector<Bench> mixed_rows(const Shapes& shapes) {
  const auto pair = [](std::string a, std::string b) { return "add.Tensor(" + a + ", " + b + ")"; };
  return {
      {"mixed/add int32+float32", pair("int32" + shapes.line, "float32" + shapes.line), -100, 100,
       binary(add)},
      {"mixed/add float16+float32", pair("float16" + shapes.line, "float32" + shapes.line), -100,
       100, binary(add)},
      {"mixed/add uint8+int64", pair("uint8" + shapes.line, "int64" + shapes.line), 0, 200,
       binary(add)},
      {"mixed/mul bfloat16+float64",
       "mul.Tensor(bfloat16" + shapes.line + ", float64" + shapes.line + ")", -100, 100,
       binary(at::mul)},
      {"scalar/add float32+float32[]", pair("float32" + shapes.line, "float32[]"), -100, 100,
       binary(add)},
      {"scalar/add float32+2.5", pair("float32" + shapes.line, "2.5"), -100, 100,
       [](const std::vector<at::Tensor>& t) { return at::add(t[0], 2.5); }},
      {"scalar/add int32+2.5", pair("int32" + shapes.line, "2.5"), -100, 100,
       [](const std::vector<at::Tensor>& t) { return at::add(t[0], 2.5); }},
      {"scalar/mul float16*2.5", "mul.Tensor(float16" + shapes.line + ", 2.5)", -100, 100,
       [](const std::vector<at::Tensor>& t) { return at::mul(t[0], 2.5); }},
  };
}

std::vector<Bench> math_rows(const Shapes& shapes) {
  std::vector<Bench> rows;
  const auto add_row = [&](std::string op, double low, double high, Peer peer,
                           std::string dtype = "float32") {
    rows.push_back({"math/" + op + " " + dtype, op + "(" + dtype + shapes.line + ")", low, high,
                    std::move(peer)});
  };
  add_row("exp", -20, 20, unary(at::exp));
  add_row("log", 0.001, 1000, unary(at::log));
  add_row("sin", -100, 100, unary(at::sin));
  add_row("cos", -100, 100, unary(at::cos));
  add_row("tan", -100, 100, unary(at::tan));
  add_row("tanh", -5, 5, unary(at::tanh));
  add_row("erf", -4, 4, unary(at::erf));
  add_row("erfc", -4, 4, unary(at::erfc));
  add_row("lgamma", 0.1, 50, unary(at::lgamma));
  add_row("digamma", 0.1, 50, unary(at::digamma));
  add_row("sqrt", 0, 1000, unary(at::sqrt));
  add_row("rsqrt", 0.1, 1000, unary(at::rsqrt));
  add_row("sigmoid", -10, 10, unary(at::sigmoid));
  add_row("expm1", -5, 5, unary(at::expm1));
  add_row("log1p", -0.9, 100, unary(at::log1p));
  add_row("log2", 0.001, 1000, unary(at::log2));
  add_row("asin", -1, 1, unary(at::asin));
  add_row("atan", -10, 10, unary(at::atan));
  add_row("exp", -20, 20, unary(at::exp), "float64");
  add_row("sin", -100, 100, unary(at::sin), "float64");
  add_row("exp", -5, 5, unary(at::exp), "float16");
  return rows;
}

std::vector<Bench> strided_rows(const Shapes& shapes) {
  return {
      {"strided/add float32 every second",
       "add.Tensor(float32" + shapes.line + ":strides(2), float32" + shapes.line + ":strides(2))",
       -100, 100, binary(add)},
      {"strided/add float32 + permuted",
       "add.Tensor(float32" + shapes.square + ", float32" + shapes.square + ":permuted)", -100, 100,
       binary(add)},
      {"strided/add float32 row broadcast",
       "add.Tensor(float32" + shapes.square + ", float32" + shapes.row + ")", -100, 100,
       binary(add)},
      {"strided/add float32 column broadcast",
       "add.Tensor(float32" + shapes.square + ", float32" + shapes.column + ")", -100, 100,
       binary(add)},
      {"strided/add float32 short rows", "add.Tensor(float32" + shapes.short_rows + ", float32[3])",
       -100, 100, binary(add)},
      {"strided/exp float32 permuted", "exp(float32" + shapes.square + ":permuted)", -20, 20,
       unary(at::exp)},
  };
}

}  // namespace

std::vector<Row> elementwise_rows(std::string_view filter, std::int64_t side) {
  const Shapes shapes(side);
  const at::NoGradGuard no_grad;
  at::set_num_threads(1);
  const double nanoseconds_a_byte = nanoseconds_of_a_byte();
  std::vector<Row> rows;
  for (const auto& group :
       {same_rows(shapes), mixed_rows(shapes), math_rows(shapes), strided_rows(shapes)})
    for (const Bench& bench : group)
      if (bench.name.find(filter) != std::string::npos)
        rows.push_back(measure(bench, shapes.elements, nanoseconds_a_byte));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.ratio() < b.ratio(); });
  return rows;
}

}  // namespace upcast::bench
