// Makes a call of a plug-in from a Case.
#pragma once

#include <string>
#include <vector>

#include "oracle/case_call.h"
#include "oracle/plugin/guarded_memory.h"
#include "oracle/plugin/plugin.h"

namespace upcast {

/// Holds what an UpcastCall points to. Reused from case to case.
class PluginCall {
 public:
  /// `device`: where the tensors lie. On the meta device they have no data.
  explicit PluginCall(Device device);
  ~PluginCall();

  const UpcastCall& make(const Case& c);  // valid until the next make()

  /// What the last call wrote although it must not, in words; "" if it did not. `resized`: its
  /// output has another shape than the one that it was given.
  std::string damage(bool resized) const;

  /// The tensor that the last call was to write as its first or second output: self in place, or
  /// out. Null where the plug-in makes its own.
  const DLTensor* written(int output) const;
  /// The name of the argument whose storage holds the address; "" if none does.
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
  const CallableOp* op_ = nullptr;  // of the last call
  std::vector<Slot> slots_;         // by parameter, then out and the second out
  std::vector<const UpcastArgument*> arguments_;
  std::vector<std::byte> snapshot_;  // of the storages, before the call
  UpcastCall made_{};
};

}  // namespace upcast
