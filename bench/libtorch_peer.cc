#include "bench/libtorch_peer.h"

#include "bench/tensor_view.h"
#include "oracle/libtorch/boxed_call.h"
#include "oracle/libtorch/tensor_bridge.h"

namespace upcast::bench {
namespace {

/// LibTorch's views of the operands of a BenchCall, over the memory where they lie.
class Views : public libtorch::TensorBridge {
 public:
  explicit Views(const BenchCall& call) : TensorBridge(Device::kCpu) {
    for (std::size_t i = 0; i < call.the_case().arguments.size(); ++i) {
      const Tensor& tensor = call.tensor(static_cast<int>(i));
      const bool on_host = call.device() == Device::kCpu || tensor.on_host();
      const at::Device device = on_host ? at::Device(at::kCPU) : at::Device(at::kCUDA, 0);
      views_.push_back(tensor.defined() ? view_of(tensor, device) : at::Tensor());
    }
  }
  at::Tensor read_operand(const Case&, int position) override { return views_[position]; }

 private:
  std::vector<at::Tensor> views_;
};

}  // namespace

struct LibTorchPeer::State {
  explicit State(const BenchCall& of)
      : call(of), views(of), boxed(of.op(), of.the_case().overload, of.the_case().form) {}

  const BenchCall& call;
  Views views;
  libtorch::BoxedCall boxed;
};

LibTorchPeer::LibTorchPeer(const BenchCall& call) : state_(std::make_unique<State>(call)) {}
LibTorchPeer::~LibTorchPeer() = default;

const std::string& LibTorchPeer::missing() const { return state_->boxed.missing(); }

void LibTorchPeer::run() { state_->boxed.run(state_->call.the_case(), state_->views); }

Answer LibTorchPeer::answer() {
  Answer answer;
  state_->boxed.answer(state_->call.the_case(), state_->views, answer);
  return answer;
}

}  // namespace upcast::bench
