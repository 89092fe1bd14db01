#include "impl/cpu/cpu_engine.h"

#include <algorithm>
#include <atomic>

#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "impl/cpu/parallel_for.h"
#include "impl/cpu/walk.h"
#include "impl/ops/result_dtypes.h"

namespace upcast {
namespace {

constexpr std::int64_t kTileBytes = 4096;
constexpr std::int64_t kGrain = 1 << 16;  // elements that are worth a thread

/// Uninitialised.
struct alignas(64) Buffer {
  Buffer() {}
  std::array<std::byte, kTileBytes> bytes;
};

/// The casts that an element makes between memory and the functor: the common dtype lies between,
/// so that a float64 number beside a float16 tensor is rounded to float16 first.
struct CastChain {
  CastLoop first = nullptr;
  CastLoop second = nullptr;  // null: one cast is enough
  int middle_size = 0;
  bool in_place = false;  // nothing to convert
};

CastChain cast_chain(DType from, DType middle, DType to, Capability capability) {
  const bool same = from == to && from == middle && !is_bool(from);  // bools are normalised
  if (from == middle || middle == to) return {cast_loop(from, to, capability), nullptr, 0, same};
  return {cast_loop(from, middle, capability), cast_loop(middle, to, capability), itemsize(middle),
          false};
}

void run_chain(const CastChain& chain, const std::byte* source, std::int64_t source_stride,
               std::byte* destination, std::int64_t destination_stride, std::int64_t n,
               Buffer& middle) {
  if (chain.second == nullptr) {
    chain.first(source, source_stride, destination, destination_stride, n);
    return;
  }
  chain.first(source, source_stride, middle.bytes.data(), chain.middle_size, n);
  chain.second(middle.bytes.data(), chain.middle_size, destination, destination_stride, n);
}

/// A kernel and its casts, chosen for a plan; shared by the threads.
struct TileProgram {
  const IteratorPlan& plan;
  Kernel kernel = nullptr;
  KernelParams params;
  std::array<CastChain, kMaxInputs> loads{};
  std::array<CastChain, kMaxOutputs> stores{};
  std::array<int, kMaxOutputs> result_sizes{};
  std::array<bool, kMaxInputs> repeated{};  // one element for all
  int compute_size = 0;
  std::int64_t tile = 0;

  TileProgram(const Op& op, const Call& call, DType common, const IteratorPlan& loops,
              Capability capability)
      : plan(loops), compute_size(itemsize(compute_dtype(common))) {
    const KernelEntry& entry = op.kernels[code(compute_dtype(common))];
    check(bool(entry), "a plan is made only for a common dtype that has a kernel");
    kernel = entry.kernels[static_cast<int>(capability)];
    if (entry.make_params != nullptr) entry.make_params(params, call, common);
    int largest = compute_size;
    for (int i = 0; i < plan.input_count; ++i) {
      const PlanOperand& input = plan.inputs[i];
      if (input.dtype == DType::kUndefined) continue;
      const bool promoted = (op.spec->unpromoted_operands >> i & 1) == 0;
      const DType middle = promoted ? common : input.dtype;
      loads[i] = cast_chain(input.dtype, middle, compute_dtype(common), capability);
      largest = std::max(largest, itemsize(middle));
      repeated[i] = std::all_of(input.strides.begin(), input.strides.end(),
                                [](std::int64_t stride) { return stride == 0; });
    }
    for (int i = 0; i < plan.output_count; ++i) {
      const auto [computed, rounded] = result_dtypes(entry.result, common, i);
      stores[i] = cast_chain(computed, rounded, plan.outputs[i].dtype, capability);
      // a functor's bool is 0 or 1 already
      stores[i].in_place = computed == rounded && rounded == plan.outputs[i].dtype;
      result_sizes[i] = itemsize(computed);
      largest = std::max(largest, result_sizes[i]);
    }
    tile = kTileBytes / largest;
    // elements that share memory are visited one by one, each seeing what the last one wrote
    for (int i = 0; i < plan.output_count; ++i)
      for (std::size_t d = 0; d < plan.sizes.size(); ++d)
        if (plan.sizes[d] > 1 && plan.outputs[i].strides[d] == 0) tile = 1;
    if (tile == 1) repeated = {};
  }
};

/// A program's loop over a part of its plan, with buffers of its own.
class TileLoop {
 public:
  TileLoop(const TileProgram& program, std::int64_t begin)
      : program_(program),
        plan_(program.plan),
        in_(plan_.sizes, std::span(plan_.inputs).first(plan_.input_count), begin),
        out_(plan_.sizes, std::span(plan_.outputs).first(plan_.output_count), begin) {
    for (int i = 0; i < plan_.input_count; ++i) {
      inputs_[i] = buffers_[i].bytes.data();
      if (!present(i))  // the functor is handed something all the same: clamp without a bound
        buffers_[i].bytes.fill(std::byte{0});
      else if (program_.repeated[i])  // converted once
        run_chain(program_.loads[i], plan_.inputs[i].data, 0, buffers_[i].bytes.data(),
                  program_.compute_size, program_.tile, scratch_);
    }
  }

  Fault run(std::int64_t n) {
    const bool whole_rows = in_place();
    while (n > 0) {
      // short rows are packed into a tile; a long one is cut into tiles
      const std::int64_t row = in_.left_in_row();
      const std::int64_t longest = whole_rows ? row : program_.tile;
      const std::int64_t step =
          std::min(n, row * 4 >= program_.tile ? std::min(row, longest) : longest);
      if (step <= row)
        run_in_row(step);
      else
        run_packed(step);
      n -= step;
    }
    return fault_;
  }

 private:
  bool present(int input) const { return plan_.inputs[input].dtype != DType::kUndefined; }

  bool reads_in_place(int input) const {
    return program_.loads[input].in_place && in_.stride(input) == program_.compute_size;
  }
  bool writes_in_place(int output) const {
    return program_.stores[output].in_place && out_.stride(output) == program_.result_sizes[output];
  }
  /// No operand needs a buffer.
  bool in_place() const {
    for (int i = 0; i < plan_.input_count; ++i)
      if (!present(i) || program_.repeated[i] || !reads_in_place(i)) return false;
    for (int i = 0; i < plan_.output_count; ++i)
      if (!writes_in_place(i)) return false;
    return true;
  }

  /// n elements of one row.
  void run_in_row(std::int64_t n) {
    for (int i = 0; i < plan_.input_count; ++i) {
      if (!present(i) || program_.repeated[i]) continue;
      if (reads_in_place(i)) {
        inputs_[i] = in_.pointer(i);
        continue;
      }
      inputs_[i] = buffers_[i].bytes.data();
      load(i, 0, n);
    }
    for (int i = 0; i < plan_.output_count; ++i)
      outputs_[i] = writes_in_place(i) ? out_.pointer(i) : results_[i].bytes.data();
    program_.kernel(outputs_.data(), inputs_.data(), n, program_.params, fault_);
    for (int i = 0; i < plan_.output_count; ++i)
      if (!writes_in_place(i)) store(i, 0, n);
    in_.advance(n);
    out_.advance(n);
  }

  /// n elements of several rows.
  void run_packed(std::int64_t n) {
    for (std::int64_t done = 0; done < n;) {
      const std::int64_t part = std::min(n - done, in_.left_in_row());
      for (int i = 0; i < plan_.input_count; ++i)
        if (present(i) && !program_.repeated[i]) load(i, done, part);
      in_.advance(part);
      done += part;
    }
    for (int i = 0; i < plan_.input_count; ++i) inputs_[i] = buffers_[i].bytes.data();
    for (int i = 0; i < plan_.output_count; ++i) outputs_[i] = results_[i].bytes.data();
    program_.kernel(outputs_.data(), inputs_.data(), n, program_.params, fault_);
    for (std::int64_t done = 0; done < n;) {
      const std::int64_t part = std::min(n - done, out_.left_in_row());
      for (int i = 0; i < plan_.output_count; ++i) store(i, done, part);
      out_.advance(part);
      done += part;
    }
  }

  void load(int input, std::int64_t at, std::int64_t n) {
    run_chain(program_.loads[input], in_.pointer(input), in_.stride(input),
              buffers_[input].bytes.data() + at * program_.compute_size, program_.compute_size, n,
              scratch_);
  }
  void store(int output, std::int64_t at, std::int64_t n) {
    const int size = program_.result_sizes[output];
    run_chain(program_.stores[output], results_[output].bytes.data() + at * size, size,
              out_.pointer(output), out_.stride(output), n, scratch_);
  }

  const TileProgram& program_;
  const IteratorPlan& plan_;
  Walk<kMaxInputs> in_;
  Walk<kMaxOutputs> out_;
  std::array<const std::byte*, kMaxInputs> inputs_{};
  std::array<std::byte*, kMaxOutputs> outputs_{};
  Fault fault_;
  std::array<Buffer, kMaxInputs> buffers_;
  std::array<Buffer, kMaxOutputs> results_;
  Buffer scratch_;
};

}  // namespace

Fault CpuEngine::run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) {
  const std::int64_t n = numel(plan.sizes);
  if (n == 0) return {};
  const TileProgram program(op, call, common, plan, settings_.capability);
  std::atomic<bool> zero_division = false;
  const int threads = program.tile == 1 ? 1 : settings_.threads;
  parallel_for(threads, n, kGrain, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    if (TileLoop(program, begin).run(end - begin).zero_division) zero_division = true;
  });
  return Fault{.zero_division = zero_division};
}

}  // namespace upcast
