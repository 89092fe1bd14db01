#include "fuzz/codec.h"

#include <algorithm>
#include <array>

#include "fuzz/byte_stream.h"
#include "fuzz/callable_ids.h"
#include "fuzz/operand_codec.h"
#include "fuzz/shape_codec.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

constexpr std::array kDefaults{DType::kFloat32, DType::kFloat64, DType::kFloat16, DType::kBFloat16};
/// A case read from at most this many bytes surely fits. If it was read from more bytes, its
/// canonical form may be longer than the bytes that were read.
constexpr std::size_t kSurelyFits = 40;

bool has_second_out(const Case& c) { return c.form == Form::kOut && c.op->output_count() > 1; }

void set_callable(const FoundOp& callable, Case& c) {
  c.op = callable.op;
  c.overload = callable.overload;
  c.form = callable.form;
  c.arguments.resize(c.schema().parameters.size());
  for (Operand& argument : c.arguments) argument = Operand();
  c.out = Operand();
  c.second_out = Operand();
}

void read_case(ByteReader& reader, Case& c) {
  reader.next();  // skips the version: there is only one
  set_callable(callable_of(reader.next16()), c);
  const std::uint8_t settings = reader.next();
  c.defaults = Defaults{};
  c.defaults.floating = kDefaults[settings & 3];
  c.values = static_cast<ValueClass>(settings >> 2 & 3);
  c.seed = reader.next16();
  if (c.values == ValueClass::kSmall) c.seed = 0;
  c.device = Device::kCpu;
  c.expectation.reset();
  Dims master;
  read_sizes(reader, reader.next() % (kMaxRank + 1), master);
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i)
    read_operand(reader, {c, i, master});
  if (c.form == Form::kOut) read_operand(reader, {c, kOutPosition, master});
  if (has_second_out(c)) read_operand(reader, {c, kSecondOutPosition, master});
}

/// The shape that the tensors of a case broadcast to. If they do not broadcast, the sizes of the
/// first tensor.
Dims master_of(const Case& c) {
  Dims master;
  const auto add = [&master](const Operand& operand) {
    if (operand.tag != Tag::kTensor) return;
    const Dims& sizes = operand.sizes;
    if (sizes.size() > master.size())
      master.insert(master.begin(), sizes.size() - master.size(), 1);
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      std::int64_t& size = master[master.size() - sizes.size() + d];
      if (size == 1) size = sizes[d];
    }
  };
  for (const Operand& argument : c.arguments) add(argument);
  add(c.out);
  add(c.second_out);
  return master;
}

/// The master shape of a case. If conflicting sizes give it more elements than the format allows,
/// the sizes of the first tensor instead.
Dims fitting_master(const Case& c) {
  Dims master = master_of(c);
  ByteWriter trial;
  if (write_sizes(trial, master)) return master;
  for (const Operand& argument : c.arguments)
    if (argument.tag == Tag::kTensor) return argument.sizes;
  return {};
}

std::optional<std::vector<std::uint8_t>> encode_any_length(const Case& c) {
  const auto id = id_of(c.callable());
  const auto floating = std::find(kDefaults.begin(), kDefaults.end(), c.defaults.floating);
  if (!id || floating == kDefaults.end() || c.device != Device::kCpu || c.expectation) return {};
  if (c.seed > 0xffff || (c.values == ValueClass::kSmall && c.seed != 0)) return {};
  ByteWriter writer;
  writer.put(kCodecVersion);
  writer.put16(*id);
  writer.put(
      static_cast<std::uint8_t>((floating - kDefaults.begin()) | static_cast<int>(c.values) << 2));
  writer.put16(static_cast<std::uint16_t>(c.seed));
  const Dims master = fitting_master(c);
  writer.put(static_cast<std::uint8_t>(master.size()));
  if (!write_sizes(writer, master)) return {};
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i)
    if (!write_operand(writer, c, i, master)) return {};
  if (c.form == Form::kOut && !write_operand(writer, c, kOutPosition, master)) return {};
  if (has_second_out(c) != (c.second_out.tag == Tag::kTensor)) return {};
  if (has_second_out(c) && !write_operand(writer, c, kSecondOutPosition, master)) return {};
  return writer.take();
}

/// Leaves out optional parts of a case until its bytes fit into kMaxCaseBytes.
void make_fit(Case& c) {
  const auto fits = [&c] {
    const auto bytes = encode_any_length(c);
    return bytes && bytes->size() <= kMaxCaseBytes;
  };
  for (int i = static_cast<int>(c.arguments.size()); i-- > 0 && !fits();) {
    const ParameterType type = c.schema().parameters[i].type;
    if (c.arguments[i].tag != Tag::kNumber || type == ParameterType::kBool) continue;
    c.arguments[i].number = type == ParameterType::kInt ? Number(1) : Number(0.5);
  }
  for (int i = static_cast<int>(c.arguments.size()); i-- > 0 && !fits();)
    c.arguments[i].values.clear();
  for (int i = static_cast<int>(c.arguments.size()); i-- > kOutPosition && !fits();) {
    Operand& operand = c.operand(i);
    operand.strides.clear();
    operand.offset = 0;
  }
}

}  // namespace

void decode_case(std::span<const std::uint8_t> bytes, Case& c) {
  ByteReader reader(bytes.first(std::min(bytes.size(), kMaxCaseBytes)));
  read_case(reader, c);
  if (reader.consumed() > kSurelyFits) make_fit(c);
}

std::optional<std::vector<std::uint8_t>> encode_case(const Case& c) {
  auto bytes = encode_any_length(c);
  if (bytes && bytes->size() > kMaxCaseBytes) return {};
  return bytes;
}

}  // namespace upcast::fuzz
