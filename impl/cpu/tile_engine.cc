#include "impl/cpu/tile_engine.h"

#include <algorithm>

#include "impl/core/cast.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

constexpr std::int64_t kTile = 256;
constexpr int kLargestElement = 16;  // complex128

struct alignas(64) Buffer {
  std::array<std::byte, kTile * kLargestElement> bytes;
};

/// The casts that an element makes between memory and the functor: the common dtype lies between,
/// so that a float64 number beside a float16 tensor is rounded to float16 first.
struct CastChain {
  CastLoop first = nullptr;
  CastLoop second = nullptr;  // null: one cast is enough
  int middle_size = 0;
};

CastChain cast_chain(DType from, DType middle, DType to) {
  if (from == middle || middle == to) return {cast_loop(from, to), nullptr, 0};
  return {cast_loop(from, middle), cast_loop(middle, to), itemsize(middle)};
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

/// What the functor's result is in the compute type and in the common dtype.
std::pair<DType, DType> result_dtypes(FunctorResult result, DType common) {
  switch (result) {
    case FunctorResult::kBool:
      return {DType::kBool, DType::kBool};
    case FunctorResult::kReal:
      return {to_real(compute_dtype(common)), to_real(common)};
    case FunctorResult::kSame:
      break;
  }
  return {compute_dtype(common), common};
}

/// One op over one plan, with its casts chosen.
class TileLoop {
 public:
  TileLoop(const Op& op, const Call& call, DType common, const IteratorPlan<kMaxOperands>& plan)
      : call_(call), common_(common), plan_(plan) {
    const KernelEntry& entry = op.kernels[code(compute_dtype(common))];
    check(entry.kernel != nullptr, "a plan is made only for a common dtype that has a kernel");
    kernel_ = entry.kernel;
    for (int i = 0; i < plan.input_count; ++i) {
      const DType dtype = plan.inputs[i].dtype;
      if (dtype == DType::kUndefined) continue;
      const bool promoted = (op.spec->unpromoted_operands >> i & 1) == 0;
      loads_[i] = cast_chain(dtype, promoted ? common : dtype, compute_dtype(common));
    }
    const auto [computed, rounded] = result_dtypes(entry.result, common);
    store_ = cast_chain(computed, rounded, plan.output.dtype);
    compute_size_ = itemsize(compute_dtype(common));
    result_size_ = itemsize(computed);
  }

  Fault run() {
    const int ndim = static_cast<int>(plan_.sizes.size());
    const std::int64_t inner = ndim == 0 ? 1 : plan_.sizes[ndim - 1];
    if (numel(plan_.sizes) == 0) return fault_;
    Dims index(plan_.sizes.size(), 0);
    while (true) {
      run_row(index, inner);
      int d = ndim - 2;
      for (; d >= 0; --d) {
        if (++index[d] < plan_.sizes[d]) break;
        index[d] = 0;
      }
      if (d < 0) return fault_;
    }
  }

 private:
  static std::byte* row_start(const PlanOperand& operand, const Dims& index) {
    std::byte* data = operand.data;
    for (std::size_t d = 0; d + 1 < index.size(); ++d) data += index[d] * operand.strides[d];
    return data;
  }
  static std::int64_t row_stride(const PlanOperand& operand) {
    return operand.strides.empty() ? 0 : operand.strides.back();
  }

  void run_row(const Dims& index, std::int64_t inner) {
    std::array<const std::byte*, kMaxOperands> pointers{};
    for (int i = 0; i < plan_.input_count; ++i) pointers[i] = buffers_[i].bytes.data();
    for (std::int64_t start = 0; start < inner; start += kTile) {
      const std::int64_t n = std::min(kTile, inner - start);
      for (int i = 0; i < plan_.input_count; ++i) {
        const PlanOperand& input = plan_.inputs[i];
        if (input.dtype == DType::kUndefined) continue;
        const std::int64_t stride = row_stride(input);
        run_chain(loads_[i], row_start(input, index) + start * stride, stride,
                  buffers_[i].bytes.data(), compute_size_, n, scratch_);
      }
      kernel_(result_.bytes.data(), pointers.data(), n, call_, common_, fault_);
      const std::int64_t stride = row_stride(plan_.output);
      run_chain(store_, result_.bytes.data(), result_size_,
                row_start(plan_.output, index) + start * stride, stride, n, scratch_);
    }
  }

  const Call& call_;
  DType common_;
  const IteratorPlan<kMaxOperands>& plan_;
  Kernel kernel_;
  std::array<CastChain, kMaxOperands> loads_{};
  CastChain store_;
  int compute_size_ = 0;
  int result_size_ = 0;
  Fault fault_;
  std::array<Buffer, kMaxOperands> buffers_;
  Buffer result_;
  Buffer scratch_;
};

}  // namespace

Fault run_tiles(const Op& op, const Call& call, DType common,
                const IteratorPlan<kMaxOperands>& plan) {
  return TileLoop(op, call, common, plan).run();
}

}  // namespace upcast
