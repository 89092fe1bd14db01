#include "oracle/plugin/plugin_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "cases/operands.h"
#include "impl/tensor/for_each_offset.h"
#include "impl/tensor/memory_format.h"
#include "oracle/plugin/dlpack_dtype.h"

namespace upcast {
namespace {

void set_number(const Number& number, UpcastArgument& argument) {
  argument.dtype = to_dlpack(number.dtype());
  number.visit([&argument](auto value) {
    using T = decltype(value);
    if constexpr (std::is_same_v<T, bool>) {
      argument.number.b = value;
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      argument.number.i = value;
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      argument.number.u = value;
    } else if constexpr (std::is_same_v<T, double>) {
      argument.number.f[0] = value;
    } else {
      argument.number.f[0] = value.re;
      argument.number.f[1] = value.im;
    }
  });
}

void make_absent(const char* name, UpcastArgument& argument) {
  argument = {};
  argument.size = sizeof argument;
  argument.name = name;
}

/// By Operand::Tag.
constexpr UpcastKind kKinds[]{UPCAST_ABSENT, UPCAST_TENSOR,    UPCAST_NUMBER, UPCAST_DTYPE,
                              UPCAST_TEXT,   UPCAST_UNDEFINED, UPCAST_NONE};

bool fills_its_storage(const Tensor& tensor) {
  return is_contiguous(tensor.sizes, tensor.strides) &&
         static_cast<std::size_t>(numel(tensor.sizes) * itemsize(tensor.dtype)) ==
             tensor.storage->size();
}

}  // namespace

/// An overload in one form, as an UpcastOp, with the texts to which that points.
struct PluginCall::CallableOp {
  const Schema* of = nullptr;
  UpcastOp op{};
  std::string name, overload, callable, schema;
  std::vector<std::string> parameters;
  int written = kNone;  // position of the argument that an in-place form writes

  static constexpr int kNone = -1;
};

/// What the call holds for one argument: a parameter, out, or the second out.
struct PluginCall::Slot {
  UpcastArgument argument{};
  DLTensor view{};
  const Tensor* tensor = nullptr;  // the argument's tensor; null if it is no tensor
  std::string text;
  bool written = false;
  std::size_t snapshot = 0;     // where the bytes of the argument's storage begin in snapshot_
  const Slot* owner = nullptr;  // the first slot with the same storage, perhaps this one
};

PluginCall::PluginCall(Device device) : device_(device), call_(device) {
  made_.size = sizeof made_;
}

PluginCall::~PluginCall() = default;

const PluginCall::CallableOp& PluginCall::find(const Case& c) {
  // Static, because a plug-in may keep an op's id as long as the process lives, and so longer than
  // this object.
  static std::map<std::pair<const Schema*, Form>, std::unique_ptr<CallableOp>> ops;
  std::unique_ptr<CallableOp>& known = ops[{&c.schema(), c.form}];
  if (known) return *known;
  known = std::make_unique<CallableOp>();
  CallableOp& made = *known;
  const Schema& schema = c.schema();
  made.of = &schema;
  made.name = schema.name;
  made.overload = schema.overload;
  made.callable = c.callable();
  made.schema = schema.text;
  for (const Parameter& parameter : schema.parameters) made.parameters.emplace_back(parameter.name);
  if (c.form == Form::kInPlace) made.written = written_position(c);
  made.op = {.size = sizeof made.op,
             .id = static_cast<std::uint32_t>(ops.size() - 1),
             .form = static_cast<std::uint32_t>(c.form),
             .name = made.name.c_str(),
             .overload = made.overload.c_str(),
             .callable = made.callable.c_str(),
             .schema = made.schema.c_str()};
  return made;
}

void PluginCall::fill(Slot& slot, const Operand& operand, const Tensor& tensor,
                      const Number& number) {
  UpcastArgument& argument = slot.argument;
  make_absent(argument.name, argument);
  argument.kind = kKinds[static_cast<int>(operand.tag)];
  slot.tensor = nullptr;
  switch (operand.tag) {
    case Operand::Tag::kTensor:
      slot.tensor = &tensor;
      // DLPack has no const pointers. The plug-in must not write to shape and strides.
      slot.view = {.data = tensor.device == Device::kMeta ? nullptr : tensor.storage->data(),
                   .device = {kDLCPU, 0},
                   .ndim = static_cast<int>(tensor.sizes.size()),
                   .dtype = to_dlpack(tensor.dtype),
                   .shape = const_cast<std::int64_t*>(tensor.sizes.data()),
                   .strides = const_cast<std::int64_t*>(tensor.strides.data()),
                   .byte_offset = static_cast<std::uint64_t>(tensor.offset) *
                                  static_cast<std::uint64_t>(itemsize(tensor.dtype))};
      argument.dtype = slot.view.dtype;
      argument.tensor = &slot.view;
      argument.storage_size = tensor.storage->size();
      if (!slot.written) argument.flags |= UPCAST_READ_ONLY;
      break;
    case Operand::Tag::kNumber:
      set_number(number, argument);
      break;
    case Operand::Tag::kDType:
      argument.dtype = to_dlpack(operand.dtype);
      break;
    case Operand::Tag::kText:
      slot.text = operand.text;
      argument.text = slot.text.c_str();
      break;
    case Operand::Tag::kUndefined:
    case Operand::Tag::kAbsent:
    case Operand::Tag::kNone:
      break;
  }
}

const UpcastCall& PluginCall::make(const Case& c) {
  if (op_ == nullptr || op_->of != &c.schema() ||
      op_->op.form != static_cast<std::uint32_t>(c.form))
    op_ = &find(c);
  const Call& call = call_.make(c, kPyTorchRules, &memory_);
  const std::size_t count = c.arguments.size();
  slots_.resize(count + 2);
  arguments_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    Slot& slot = slots_[i];
    slot.written = static_cast<int>(i) == op_->written;
    slot.argument.name = op_->parameters[i].c_str();
    fill(slot, c.arguments[i], call.arguments[i].tensor, call.arguments[i].number);
    if (slot.argument.kind == UPCAST_NUMBER && is_tensor(c.schema().parameters[i]))
      slot.argument.flags |= UPCAST_WRAPPED;
    arguments_[i] = &slot.argument;
  }
  const auto fill_out = [this](Slot& slot, const char* name, const Operand& operand,
                               const Tensor* tensor) {
    slot.tensor = nullptr;
    slot.written = true;
    if (tensor == nullptr) return static_cast<const UpcastArgument*>(nullptr);
    slot.argument.name = name;
    fill(slot, operand, *tensor, Number());
    return static_cast<const UpcastArgument*>(&slot.argument);
  };
  made_.argument_count = static_cast<std::uint32_t>(count);
  made_.op = &op_->op;
  made_.arguments = arguments_.data();
  made_.out = fill_out(slots_[count], "out", c.out, call.out);
  made_.second_out = fill_out(slots_[count + 1], "second_out", c.second_out, call.second_out);
  made_.default_dtype = to_dlpack(c.defaults.floating);
  take_snapshot();
  return made_;
}

void PluginCall::take_snapshot() {
  snapshot_.clear();
  for (Slot& slot : slots_) {
    slot.owner = nullptr;
    if (slot.tensor == nullptr) continue;
    const Storage* storage = slot.tensor->storage.get();
    for (const Slot& earlier : slots_) {
      if (&earlier == &slot) break;
      if (earlier.tensor != nullptr && earlier.tensor->storage.get() == storage)
        slot.owner = earlier.owner;
    }
    if (slot.owner != nullptr) continue;
    slot.owner = &slot;
    slot.snapshot = snapshot_.size();
    snapshot_.insert(snapshot_.end(), storage->data(), storage->data() + storage->size());
  }
}

std::string PluginCall::damage(bool resized) const {
  std::vector<std::byte> expected;
  for (const Slot& slot : slots_) {
    if (slot.owner != &slot || &slot.tensor->storage->memory() != &memory_) continue;
    const Storage& storage = *slot.tensor->storage;
    switch (GuardedMemory::damage_around(storage.data(), storage.size())) {
      case GuardedMemory::Damage::kBefore:
        return fmt::format("it wrote before the storage of '{}'", slot.argument.name);
      case GuardedMemory::Damage::kAfter:
        return fmt::format("it wrote after the storage of '{}'", slot.argument.name);
      case GuardedMemory::Damage::kNone:
        break;
    }
    const std::byte* before = snapshot_.data() + slot.snapshot;
    if (storage.size() == 0 || std::memcmp(before, storage.data(), storage.size()) == 0) continue;
    if (slot.written && fills_its_storage(*slot.tensor)) continue;
    // In the storage of an output, only the output's own bytes may have changed.
    expected.assign(before, before + storage.size());
    bool writes = false;
    for (const Slot& writer : slots_) {
      if (!writer.written || writer.owner != &slot) continue;
      writes = true;
      const Tensor& tensor = *writer.tensor;
      const auto size = static_cast<std::size_t>(itemsize(tensor.dtype));
      for_each_offset(tensor.sizes, tensor.strides, [&](std::int64_t, std::int64_t at) {
        const std::size_t byte = static_cast<std::size_t>(tensor.offset + at) * size;
        std::memcpy(expected.data() + byte, storage.data() + byte, size);
      });
    }
    if (!writes)
      return fmt::format("it wrote into '{}', which the call only reads", slot.argument.name);
    if (!resized && std::memcmp(expected.data(), storage.data(), storage.size()) != 0)
      return fmt::format("it wrote between the elements of '{}'", slot.argument.name);
  }
  return "";
}

const DLTensor* PluginCall::written(int output) const {
  for (const Slot& slot : slots_)
    if (slot.written && slot.tensor != nullptr && output-- == 0) return &slot.view;
  return nullptr;
}

std::string_view PluginCall::argument_at(const void* address) const {
  const auto* byte = static_cast<const std::byte*>(address);
  for (const Slot& slot : slots_) {
    if (slot.owner != &slot) continue;
    const Storage& storage = *slot.tensor->storage;
    if (byte >= storage.data() && byte < storage.data() + storage.size()) return slot.argument.name;
  }
  return "";
}

}  // namespace upcast
