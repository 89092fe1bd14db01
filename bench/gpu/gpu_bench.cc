#include "bench/gpu/gpu_bench.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "bench/gpu/gpu_cases.h"
#include "bench/gpu/planning_engine.h"
#include "bench/libtorch_peer.h"
#include "bench/uniform.h"
#include "cases/notation.h"
#include "impl/core/error.h"
#include "impl/cuda/cuda_timer.h"
#include "impl/ops/call_op.h"
#include "oracle/libtorch/libtorch_subject.h"
#include "oracle/libtorch/settings.h"

namespace upcast::bench {
namespace {

constexpr int kTurnsOfDevices = 9;
constexpr double kTurnNanoseconds = 2e6;  // a turn repeats its call for about this many nanoseconds
constexpr int kMaxRepeats = 1000;
constexpr std::size_t kCopyBytes = std::size_t{1} << 30;  // 2^28 float32
constexpr std::int64_t kPatternElements = 1 << 16;

/// Fills an operand by repeating a pattern of values that every op of the rows takes: integers from
/// 1 to 100, floats from 0.1 to 1.
void fill(CudaEngine& engine, Storage& storage, DType dtype) {
  const bool is_integer = is_integral(dtype);
  const std::vector<std::byte> pattern =
      uniform(dtype, kPatternElements, is_integer ? 1 : 0.1, is_integer ? 100 : 1, 1);
  std::size_t filled = std::min(pattern.size(), storage.size());
  engine.memory().write(std::span(pattern).first(filled), storage.data());
  while (filled < storage.size()) {
    const std::size_t more = std::min(filled, storage.size() - filled);
    engine.copy(storage.data(), storage.data() + filled, more);
    filled += more;
  }
}

/// One side of a row: its call, and the timer that measures it.
struct Side {
  CudaTimer& timer;
  std::function<void()> call;
  int repeats = 1;

  double turn() const {
    timer.start();
    for (int i = 0; i < repeats; ++i) call();
    return timer.stop() / repeats;
  }
  /// Warms up, and sets how often a turn repeats the call: a turn shall take about
  /// kTurnNanoseconds.
  void prepare() {
    call();
    const double once = std::max(turn(), 1.0);
    repeats = static_cast<int>(std::clamp(kTurnNanoseconds / once, 1.0, double{kMaxRepeats}));
  }
};

/// Measures both sides alternately, and keeps the fastest turn of each in `row`.
void measure(Side& ours, Side* peer, Row& row) {
  ours.prepare();
  row.ours = ours.turn();
  if (peer != nullptr) {
    peer->prepare();
    row.peer = peer->turn();
  }
  for (int i = 0; i < kTurnsOfDevices; ++i) {
    row.ours = std::min(row.ours, ours.turn());
    if (peer != nullptr) row.peer = std::min(row.peer, peer->turn());
  }
}

class GpuBench {
 public:
  explicit GpuBench(Report& report) : report_(report) {
    report_.versions["device"] = engine_.description();
    try {
      libtorch_ = std::make_unique<LibTorchSubject>(parse_side("libtorch:cuda"));
      report_.versions.merge(libtorch_->versions());
    } catch (const UsageError& error) {
      report_.notes.push_back(std::string("without a peer: ") + error.what());
    }
    libtorch::silence_warnings_of_this_thread();
    measure_copies();
  }

  void add(const GpuCase& made) {
    const Case c = parse_case(made.line);
    if (2 * bytes_needed(c) > static_cast<double>(engine_.total_memory())) {
      report_.notes.push_back("left out, because it may not fit in memory: " + made.name);
      return;
    }
    Row row{.name = made.name};
    try {
      const BenchCall call(
          c, Device::kCuda, engine_.memory(),
          [this](Storage& storage, DType dtype, int) { fill(engine_, storage, dtype); });
      const Traffic traffic = traffic_of(call, engine_);
      row.predicted = least_nanoseconds(traffic, copy_bytes_per_second_);
      row.bytes = traffic.memory_bytes;
      row.path = name(traffic.path);
      engine_.synchronize();  // LibTorch uses another stream than ours
      measure_call(call, row);
    } catch (const std::bad_alloc&) {
      report_.notes.push_back("left out, because the memory ran out: " + made.name);
      return;
    }
    report_.rows.push_back(std::move(row));
  }

 private:
  void measure_copies() {
    Storage from(kCopyBytes, engine_.memory());
    Storage to(kCopyBytes, engine_.memory());
    Side copy{ours_timer_, [&] { engine_.copy(from.data(), to.data(), kCopyBytes); }};
    Row row{.name = "copy of 2^28 float32", .bytes = 2.0 * kCopyBytes, .path = "cudaMemcpyAsync"};
    measure(copy, nullptr, row);
    copy_bytes_per_second_ = row.bytes / row.ours * 1e9;
    row.predicted = row.ours;
    report_.rows.push_back(row);
  }

  void measure_call(const BenchCall& call, Row& row) {
    Side ours{ours_timer_, [&] {
                if (!call_op(call.op(), call.call(), engine_).ok()) throw std::bad_alloc();
              }};
    std::optional<LibTorchPeer> peer;
    if (libtorch_) peer.emplace(call);
    const bool has_peer = peer && peer->missing().empty();
    try {
      Side theirs{peer_timer_, [&] { peer->run(); }};
      measure(ours, has_peer ? &theirs : nullptr, row);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {  // LibTorch refuses, or its memory ran out
      const std::string text = error.what();
      report_.notes.push_back("no peer for " + row.name + ": " + text.substr(0, text.find('\n')));
      row.peer = kNotMeasured;
    }
  }

  Report& report_;
  CudaEngine engine_;
  CudaTimer ours_timer_{engine_.stream()};
  CudaTimer peer_timer_{nullptr};
  std::unique_ptr<LibTorchSubject> libtorch_;
  double copy_bytes_per_second_ = 0;
};

}  // namespace

Report gpu_report(std::string_view filter) {
  std::vector<GpuCase> cases;
  for (const int exponent : gpu_sizes())
    for (GpuCase& made : gpu_cases(exponent, filter)) cases.push_back(std::move(made));
  Report report;
  if (cases.empty()) return report;
  GpuBench bench(report);
  for (const GpuCase& made : cases) bench.add(made);
  return report;
}

}  // namespace upcast::bench
