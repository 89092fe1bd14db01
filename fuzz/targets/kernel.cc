// Fuzz target: one call by the GPU's kernels, which an emulation runs on the host, compared with
// the CPU's kernels.
#include "fuzz/codec.h"
#include "fuzz/targets/side_pair.h"
#include "fuzz/targets/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upcast;
  static fuzz::SidePair target("kernel");
  static Case c;
  fuzz::decode_case({data, size}, c);
  target.sides.examine(c);
  return 0;
}
