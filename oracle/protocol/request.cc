#include "oracle/protocol/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cases/notation.h"
#include "cases/operands.h"
#include "oracle/host/versions.h"
#include "oracle/protocol/hello.h"

namespace upcast::protocol {
namespace {

/// Storages of this many bytes or more go into the shared area. Smaller ones are text in the line.
constexpr std::size_t kLarge = 1024;
constexpr std::size_t kAlignment = 64;

void append_hex(std::string& text, std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const std::byte byte : bytes) {
    text += kDigits[static_cast<unsigned>(byte) >> 4];
    text += kDigits[static_cast<unsigned>(byte) & 15];
  }
}

std::string float_text(double value) {
  return fmt::format("\"{:016x}\"", std::bit_cast<std::uint64_t>(value));
}

/// A number as text: the bits of a float, the digits of an integer. Written so, no JSON reader
/// changes it.
std::string number_text(const Number& number) {
  return number.visit([](auto value) {
    using T = decltype(value);
    if constexpr (std::is_same_v<T, bool>)
      return fmt::format(R"({{"number":{{"bool":{}}}}})", value);
    else if constexpr (std::is_same_v<T, double>)
      return fmt::format(R"({{"number":{{"float":{}}}}})", float_text(value));
    else if constexpr (std::is_same_v<T, Complex<double>>)
      return fmt::format(R"({{"number":{{"complex":[{},{}]}}}})", float_text(value.re),
                         float_text(value.im));
    else
      return fmt::format(R"({{"number":{{"int":"{}"}}}})", value);
  });
}

/// Whether the case says on which device an operand lies. If it does not, the side decides.
bool names_device(const Case& c, const Operand& operand) {
  const Operand* owner = &operand;
  while (owner->shares != kOwnStorage) owner = &c.operand(owner->shares);
  return c.device != Device::kCpu || owner->device.has_value();
}

}  // namespace

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string hello_line(const SharedArea* area) {
  std::string line = fmt::format(R"({{"cmd":"hello","proto":{},"upcast":{})", kProtocolVersion,
                                 json_string(upcast_version()));
  if (area != nullptr)
    line += fmt::format(R"(,"shm":{{"path":{},"bytes":{}}})", json_string(area->path()),
                        SharedArea::kBytes);
  return line + "}";
}

std::string configure_line(DType default_dtype) {
  return fmt::format(R"({{"cmd":"configure","default_dtype":"{}"}})", name(default_dtype));
}

void RequestWriter::start(std::int64_t seq) {
  seq_ = seq;
  count_ = 0;
  area_used_ = 0;
  for (std::string* part : {&calls_, &storages_, &operands_, &items_}) part->clear();
  call_indices_.clear();
  storage_indices_.clear();
  operand_indices_.clear();
}

int RequestWriter::call_index(const Case& c) {
  const std::string_view callable = c.callable();
  const int index = static_cast<int>(call_indices_.size());
  const auto [row, is_new] = call_indices_.try_emplace(std::string(callable), index);
  if (!is_new) return row->second;
  if (index > 0) calls_ += ',';
  fmt::format_to(std::back_inserter(calls_), R"({{"op":"{}","callable":"{}","form":"{}"}})",
                 c.op->spec->name, callable, name(c.form));
  return index;
}

char RequestWriter::role_of(const Storage& storage) const {
  const auto found = std::find(written_.begin(), written_.end(), &storage);
  return static_cast<char>(found == written_.end() ? 0 : 1 + (found - written_.begin()));
}

int RequestWriter::storage_index(const Storage& storage) {
  const std::span<const std::byte> bytes(storage.data(), storage.size());
  // The key holds the storage's role, so that a storage which a call writes is not shared with one
  // that has equal bytes.
  std::string key(1, role_of(storage));
  key.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const int index = static_cast<int>(storage_indices_.size());
  const auto [row, is_new] = storage_indices_.try_emplace(std::move(key), index);
  if (!is_new) return row->second;
  if (index > 0) storages_ += ',';
  if (area_ != nullptr && bytes.size() >= kLarge &&
      area_used_ + bytes.size() <= SharedArea::kPart) {
    const std::size_t at = SharedArea::operands_at(seq_) + area_used_;
    std::memcpy(area_->bytes().data() + at, bytes.data(), bytes.size());
    fmt::format_to(std::back_inserter(storages_), R"({{"at":{},"bytes":{}}})", at, bytes.size());
    area_used_ += (bytes.size() + kAlignment - 1) / kAlignment * kAlignment;
  } else {
    storages_ += R"({"hex":")";
    append_hex(storages_, bytes);
    storages_ += "\"}";
  }
  return index;
}

int RequestWriter::add_operand(std::string text) {
  const int next = static_cast<int>(operand_indices_.size());
  const auto [row, is_new] = operand_indices_.try_emplace(std::move(text), next);
  if (is_new) {
    if (next > 0) operands_ += ',';
    operands_ += row->first;
  }
  return row->second;
}

int RequestWriter::tensor_index(const Case& c, const Operand& operand, const Tensor& tensor) {
  std::string text;
  fmt::format_to(std::back_inserter(text),
                 R"({{"tensor":{{"dtype":"{}","shape":[{}],"strides":[{}])", name(tensor.dtype),
                 fmt::join(tensor.sizes, ","), fmt::join(tensor.strides, ","));
  if (tensor.offset != 0)
    fmt::format_to(std::back_inserter(text), R"(,"offset":{})", tensor.offset);
  if (names_device(c, operand))
    fmt::format_to(std::back_inserter(text), R"(,"device":"{}")", name(tensor.device));
  fmt::format_to(std::back_inserter(text), R"(,"storage":{}}}}})", storage_index(*tensor.storage));
  return add_operand(std::move(text));
}

int RequestWriter::operand_index(const Case& c, const Operand& operand, const Tensor& tensor) {
  switch (operand.tag) {
    case Operand::Tag::kTensor:
      return tensor_index(c, operand, tensor);
    case Operand::Tag::kNumber:
      return add_operand(number_text(operand.number));
    case Operand::Tag::kDType:
      return add_operand(fmt::format(R"({{"dtype":"{}"}})", name(operand.dtype)));
    case Operand::Tag::kText:
      return add_operand(fmt::format(R"({{"text":{}}})", json_string(operand.text)));
    case Operand::Tag::kUndefined:
      return add_operand(R"({"undefined":true})");
    case Operand::Tag::kNone:
    case Operand::Tag::kAbsent:
      break;
  }
  return add_operand(R"({"none":true})");
}

void RequestWriter::add_call(const Case& c, int taken, std::size_t before,
                             const std::vector<Tensor>& tensors) {
  std::string& item = items_;
  const auto index_of = [&](int position) {
    if (taken != kOutPosition && position == taken)
      return add_operand(fmt::format(R"({{"result":{}}})", before));
    return operand_index(c, c.arguments[position], tensors[position]);
  };
  std::string named;
  bool by_name = false;  // as in a case line: after the first argument with a name, all have names
  fmt::format_to(std::back_inserter(item), R"("call":{},"args":[)", call_index(c));
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i) {
    const Parameter& parameter = c.schema().parameters[i];
    if (c.arguments[i].tag == Operand::Tag::kAbsent) continue;
    const int index = index_of(i);
    by_name = by_name || !stands_by_position(parameter);
    if (!by_name) {
      fmt::format_to(std::back_inserter(item), "{}{}", item.back() == '[' ? "" : ",", index);
      continue;
    }
    fmt::format_to(std::back_inserter(named), R"({}"{}":{})", named.empty() ? "" : ",",
                   parameter.name, index);
  }
  item += ']';
  if (!named.empty()) fmt::format_to(std::back_inserter(item), R"(,"named":{{{}}})", named);
  if (c.form == Form::kInPlace)
    fmt::format_to(std::back_inserter(item), R"(,"writes":{})", index_of(written_position(c)));
  if (c.form != Form::kOut) return;
  fmt::format_to(std::back_inserter(item), R"(,"out":[{})",
                 operand_index(c, c.out, tensors[c.arguments.size()]));
  if (c.second_out.tag == Operand::Tag::kTensor)
    fmt::format_to(std::back_inserter(item), ",{}",
                   operand_index(c, c.second_out, tensors[c.arguments.size() + 1]));
  item += ']';
}

std::vector<Tensor> RequestWriter::make(const Case& c) {
  maker_.make(c);
  std::vector<Tensor> tensors = maker_.tensors();
  if (c.form == Form::kInPlace) written_.push_back(tensors[written_position(c)].storage.get());
  if (c.form == Form::kOut)
    for (std::size_t i = c.arguments.size(); i < tensors.size(); ++i)
      written_.push_back(tensors[i].storage.get());
  return tensors;
}

void RequestWriter::start_item(std::int64_t id) {
  if (count_++ > 0) items_ += ',';
  fmt::format_to(std::back_inserter(items_), R"({{"id":{},)", id);
}

void RequestWriter::add(const Case& c, std::int64_t id) {
  written_.clear();
  const std::vector<Tensor> tensors = make(c);
  start_item(id);
  add_call(c, kOutPosition, 0, tensors);
  items_ += '}';
}

void RequestWriter::add(const Chain& chain, std::int64_t id) {
  if (chain.size() == 1) return add(chain.front().c, id);
  written_.clear();
  std::vector<std::vector<Tensor>>
      tensors;  // the tensors keep their storages alive until all calls are written
  for (const ChainCall& call : chain) tensors.push_back(make(call.c));
  start_item(id);
  items_ += R"("before":[)";
  for (std::size_t at = 0; at < chain.size(); ++at) {
    const bool is_last = at + 1 == chain.size();
    if (is_last)
      items_ += "],";
    else
      items_ += at > 0 ? ",{" : "{";
    add_call(chain[at].c, taken_position(chain[at]), at - 1, tensors[at]);
    items_ += '}';
  }
}

std::string RequestWriter::finish() {
  std::string line = fmt::format(R"({{"cmd":"run","seq":{})", seq_);
  if (area_ != nullptr)
    line += fmt::format(R"(,"room":{{"at":{},"bytes":{}}})", SharedArea::answers_at(seq_),
                        SharedArea::kPart);
  fmt::format_to(std::back_inserter(line),
                 R"(,"calls":[{}],"storages":[{}],"operands":[{}],"items":[{}]}})", calls_,
                 storages_, operands_, items_);
  return line;
}

}  // namespace upcast::protocol
