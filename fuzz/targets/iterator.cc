// Fuzz target: shape, strides and refusals of one call by our iterator, compared with those of
// LibTorch's meta device.
#include "fuzz/codec.h"
#include "fuzz/targets/side_pair.h"
#include "fuzz/targets/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upcast;
  static fuzz::SidePair target("iterator");
  static Case c;
  fuzz::decode_case({data, size}, c);
  target.sides.examine(c);
  return 0;
}
