// Makes a call of a plug-in from a Case.
#pragma once

#include <string>
#include <vector>

#include "oracle/case_call.h"
#include "oracle/plugin/guarded_memory.h"
#include "oracle/plugin/plugin.h"

namespace upcast {

/// Makes UpcastCalls, and holds what they point to. It is used again for each case, to save
/// allocations.
class PluginCall {
 public:
  /// `device`: where the tensors lie. Tensors on the meta device have no data.
  explicit PluginCall(Device device);
  ~PluginCall();

  const UpcastCall& make(const Case& c);  // the result is valid until the next make()

  /// Says in words what the last call wrote although it must not; "" if it wrote nothing such.
  /// `resized`: the call gave its output another shape.
  std::string damage(bool resized) const;

  /// The tensor that the last call was to write as its first or second output: self in place, or
  /// out. Null if the plug-in makes its output itself.
  const DLTensor* written(int output) const;
  /// The name of the argument whose storage holds an address; "" if none does.
  std::string_view argument_at(const void* address) const;

 private:
  struct CallableOp;
  struct Slot;

  static const CallableOp& find(const Case& c);
  void fill(Slot& slot, const Operand& operand, const Tensor& tensor, const Number& number);
  void take_snapshot();

  Device device_;
  GuardedMemory memory_;
  CaseCall call_;
  const CallableOp* op_ = nullptr;  // the op of the last call
  // One slot for each parameter, then one for out and one for the second out.
  std::vector<Slot> slots_;
  std::vector<const UpcastArgument*> arguments_;
  // The bytes of all storages before the call, to find what it wrote.
  std::vector<std::byte> snapshot_;
  UpcastCall made_{};
};

}  // namespace upcast
