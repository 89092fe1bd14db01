#include "bench/bench_call.h"

#include <cstring>

namespace upcast::bench {

BenchCall::BenchCall(const Case& c, Device device, Memory& memory, const Fill& fill)
    : device_(device), case_(c), holder_(device) {
  call_ = holder_.make(case_, kPyTorchRules, nullptr);
  arguments_.assign(call_.arguments.begin(), call_.arguments.end());
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    Tensor& tensor = arguments_[i].tensor;
    if (!tensor.defined()) continue;
    const std::int64_t elements = tensor.offset + span_of(tensor.sizes, tensor.strides);
    const auto bytes = static_cast<std::size_t>(elements * itemsize(tensor.dtype));
    if (tensor.device == device) {
      tensor.storage = std::make_shared<Storage>(bytes, memory);
      if (fill) fill(*tensor.storage, tensor.dtype, static_cast<int>(i));
    } else {
      tensor.storage = std::make_shared<Storage>(bytes);
      std::memset(tensor.storage->data(), 0, bytes);
    }
  }
  call_.arguments = arguments_;
}

}  // namespace upcast::bench
