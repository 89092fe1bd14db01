#include "impl/cuda/make_launches.h"

#include <algorithm>

#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "impl/iterator/split_32bit.h"
#include "impl/ops/result_dtypes.h"

namespace upcast {
namespace {

/// Whether an operand's elements are all at one address.
bool is_repeated(const IteratorPlan& plan, const PlanOperand& operand) {
  for (std::size_t d = 0; d < plan.sizes.size(); ++d)
    if (plan.sizes[d] > 1 && operand.strides[d] != 0) return false;
  return true;
}

bool is_dense(const IteratorPlan& plan, const PlanOperand& operand) {
  return plan.sizes.size() == 1 && operand.strides[0] == itemsize(operand.dtype);
}

/// Whether elements of an output share memory. They are then visited one by one, and each sees what
/// the last one wrote.
bool writes_repeatedly(const IteratorPlan& plan) {
  for (int i = 0; i < plan.output_count; ++i)
    for (std::size_t d = 0; d < plan.sizes.size(); ++d)
      if (plan.sizes[d] > 1 && plan.outputs[i].strides[d] == 0) return true;
  return false;
}

/// The value of an operand's element on the host; zero for an operand that the call leaves out.
KernelConstant constant_of(const PlanOperand& operand, DType computed) {
  KernelConstant constant;
  if (operand.dtype == DType::kUndefined) return constant;
  std::array<std::byte, 16> rounded;
  cast_elements(operand.dtype, operand.data, operand.through, rounded.data(), 1);
  cast_elements(operand.through, rounded.data(), computed, constant.bytes.data(), 1);
  return constant;
}

/// Makes the launches of one call, from its plan and the device's limits.
class LaunchMaker {
 public:
  LaunchMaker(const Op& op, const Call& call, DType common, const DeviceModel& model, Fault* fault)
      : op_(op),
        common_(common),
        computed_(compute_dtype(common)),
        entry_(op.kernels[code(computed_)]),
        model_(model),
        fault_(fault) {
    check(bool(entry_), "a plan is made only for a common dtype that has a kernel");
    if (entry_.make_params != nullptr) entry_.make_params(params_, call, common);
  }

  /// The launch for a plan whose offsets are within the device model's limit.
  Launch make(const IteratorPlan& plan) const {
    Launch launch;
    if (!make_contiguous(plan, launch)) make_general(plan, launch);
    return launch;
  }

 private:
  Access access(const IteratorPlan& plan, const PlanOperand& input) const {
    if (input.dtype == DType::kUndefined || input.on_host) {
      check(input.dtype == DType::kUndefined || is_repeated(plan, input),
            "a tensor on the host has one element if another operand is on a device");
      return Access::kConstant;
    }
    return is_repeated(plan, input) ? Access::kRepeated : Access::kEach;
  }

  std::uint32_t blocks_for(std::uint32_t threads) const {
    return std::clamp((threads + model_.threads - 1) / model_.threads, 1U, model_.max_blocks);
  }

  /// An operand's first element: its address, its size, and the alignment that a vector needs.
  /// aligned_head() returns how many elements come before one that is aligned for every operand;
  /// `width` if there is none.
  struct Aligned {
    const std::byte* address;
    std::uint32_t itemsize, alignment;
  };
  static std::uint32_t aligned_head(std::span<const Aligned> operands, std::uint32_t width) {
    for (std::uint32_t head = 0; head < width; ++head)
      if (std::all_of(operands.begin(), operands.end(), [&](const Aligned& each) {
            return (reinterpret_cast<std::uintptr_t>(each.address) + head * each.itemsize) %
                       each.alignment ==
                   0;
          }))
        return head;
    return width;
  }

  bool make_contiguous(const IteratorPlan& plan, Launch& launch) const {
    const DType result = result_dtypes(entry_.result, common_, 0).rounded;
    if (plan.output_count != 1 || plan.outputs[0].dtype != result ||
        !is_dense(plan, plan.outputs[0]))
      return false;
    if (common_ == computed_)
      launch.storage = StorageKind::kComputeDType;
    else if (common_ == DType::kFloat16)
      launch.storage = StorageKind::kFloat16;
    else if (common_ == DType::kBFloat16)
      launch.storage = StorageKind::kBFloat16;
    else
      return false;

    const auto size = static_cast<std::uint32_t>(itemsize(common_));
    const auto result_size = static_cast<std::uint32_t>(itemsize(result));
    const std::uint32_t width = model_.vector_bytes / size;
    ContiguousArgs args{.params = params_, .fault = fault_};
    std::array<Aligned, kMaxOutputs + kMaxInputs> operands;
    std::size_t count = 0;
    operands[count++] = {plan.outputs[0].data, result_size, width * result_size};
    for (int i = 0; i < plan.input_count; ++i) {
      const PlanOperand& input = plan.inputs[i];
      args.access[i] = access(plan, input);
      if (args.access[i] == Access::kConstant) {
        args.constants[i] = constant_of(input, computed_);
        continue;
      }
      if (input.dtype != common_) return false;
      args.inputs[i] = input.data;
      if (args.access[i] == Access::kRepeated) continue;
      if (!is_dense(plan, input)) return false;
      operands[count++] = {input.data, size, model_.vector_bytes};
    }
    const auto elements = static_cast<std::uint32_t>(plan.sizes[0]);
    const std::uint32_t head = aligned_head(std::span(operands).first(count), width);
    if (head == width) return false;
    args.elements = {.elements = elements, .head = std::min(head, elements), .width = width};
    args.elements.vectors = (elements - args.elements.head) / width;
    args.output = plan.outputs[0].data;
    launch.threads = model_.threads;
    launch.blocks = blocks_for(std::max(args.elements.vectors, args.elements.singles()));
    launch.args = args;
    return true;
  }

  void make_general(const IteratorPlan& plan, Launch& launch) const {
    GeneralArgs args{.params = params_, .fault = fault_};
    bool dense = plan.sizes.size() <= 1;
    std::array<Aligned, kMaxOutputs + kMaxInputs> operands;
    std::size_t count = 0;
    const auto add = [&](const PlanOperand& operand) {
      const auto size = static_cast<std::uint32_t>(itemsize(operand.dtype));
      operands[count++] = {operand.data, size, std::min(16U, size * kGroup)};
      dense = dense && is_dense(plan, operand);
    };
    for (int i = 0; i < plan.output_count; ++i) {
      const auto [computed, rounded] = result_dtypes(entry_.result, common_, i);
      args.outputs[i] = kernel_operand(plan.outputs[i], rounded, computed);
      add(plan.outputs[i]);
    }
    for (int i = 0; i < plan.input_count; ++i) {
      const Access way = access(plan, plan.inputs[i]);
      if (way == Access::kConstant) {
        args.constants[i] = constant_of(plan.inputs[i], computed_);
      } else {
        args.inputs[i] = kernel_operand(plan.inputs[i], plan.inputs[i].through, computed_);
        if (way == Access::kEach) add(plan.inputs[i]);
      }
      args.inputs[i].access = way;
    }
    set_offsets(plan, args.offsets);
    const auto elements = static_cast<std::uint32_t>(numel(plan.sizes));
    args.groups.elements = elements;
    launch.threads = model_.threads;
    if (writes_repeatedly(plan)) {
      args.groups.singles_per_group = 1;
      launch.threads = launch.blocks = 1;
      launch.args = args;
      return;
    }
    const std::uint32_t head = aligned_head(std::span(operands).first(count), kGroup);
    if (dense && head < kGroup && head < elements) {
      args.groups.head = head;
      args.groups.vectors = (elements - head) / kGroup;
    }
    launch.blocks = blocks_for(args.groups.count());
    launch.args = args;
  }

  /// The operand as a kernel reads it. For a real compute type, a complex128 operand is read as its
  /// real part only; as an output it gets 0 as imaginary part.
  KernelOperand kernel_operand(const PlanOperand& operand, DType rounded, DType computed) const {
    const bool one_part = operand.dtype == DType::kComplex128 && !is_complex(computed);
    const bool rounds = rounded != computed && rounded != operand.dtype;
    return {.data = operand.data,
            .dtype = one_part ? DType::kFloat64 : operand.dtype,
            .through = rounds ? rounded : DType::kUndefined,
            .itemsize = static_cast<std::uint8_t>(itemsize(operand.dtype))};
  }

  static void set_offsets(const IteratorPlan& plan, OffsetCalculator& offsets) {
    offsets.dims = static_cast<int>(plan.sizes.size());
    for (int d = 0; d < offsets.dims; ++d) {
      const std::size_t from = plan.sizes.size() - 1 - d;
      offsets.sizes[d] = FastDivision(static_cast<std::uint32_t>(plan.sizes[from]));
      for (int i = 0; i < plan.output_count; ++i)
        offsets.strides[d][i] = static_cast<std::uint32_t>(plan.outputs[i].strides[from]);
      for (int i = 0; i < plan.input_count; ++i)
        if (plan.inputs[i].dtype != DType::kUndefined)
          offsets.strides[d][plan.output_count + i] =
              static_cast<std::uint32_t>(plan.inputs[i].strides[from]);
    }
  }

  const Op& op_;
  DType common_, computed_;
  const KernelEntry& entry_;
  const DeviceModel& model_;
  Fault* fault_;
  KernelParams params_{};
};

}  // namespace

std::vector<Launch> make_launches(const Op& op, const Call& call, DType common,
                                  const IteratorPlan& plan, const DeviceModel& model,
                                  Fault* fault) {
  std::vector<Launch> launches;
  if (numel(plan.sizes) == 0) return launches;
  const LaunchMaker maker(op, call, common, model, fault);
  // If an output's elements share memory, the order of writes decides its value. Such a plan is
  // split only where LibTorch splits it, at 32-bit offsets.
  const std::int64_t limit = writes_repeatedly(plan) ? kMax32Bit : model.max_offset;
  for (const IteratorPlan& piece : split_32bit(plan, limit)) launches.push_back(maker.make(piece));
  return launches;
}

}  // namespace upcast
