#include "cases/selection.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cases/json_text.h"
#include "cases/operands.h"
#include "cases/text_cursor.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

using nlohmann::json;
using Bits = Selection::Bits;

constexpr bool has_bit(Bits bits, std::size_t i) { return (bits >> i & 1) != 0; }

/// The texts "no such form: out" and so on, one for each name. They live as long as the program.
template <std::size_t kCount>
std::array<std::string, kCount> refusals(std::string_view what,
                                         const std::array<std::string_view, kCount>& names) {
  std::array<std::string, kCount> texts;
  for (std::size_t i = 0; i < kCount; ++i) texts[i] = fmt::format("no such {}: {}", what, names[i]);
  return texts;
}

std::string_view no_such_form(std::size_t form) {
  static const auto texts = refusals("form", kFormNames);
  return texts[form];
}
std::string_view no_such_kind(std::size_t kind) {
  static const auto texts = refusals("kind", kKindNames);
  return texts[kind];
}
std::string_view no_such_device(std::size_t device) {
  static const auto texts = refusals("device", kDeviceNames);
  return texts[device];
}
std::string_view no_such_dtype(DType dtype) {
  static const auto texts = [] {
    std::array<std::string_view, kDTypeCount> names;
    for (int code = 0; code < kDTypeCount; ++code) names[code] = name(dtype_from_code(code));
    return refusals("dtype", names);
  }();
  return texts[code(dtype)];
}

/// The kind of an operand in a Tensor slot. Nothing for an operand in another slot.
std::optional<std::size_t> kind_of(const Case& c, int position, const Operand& operand) {
  if (position < 0 || !is_tensor(c.schema().parameters[position])) return std::nullopt;
  if (operand.tag == Operand::Tag::kNumber) return 2;
  if (operand.tag == Operand::Tag::kTensor) return operand.sizes.empty() ? 1 : 0;
  return std::nullopt;
}

std::vector<std::string_view> words_of(Bits bits, std::span<const std::string_view> names) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (has_bit(bits, i)) words.push_back(names[i]);
  return words;
}

Bits bits_of(const json& words, std::span<const std::string_view> names) {
  Bits bits = 0;
  for (const json& word : words)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (word == names[i]) bits |= 1U << i;
  return bits;
}

}  // namespace

DTypeSet Selection::every_dtype() {
  return dtypes_where([](const DTypeInfo&) { return true; });
}

std::string_view Selection::why_not_call(const Case& c) const {
  Bits bits = forms;
  if (ops) {
    const auto found = ops->find(&c.schema());
    if (found == ops->end()) return "no such op";
    bits &= found->second;
  }
  const auto form = static_cast<std::size_t>(c.form);
  return has_bit(bits, form) ? "" : no_such_form(form);
}

bool Selection::has(const Case& c) const { return why_not_call(c).empty(); }

std::string_view Selection::why_not(const Case& c, int position, const Operand& operand) const {
  if (kinds != kAll)
    if (const auto kind = kind_of(c, position, operand); kind && !has_bit(kinds, *kind))
      return no_such_kind(*kind);
  if (operand.tag != Operand::Tag::kTensor && operand.tag != Operand::Tag::kDType) return "";
  if (!dtypes.contains(operand.dtype)) return no_such_dtype(operand.dtype);
  if (operand.tag == Operand::Tag::kDType) return "";
  const auto device = static_cast<std::size_t>(device_of(c, operand));
  return has_bit(devices, device) ? "" : no_such_device(device);
}

std::string_view Selection::why_not(const Case& c) const {
  std::string_view why = why_not_call(c);
  for (int position = 0; why.empty() && position < std::ssize(c.arguments); ++position)
    why = why_not(c, position, c.arguments[position]);
  if (why.empty()) why = why_not(c, kOutPosition, c.out);
  if (why.empty()) why = why_not(c, kSecondOutPosition, c.second_out);
  // The default dtype must be selected too: the result may have it.
  const DType floating = c.defaults.floating;
  if (why.empty() && floating != DType::kFloat32 && !dtypes.contains(floating))
    why = no_such_dtype(floating);
  return why;
}

std::string Selection::text() const {
  json selection = json::object();
  if (ops) {
    selection["ops"] = json::object();
    for (const auto& [schema, its_forms] : *ops)
      selection["ops"][std::string(schema->callable)] = words_of(its_forms, kFormNames);
  }
  if (forms != kAll) selection["forms"] = words_of(forms, kFormNames);
  if (dtypes != every_dtype()) {
    selection["dtypes"] = json::array();
    for (const DType dtype : dtypes.dtypes()) selection["dtypes"].push_back(name(dtype));
  }
  if (kinds != kAll) selection["kinds"] = words_of(kinds, kKindNames);
  if (devices != kAll) selection["devices"] = words_of(devices, kDeviceNames);
  return selection.dump();
}

Selection Selection::parse(std::string_view text) try {
  const json read = read_json(text);
  if (!read.is_object()) throw UsageError("'" + beginning(text) + "' is not a selection of calls");
  Selection selection;
  if (const auto ops = read.find("ops"); ops != read.end()) {
    selection.ops.emplace();
    for (const Op& op : catalogue())
      for (const Schema& schema : op.schemas)
        if (const auto forms = ops->find(schema.callable); forms != ops->end())
          (*selection.ops)[&schema] = bits_of(*forms, kFormNames);
  }
  if (read.contains("forms")) selection.forms = bits_of(read["forms"], kFormNames);
  if (read.contains("kinds")) selection.kinds = bits_of(read["kinds"], kKindNames);
  if (read.contains("devices")) selection.devices = bits_of(read["devices"], kDeviceNames);
  if (read.contains("dtypes")) {
    selection.dtypes = {};
    for (const json& word : read["dtypes"])
      if (const int code = find_dtype_code(word.get<std::string>()); code != kDTypeCount)
        selection.dtypes = selection.dtypes | dtype_from_code(code);
  }
  return selection;
} catch (const json::exception&) {
  throw UsageError("'" + beginning(text) + "' is not a selection of calls");
}

Selection operator&(Selection a, const Selection& b) {
  if (a.ops && b.ops) {
    for (auto& [schema, its_forms] : *a.ops) {
      const auto found = b.ops->find(schema);
      its_forms &= found == b.ops->end() ? 0 : found->second;
    }
    std::erase_if(*a.ops, [](const auto& op) { return op.second == 0; });
  } else if (b.ops) {
    a.ops = b.ops;
  }
  a.forms &= b.forms;
  a.dtypes = a.dtypes & b.dtypes;
  a.kinds &= b.kinds;
  a.devices &= b.devices;
  return a;
}

}  // namespace upcast
