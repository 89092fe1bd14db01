// One function calls every op: the dispatcher's boxed call, by schema.
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
  /// Never throws: missing() tells what LibTorch lacks.
  BoxedCall(const Op& op, int overload, Form form);
  ~BoxedCall();

  /// Why LibTorch cannot be asked ("no such op: LibTorch has no aten::foo.Tensor"), or "".
  const std::string& missing() const { return missing_; }

  /// Calls LibTorch with the operands of `c`. Whatever LibTorch throws comes out; `c` has the op,
  /// overload and form of this call.
  void answer(const Case& c, TensorBridge& bridge, Answer& answer);

  /// The call alone: what it returns is dropped. For benchmarks.
  void run(const Case& c, TensorBridge& bridge);

  /// The storages of the operands as the last call, of `c`, left them.
  Storages storages(const Case& c, TensorBridge& bridge) const;

  /// The dispatcher's own text of the schema; "" where it has none.
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
