#include "impl/cuda/device_engine.h"

namespace upcast {

std::size_t catalogue_index(const Op& op) { return &op - catalogue().data(); }

Fault DeviceEngine::run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) {
  for (const Launch& launch : make_launches(op, call, common, plan, model_, fault()))
    start(op, compute_dtype(common), launch);
  return raised();
}

}  // namespace upcast
