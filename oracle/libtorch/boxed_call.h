// Calls any op by its schema: the dispatcher's boxed call.
#pragma once

#include <memory>
#include <string>

#include "cases/case.h"
#include "oracle/answer.h"
#include "oracle/subject.h"

namespace upcast::libtorch {

class TensorBridge;

/// An overload of an op in one form, found in LibTorch's dispatcher.
class BoxedCall {
 public:
  /// Looks the overload up. Never throws: missing() tells what LibTorch lacks.
  BoxedCall(const Op& op, int overload, Form form);
  ~BoxedCall();

  /// Why LibTorch cannot make the call ("no such op: LibTorch has no aten::foo.Tensor"); "" if it
  /// can.
  const std::string& missing() const { return missing_; }

  /// Calls LibTorch with the operands of `c`, which has the op, overload and form of this call. It
  /// passes on whatever LibTorch throws.
  void answer(const Case& c, TensorBridge& bridge, Answer& answer);

  /// Calls LibTorch, and drops the result. For benchmarks.
  void run(const Case& c, TensorBridge& bridge);

  /// The storages of the operands of `c` after the last call, which must have been that of `c`.
  Storages storages(const Case& c, TensorBridge& bridge) const;

  /// The dispatcher's own text of the schema; "" if it has none.
  std::string registered_schema() const;

 private:
  struct Bound;
  struct Slot;
  void push_arguments(const Case& c, TensorBridge& bridge);
  void call(const Case& c, TensorBridge& bridge);

  std::string missing_;
  std::unique_ptr<Bound> bound_;
};

}  // namespace upcast::libtorch
