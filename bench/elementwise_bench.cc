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

constexpr Turns kTurns{.most = 21, .nanoseconds = 3e9};
constexpr Turns kTurnsOfMany{.most = 21, .nanoseconds = 3e8};

/// A row to measure: its group, its case line, and the range of its operands' values.
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

class ElementwiseBench {
 public:
  ElementwiseBench(std::string_view filter, Report& report) : filter_(filter), report_(report) {}

  /// Measures a row. A row that PyTorch's rules refuse is left out, and counted. So is one whose
  /// result is its operand: no loop runs.
  void add(const LineOfGroup& row, std::int64_t side, Turns turns) {
    const std::string name = std::string(row.group) + " " + without_sizes(row.line, row.dtype);
    if (name.find(filter_) == std::string::npos) return;
    const BenchCall call(
        parse_case(with_sizes(row.line, side, row.dtype)), Device::kCpu, recycled_memory(),
        [&row](Storage& storage, DType dtype, int position) {
          const auto n = static_cast<std::int64_t>(storage.size()) / itemsize(dtype);
          const std::vector<std::byte> values = uniform(dtype, n, row.low, row.high, position + 1);
          std::memcpy(storage.data(), values.data(), values.size());
        });
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
    double bytes = bytes_of(answer);
    for (std::size_t i = 0; i < call.the_case().arguments.size(); ++i)
      if (const Tensor& tensor = call.tensor(static_cast<int>(i)); tensor.defined())
        bytes += bytes_of(tensor);
    measure(name, call, bytes, numel(answer.sizes), turns);
  }

  void note_what_was_left_out() const {
    const auto note = [this](int calls, std::string_view why) {
      if (calls > 0)
        report_.notes.push_back("left out, because " + std::string(why) + ": " +
                                std::to_string(calls) + " calls");
    };
    note(refused_, "PyTorch's rules refuse them");
    note(returned_, "they return their operand");
  }

 private:
  void measure(const std::string& name, const BenchCall& call, double bytes, std::int64_t elements,
               Turns turns) {
    LibTorchPeer peer(call);
    if (const std::string why = why_no_peer(peer); !why.empty()) {
      report_.notes.push_back("no peer for " + name + ": " + why);
      return;
    }
    const Copy copy(bytes);
    Row row = side_by_side(
        name, elements, [&] { keep(call_op(call.op(), call.call(), cpu_).ok()); },
        [&] { peer.run(); }, turns, [&copy] { copy.run(); });
    row.bytes = bytes / static_cast<double>(elements);
    report_.rows.push_back(std::move(row));
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
  Report& report_;
  RecyclingEngine cpu_;
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
  Report report;
  ElementwiseBench bench(options.filter, report);
  for (const LineOfGroup& row : kLines) bench.add(row, options.side, kTurns);
  if (options.all) add_all_dtypes(bench, options.side / 2);
  bench.note_what_was_left_out();
  std::ranges::stable_sort(report.rows, {}, &Row::ratio);
  return report;
}

}  // namespace upcast::bench
