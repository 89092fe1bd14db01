#include "oracle/plugin/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "cases/suggest.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> kNoSuchForm{
    "no such form: functional", "no such form: in_place", "no such form: out"};
constexpr std::array<std::string_view, 3> kNoSuchDevice{
    "no such device: cpu", "no such device: cuda", "no such device: meta"};

[[noreturn]] void fail(std::string_view key, std::string_view what) {
  throw UsageError(fmt::format("the manifest's \"{}\" {}", key, what));
}

/// "no such dtype: int8" for every dtype.
std::string_view no_such_dtype(DType dtype) {
  static const std::array<std::string, kDTypeCount> texts = [] {
    std::array<std::string, kDTypeCount> made;
    for (int code = 0; code < kDTypeCount; ++code)
      made[code] = fmt::format("no such dtype: {}", name(dtype_from_code(code)));
    return made;
  }();
  return texts[code(dtype)];
}

std::string required_text(const json& manifest, const char* key) {
  const auto found = manifest.find(key);
  if (found == manifest.end() || !found->is_string() || found->get<std::string>().empty())
    fail(key, "must be a text that is not empty");
  return *found;
}

/// The texts of a list; nothing where the key is left out.
std::optional<std::vector<std::string>> texts(const json& manifest, const char* key) {
  const auto found = manifest.find(key);
  if (found == manifest.end() || found->is_null()) return std::nullopt;
  if (!found->is_array()) fail(key, "must be a list of texts");
  std::vector<std::string> list;
  for (const json& item : *found) {
    if (!item.is_string())
      fail(key, fmt::format("must be a list of texts, not of {}", item.dump()));
    list.push_back(item);
  }
  return list;
}

/// Bits of words by their place among `known`.
unsigned bits_of(std::string_view key, const std::vector<std::string>& words,
                 std::span<const std::string_view> known) {
  unsigned bits = 0;
  for (const std::string& word : words) {
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end())
      fail(key, fmt::format("has '{}'; there are {}{}", word, fmt::join(known, ", "),
                            did_you_mean(word, known)));
    bits |= 1U << (found - known.begin());
  }
  return bits;
}

DTypeSet all_dtypes() {
  DTypeSet all;
  for (int code = 0; code < kDTypeCount; ++code) all = all | dtype_from_code(code);
  return all;
}

DTypeSet dtypes_of(const std::vector<std::string>& words) {
  DTypeSet dtypes;
  for (const std::string& word : words) {
    const int code = find_dtype_code(word);
    if (code == kDTypeCount) {
      std::vector<std::string_view> known;
      for (const DType dtype : all_dtypes().dtypes()) known.push_back(name(dtype));
      fail("dtypes",
           fmt::format("has '{}', which upcast does not know{}", word, did_you_mean(word, known)));
    }
    dtypes = dtypes | dtype_from_code(code);
  }
  return dtypes;
}

constexpr std::array<std::string_view, 3> kForms{"functional", "in_place", "out"};
constexpr unsigned kAllForms = (1U << kForms.size()) - 1;

/// The overloads that a name means: "add" all of them, "add.Tensor" one.
std::vector<const Schema*> overloads_of(std::string_view word, Aliases aliases) {
  std::vector<const Schema*> found;
  for (const Op& op : catalogue())
    for (const Schema& schema : op.schemas)
      if (schema.name == word || schema.callable == word ||
          (aliases == Aliases::kTogether && op.spec->name == word))
        found.push_back(&schema);
  return found;
}

}  // namespace

Manifest Manifest::parse(std::string_view text, Aliases aliases) {
  const json manifest = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!manifest.is_object())
    throw UsageError(
        "the manifest is no JSON object, such as {\"name\": \"mine\", \"version\": \"1\"}");
  Manifest made;
  made.name_ = required_text(manifest, "name");
  made.version_ = required_text(manifest, "version");
  const auto dtypes = texts(manifest, "dtypes");
  made.dtypes_ = dtypes ? dtypes_of(*dtypes) : all_dtypes();
  const auto forms = texts(manifest, "forms");
  made.forms_ = forms ? bits_of("forms", *forms, kForms) : kAllForms;
  made.devices_ =
      bits_of("devices", texts(manifest, "devices").value_or(std::vector<std::string>{"cpu"}),
              kDeviceNames);
  const auto add_op = [&made, aliases](const std::string& word, Forms its_forms) {
    const std::vector<const Schema*> overloads = overloads_of(word, aliases);
    for (const Schema* schema : overloads) made.ops_[schema] |= its_forms;
    if (overloads.empty()) made.unknown_ops_.push_back(word);
  };
  const auto ops = manifest.find("ops");
  if (ops == manifest.end() || ops->is_null()) {
    made.all_ops_ = true;
  } else if (ops->is_object()) {
    for (const auto& [word, its_forms] : ops->items()) {
      const auto list = texts(*ops, word.c_str());
      add_op(word, list ? bits_of("ops", *list, kForms) : kAllForms);
    }
  } else {
    const auto words = texts(manifest, "ops");
    for (const std::string& word : *words) add_op(word, kAllForms);
  }
  return made;
}

bool Manifest::has_op(const Case& c, Forms& forms) const {
  forms = forms_;
  if (all_ops_) return true;
  const auto found = ops_.find(&c.schema());
  if (found == ops_.end()) return false;
  forms &= found->second;
  return true;
}

bool Manifest::has(const Case& c) const {
  Forms forms = 0;
  return has_op(c, forms) && (forms >> static_cast<unsigned>(c.form) & 1) != 0;
}

std::string_view Manifest::why_not(const Case& c) const {
  Forms forms = 0;
  if (!has_op(c, forms)) return "no such op";
  const auto form = static_cast<std::size_t>(c.form);
  if ((forms >> form & 1) == 0) return kNoSuchForm[form];
  const auto missing = [&](const Operand& operand) -> std::string_view {
    if (operand.tag != Operand::Tag::kTensor && operand.tag != Operand::Tag::kDType) return "";
    if (!dtypes_.contains(operand.dtype)) return no_such_dtype(operand.dtype);
    if (operand.tag == Operand::Tag::kDType) return "";
    const Device device = device_of(c, operand);
    return has(device) ? "" : kNoSuchDevice[static_cast<std::size_t>(device)];
  };
  for (const Operand& argument : c.arguments)
    if (const std::string_view why = missing(argument); !why.empty()) return why;
  if (const std::string_view why = missing(c.out); !why.empty()) return why;
  if (const std::string_view why = missing(c.second_out); !why.empty()) return why;
  const DType floating = c.defaults.floating;  // results of integers have it
  return floating == DType::kFloat32 || dtypes_.contains(floating) ? "" : no_such_dtype(floating);
}

}  // namespace upcast
