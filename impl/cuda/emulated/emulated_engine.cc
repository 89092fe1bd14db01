#include "impl/cuda/emulated/emulated_engine.h"

#include "impl/cuda/emulated/emulated_memory.h"
#include "impl/cuda/emulated/families.h"

namespace upcast {
namespace {

constexpr DeviceModel kAwkwardDevice{.threads = 5, .max_blocks = 3, .max_offset = 4096};

const EmulatedKernelTable& kernels_of(const Op& op) {
  static const std::vector<EmulatedKernelTable> tables = [] {
    std::vector<EmulatedKernelTable> made;
    for (emulated::AddFamily* add : emulated::kFamilies) add(made);
    return made;
  }();
  return tables[catalogue_index(op)];
}

template <class Kernel, class Args>
void run_grid(Kernel kernel, const Launch& launch, const Args& args) {
  for (std::uint32_t block = 0; block < launch.blocks; ++block)
    for (std::uint32_t thread = 0; thread < launch.threads; ++thread)
      kernel({block, thread, launch.blocks, launch.threads}, args);
}

}  // namespace

EmulatedEngine::EmulatedEngine()
    : DeviceEngine(kAwkwardDevice), memory_(std::make_unique<EmulatedMemory>()) {}
EmulatedEngine::~EmulatedEngine() = default;

Memory& EmulatedEngine::memory() { return *memory_; }

Fault* EmulatedEngine::fault() {
  fault_ = {};
  return &fault_;
}

void EmulatedEngine::start(const Op& op, DType computed, const Launch& launch) {
  const DeviceKernels<EmulatedBackend>& kernels = kernels_of(op)[code(computed)];
  if (const auto* const args = std::get_if<ContiguousArgs>(&launch.args))
    run_grid(kernels.contiguous[static_cast<int>(launch.storage)], launch, *args);
  else
    run_grid(kernels.general, launch, std::get<GeneralArgs>(launch.args));
}

}  // namespace upcast
