// Fuzz target: one call by our implementation, compared with LibTorch, and with ours when it is
// asked in another way (self_consistency.h).
#include <memory>

#include "fuzz/codec.h"
#include "fuzz/self_consistency.h"
#include "fuzz/targets/side_pair.h"
#include "fuzz/targets/target.h"

namespace upcast::fuzz {
namespace {

struct Target : SidePair {
  Target() : SidePair("elementwise") {
    if (subject == "impl:cpu") self = std::make_unique<SelfConsistency>(sides);
  }
  std::unique_ptr<SelfConsistency> self;
  Case c;
};

}  // namespace
}  // namespace upcast::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static upcast::fuzz::Target target;
  upcast::fuzz::decode_case({data, size}, target.c);
  target.sides.examine(target.c);
  if (target.self) target.self->examine(target.c);
  return 0;
}
