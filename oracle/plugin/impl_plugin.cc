// Our own implementation as a plug-in: a reference, and a measure of what the ABI costs.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "impl/cpu/cpu_engine.h"
#include "impl/ops/call_op.h"
#include "oracle/plugin/dlpack_dtype.h"

namespace upcast {
namespace {

constexpr std::size_t kMaxResults = 2;
constexpr std::size_t kMaxStorages = 16;  // how many storages are kept from call to call

/// Memory that belongs to the host and outlives a call, as a Memory of ours.
class BorrowedMemory : public Memory {
 public:
  /// Makes a storage over the host's bytes, without a copy.
  std::shared_ptr<Storage> borrow(void* bytes, std::size_t size) {
    next_ = static_cast<std::byte*>(bytes);
    return std::make_shared<Storage>(size, *this);
  }
  std::byte* allocate(std::size_t) override { return next_; }
  void free(std::byte*, std::size_t) override {}
  void read(const std::byte* from, std::span<std::byte> to) override {
    host_memory().read(from, to);
  }
  void write(std::span<const std::byte> from, std::byte* to) override {
    host_memory().write(from, to);
  }

 private:
  std::byte* next_ = nullptr;
};

/// Our implementation as the functions of a plug-in. It holds what a call needs and what a reply
/// points to, because calls come one at a time.
class ImplPlugin {
 public:
  void answer(const UpcastCall& asked, bool infers, UpcastReply& reply) {
    infers_ = infers;
    if (storages_.size() > kMaxStorages) storages_.clear();
    const FoundOp& found = find(*asked.op);
    if (found.op == nullptr) {
      reply.status = UPCAST_NOT_JUDGED;
      reply.text = "no such op";
      return;
    }
    arguments_.resize(asked.argument_count);
    for (std::uint32_t i = 0; i < asked.argument_count; ++i)
      set_argument(*asked.arguments[i], arguments_[i]);
    Call call{
        .schema = &found.op->schemas[found.overload], .form = found.form, .arguments = arguments_};
    call.defaults.floating = *from_dlpack(asked.default_dtype);
    const std::array<const UpcastArgument*, kMaxResults> outs{asked.out, asked.second_out};
    for (std::size_t i = 0; i < outs.size(); ++i) {
      if (outs[i] == nullptr) continue;
      set_tensor(*outs[i], outs_[i]);
      (i == 0 ? call.out : call.second_out) = &outs_[i];
    }
    const Outcome<CallResult> outcome = call_op(*found.op, call, engine_);
    if (!outcome.ok()) {
      text_ = outcome.rejection().detail;
      reply.status = UPCAST_REFUSED;
      reply.text = text_.c_str();
      reply.rejection = name(outcome.rejection().code).data();
      return;
    }
    reply.status = UPCAST_OK;
    reply.dtype = to_dlpack(outcome.value().dtype);
    if (call.schema->returns == "ScalarType") return;
    results_ = {outcome.value().tensor, outcome.value().second};
    reply.result_count = results_[1].defined() ? 2 : 1;
    reply.results = pointers_.data();
    for (std::size_t i = 0; i < reply.result_count; ++i) view(results_[i], views_[i]);
  }

 private:
  const FoundOp& find(const UpcastOp& op) {
    if (op.id >= ops_.size()) ops_.resize(op.id + 1);
    if (!ops_[op.id]) ops_[op.id] = std::make_unique<FoundOp>(find_callable(op.callable));
    return *ops_[op.id];
  }

  /// The storage of an argument. Arguments that share storage get the same one. The host uses small
  /// storages again in later calls, so they are kept.
  std::shared_ptr<Storage> storage_of(const UpcastArgument& argument) {
    if (infers_) return std::make_shared<Storage>(0);
    for (const std::shared_ptr<Storage>& known : storages_)
      if (known->data() == argument.tensor->data && known->size() == argument.storage_size)
        return known;
    return storages_.emplace_back(memory_.borrow(argument.tensor->data, argument.storage_size));
  }

  /// Sets a tensor in place, so that its vectors need not allocate again.
  void set_tensor(const UpcastArgument& argument, Tensor& tensor) {
    const DLTensor& given = *argument.tensor;
    tensor.dtype = *from_dlpack(given.dtype);
    tensor.sizes.assign(given.shape, given.shape + given.ndim);
    tensor.strides.assign(given.strides, given.strides + given.ndim);
    tensor.offset = static_cast<std::int64_t>(given.byte_offset) / itemsize(tensor.dtype);
    tensor.device = infers_ ? Device::kMeta : Device::kCpu;
    tensor.storage = storage_of(argument);
  }

  static void clear(Argument& argument) {
    argument.tag = Argument::Tag::kAbsent;
    argument.tensor.dtype = DType::kUndefined;
    argument.tensor.sizes.clear();
    argument.tensor.strides.clear();
    argument.tensor.offset = 0;
    argument.tensor.storage.reset();
    argument.number = Number{};
    argument.dtype = DType::kUndefined;
    argument.text = {};
  }

  void set_argument(const UpcastArgument& given, Argument& argument) {
    clear(argument);
    switch (given.kind) {
      case UPCAST_TENSOR:
        argument.tag = Argument::Tag::kTensor;
        set_tensor(given, argument.tensor);
        break;
      case UPCAST_NUMBER:
        argument.tag = Argument::Tag::kNumber;
        argument.number = number_of(given);
        break;
      case UPCAST_DTYPE:
        argument.tag = Argument::Tag::kDType;
        argument.dtype = *from_dlpack(given.dtype);
        break;
      case UPCAST_TEXT:
        argument.tag = Argument::Tag::kText;
        argument.text = given.text;
        break;
      default:
        break;
    }
  }

  static Number number_of(const UpcastArgument& given) {
    switch (*from_dlpack(given.dtype)) {
      case DType::kBool:
        return given.number.b != 0;
      case DType::kUInt64:
        return given.number.u;
      case DType::kFloat64:
        return given.number.f[0];
      case DType::kComplex128:
        return Complex<double>{given.number.f[0], given.number.f[1]};
      default:
        return given.number.i;
    }
  }

  void view(Tensor& tensor, DLTensor& view) const {
    view = {.data = infers_ ? nullptr : tensor.storage->data(),
            .device = {kDLCPU, 0},
            .ndim = static_cast<int>(tensor.sizes.size()),
            .dtype = to_dlpack(tensor.dtype),
            .shape = tensor.sizes.data(),
            .strides = tensor.strides.data(),
            .byte_offset = static_cast<std::uint64_t>(tensor.offset * itemsize(tensor.dtype))};
  }

  CpuEngine engine_;
  bool infers_ = false;
  std::vector<std::unique_ptr<FoundOp>> ops_;  // by id
  BorrowedMemory memory_;
  std::vector<std::shared_ptr<Storage>> storages_;  // kept storages of the host's tensors
  std::vector<Argument> arguments_;
  std::array<Tensor, kMaxResults> outs_;
  std::array<Tensor, kMaxResults> results_;
  std::array<DLTensor, kMaxResults> views_{};
  std::array<const DLTensor*, kMaxResults> pointers_{&views_[0], &views_[1]};
  std::string text_;
};

ImplPlugin& plugin() {
  static ImplPlugin made;
  return made;
}

}  // namespace
}  // namespace upcast

const UpcastPlugin* upcast_plugin(uint32_t host_abi) {
  static const UpcastPlugin functions{
      .size = sizeof(UpcastPlugin),
      .abi = UPCAST_PLUGIN_ABI,
      .describe =
          [] { return R"({"name": "upcast impl:cpu", "version": ")" UPCAST_VERSION R"("})"; },
      .run = [](const UpcastCall* call,
                UpcastReply* reply) { upcast::plugin().answer(*call, false, *reply); },
      .release = nullptr,
      .infer = [](const UpcastCall* call,
                  UpcastReply* reply) { upcast::plugin().answer(*call, true, *reply); },
      .supports = nullptr,
      .configure = nullptr};
  return host_abi == UPCAST_PLUGIN_ABI ? &functions : nullptr;
}
