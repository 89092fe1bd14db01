#include "bench/elementwise_bench.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "bench/bench_call.h"
#include "bench/libtorch_peer.h"
#include "bench/recycled_memory.h"
#include "bench/row_lines.h"
#include "bench/uniform.h"
#include "cases/notation.h"
#include "impl/core/error.h"
#include "impl/ops/call_op.h"

namespace upcast::bench {
namespace {

// Limits of a row's turns in a round.
constexpr TurnLimits kTurns{.most = 5, .least = 3, .nanoseconds = 5e8};
constexpr TurnLimits kTurnsOfMany{.most = 5, .least = 3, .nanoseconds = 1e8};

/// A row of the table: its group, its case line, and the range of its operands' values.
struct LineOfGroup {
  std::string_view group, line;
  double low = -100, high = 100;
  DType dtype = DType::kFloat32;
};

constexpr LineOfGroup kLines[] = {
    {"same", "add.Tensor(float32N, float32N)"},
    {"same", "add.Tensor(float64N, float64N)"},
    {"same", "add.Tensor(int32N, int32N)"},
    {"same", "add.Tensor(int64N, int64N)"},
    {"same", "add.Tensor(uint8N, uint8N)", 0, 200},
    {"same", "add.Tensor(float16N, float16N)"},
    {"same", "add.Tensor(bfloat16N, bfloat16N)"},
    {"same", "mul.Tensor(float32N, float32N)"},
    {"same", "mul.Tensor(int32N, int32N)"},
    {"same", "mul.Tensor(complex64N, complex64N)"},
    {"same", "div.Tensor(float32N, float32N)", 1, 100},
    {"same", "lt.Tensor(float32N, float32N)"},
    {"same", "eq.Tensor(int64N, int64N)"},
    {"same", "maximum(float32N, float32N)"},
    {"same", "where.self(boolN, float32N, float32N)", -1, 1},
    {"mixed", "add.Tensor(int32N, float32N)"},
    {"mixed", "add.Tensor(float16N, float32N)"},
    {"mixed", "add.Tensor(uint8N, int64N)", 0, 200},
    {"mixed", "mul.Tensor(bfloat16N, float64N)"},
    {"scalar", "add.Tensor(float32N, float32[])"},
    {"scalar", "add.Tensor(float32N, 2.5)"},
    {"scalar", "add.Tensor(int32N, 2.5)"},
    {"scalar", "mul.Tensor(float16N, 2.5)"},
    {"math", "exp(float32N)", -20, 20},
    {"math", "log(float32N)", 0.001, 1000},
    {"math", "sin(float32N)"},
    {"math", "cos(float32N)"},
    {"math", "tan(float32N)"},
    {"math", "tanh(float32N)", -5, 5},
    {"math", "erf(float32N)", -4, 4},
    {"math", "erfc(float32N)", -4, 4},
    {"math", "lgamma(float32N)", 0.1, 50},
    {"math", "digamma(float32N)", 0.1, 50},
    {"math", "sqrt(float32N)", 0, 1000},
    {"math", "rsqrt(float32N)", 0.1, 1000},
    {"math", "sigmoid(float32N)", -10, 10},
    {"math", "expm1(float32N)", -5, 5},
    {"math", "log1p(float32N)", -0.9, 100},
    {"math", "log2(float32N)", 0.001, 1000},
    {"math", "asin(float32N)", -1, 1},
    {"math", "atan(float32N)", -10, 10},
    {"math", "exp(float64N)", -20, 20},
    {"math", "sin(float64N)"},
    {"math", "exp(float16N)", -5, 5},
    {"strided", "add.Tensor(float32N:strides(2), float32N:strides(2))"},
    {"strided", "add.Tensor(float32S, float32S:permuted)"},
    {"strided", "add.Tensor(float32S, float32R)"},
    {"strided", "add.Tensor(float32S, float32C)"},
    {"strided", "add.Tensor(float32T, float32[3])"},
    {"strided", "exp(float32S:permuted)", -20, 20},
};

/// A copy that moves `bytes` in all: it reads half of them, and writes the other half. Its blocks
/// are recycled, and so lie on huge pages, as those of the sides do.
class Copy {
 public:
  explicit Copy(double bytes) : half_(static_cast<std::size_t>(bytes / 2)) {
    for (std::byte*& block : blocks_) block = recycled_memory().allocate(std::bit_ceil(half_));
  }
  ~Copy() {
    for (std::byte* const block : blocks_) recycled_memory().free(block, std::bit_ceil(half_));
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  void run() const {
    std::memcpy(blocks_[1], blocks_[0], half_);
    keep(blocks_[1]);
  }

 private:
  std::size_t half_;
  std::byte* blocks_[2];
};

/// The bytes from a tensor's first element to its last, gaps included: each crosses the memory
/// once.
double bytes_of(const Tensor& tensor) {
  return static_cast<double>(span_of(tensor.sizes, tensor.strides) * itemsize(tensor.dtype));
}

/// A row that is measured, and its rounds so far.
struct Measured {
  std::string name;
  Case the_case;
  double low, high;   // the range of its operands' values
  TurnLimits limits;  // of a round
  double bytes = 0;   // bytes that a call moves
  std::int64_t elements = 0;
  std::vector<std::vector<Turn>> rounds{};
};

BenchCall call_of(const Measured& row) {
  return BenchCall(row.the_case, Device::kCpu, recycled_memory(),
                   [&row](Storage& storage, DType dtype, int position) {
                     const auto n = static_cast<std::int64_t>(storage.size()) / itemsize(dtype);
                     const std::vector<std::byte> values =
                         uniform(dtype, n, row.low, row.high, position + 1);
                     std::memcpy(storage.data(), values.data(), values.size());
                   });
}

class ElementwiseBench {
 public:
  explicit ElementwiseBench(std::string_view filter) : filter_(filter) {}

  /// Adds a row, and measures its first round. A row that PyTorch's rules refuse is left out, and
  /// counted. So is one whose result is its operand: no loop runs. A row that LibTorch refuses is
  /// noted.
  void add(const LineOfGroup& line, std::int64_t side, TurnLimits limits) {
    std::string name = std::string(line.group) + " " + without_sizes(line.line, line.dtype);
    if (name.find(filter_) == std::string::npos) return;
    Measured row{.name = std::move(name),
                 .the_case = parse_case(with_sizes(line.line, side, line.dtype)),
                 .low = line.low,
                 .high = line.high,
                 .limits = limits};
    const BenchCall call = call_of(row);
    const Outcome<CallResult> result = call_op(call.op(), call.call(), cpu_);
    if (!result.ok()) {
      ++refused_;
      return;
    }
    const Tensor& answer = result.value().tensor;
    if (answer.storage == call.tensor(0).storage) {
      ++returned_;
      return;
    }
    LibTorchPeer peer(call);
    if (const std::string why = why_no_peer(peer); !why.empty()) {
      notes_.push_back("no peer for " + row.name + ": " + why);
      return;
    }
    row.elements = numel(answer.sizes);
    row.bytes = bytes_of(answer);
    for (std::size_t i = 0; i < call.the_case().arguments.size(); ++i)
      if (const Tensor& tensor = call.tensor(static_cast<int>(i)); tensor.defined())
        row.bytes += bytes_of(tensor);
    measure(row, call, peer);
    rows_.push_back(std::move(row));
  }

  /// Measures every row once more.
  void go_round() {
    give_back_recycled_memory();
    for (Measured& row : rows_) {
      const BenchCall call = call_of(row);
      LibTorchPeer peer(call);
      measure(row, call, peer);
    }
  }

  Report report() {
    Report report{.notes = notes_};
    for (Measured& row : rows_) {
      report.rows.push_back(row_of_rounds(row.name, row.rounds));
      report.rows.back().bytes = row.bytes / static_cast<double>(row.elements);
    }
    std::ranges::stable_sort(report.rows, {}, &Row::ratio);
    const auto note = [&report](int calls, std::string_view why) {
      if (calls > 0)
        report.notes.push_back("left out, because " + std::string(why) + ": " +
                               std::to_string(calls) + " calls");
    };
    note(refused_, "PyTorch's rules refuse them");
    note(returned_, "they return their operand");
    return report;
  }

 private:
  void measure(Measured& row, const BenchCall& call, LibTorchPeer& peer) {
    const Copy copy(row.bytes);
    row.rounds.push_back(take_turns(
        row.elements, [&] { keep(call_op(call.op(), call.call(), cpu_).ok()); },
        [&] { peer.run(); }, row.limits, [&copy] { copy.run(); }));
  }

  /// If LibTorch refuses the call: the first line of its message. Otherwise "".
  static std::string why_no_peer(LibTorchPeer& peer) {
    if (!peer.missing().empty()) return peer.missing();
    try {
      peer.run();
      return "";
    } catch (const c10::Error& error) {
      const std::string text = error.what_without_backtrace();
      return text.substr(0, text.find('\n'));
    }
  }

  std::string_view filter_;
  RecyclingEngine cpu_;
  std::vector<Measured> rows_;
  std::vector<std::string> notes_;
  int refused_ = 0, returned_ = 0;
};

void add_all_dtypes(ElementwiseBench& bench, std::int64_t side) {
  // Operands have values that every op takes: 1 to 100 for integers, 0.1 to 1 for other dtypes.
  const auto add = [&](const std::string& group, std::string_view line, DType dtype) {
    const bool is_integer = is_integral(dtype);
    bench.add({group, line, is_integer ? 1. : 0.1, is_integer ? 100. : 1, dtype}, side,
              kTurnsOfMany);
  };
  for (const FamilyLine& family : family_lines())
    for (int code = 0; code < kDTypeCount; ++code)
      if (const DType dtype = dtype_from_code(code); kElementwise.contains(dtype))
        add("family/" + std::string(family.family), family.line, dtype);
  for (const std::string& line : pair_lines()) add("pair", line, DType::kInt32);
}

}  // namespace

Report elementwise_report(const ElementwiseOptions& options) {
  const at::NoGradGuard no_grad;
  at::set_num_threads(1);
  ElementwiseBench bench(options.filter);
  for (const LineOfGroup& row : kLines) bench.add(row, options.side, kTurns);
  if (options.all) add_all_dtypes(bench, options.side / 2);
  for (int round = 1; round < kRounds; ++round) bench.go_round();
  return bench.report();
}

}  // namespace upcast::bench
