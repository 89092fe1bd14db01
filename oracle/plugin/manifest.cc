#include "oracle/plugin/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "cases/json_text.h"
#include "cases/limits.h"
#include "cases/suggest.h"
#include "cases/text_cursor.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

using nlohmann::json;

[[noreturn]] void fail(std::string_view key, std::string_view what) {
  throw UsageError(fmt::format("the manifest's \"{}\" {}", key, what));
}

std::string required_text(const json& manifest, const char* key) {
  const auto found = manifest.find(key);
  if (found == manifest.end() || !found->is_string() || found->get<std::string>().empty())
    fail(key, "must be a text that is not empty");
  const auto& text = found->get_ref<const std::string&>();
  if (text.size() > kMaxName)
    fail(key, fmt::format("has more than {} characters: '{}'", kMaxName, beginning(text)));
  return text;
}

/// The texts in the list under a key of the manifest; nothing if the key is absent.
std::optional<std::vector<std::string>> texts(const json& manifest, const char* key) {
  const auto found = manifest.find(key);
  if (found == manifest.end() || found->is_null()) return std::nullopt;
  if (!found->is_array()) fail(key, "must be a list of texts");
  std::vector<std::string> list;
  for (const json& item : *found) {
    if (!item.is_string())
      fail(key, fmt::format("must be a list of texts, not of {}", beginning(item.dump())));
    list.push_back(item);
  }
  return list;
}

/// A list of words as bits: bit i is set if the i-th word of `known` is in the list. Throws
/// UsageError for an unknown word.
unsigned bits_of(std::string_view key, const std::vector<std::string>& words,
                 std::span<const std::string_view> known) {
  unsigned bits = 0;
  for (const std::string& word : words) {
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end())
      fail(key, fmt::format("has '{}'; there are {}{}", beginning(word), fmt::join(known, ", "),
                            did_you_mean(word, known)));
    bits |= 1U << (found - known.begin());
  }
  return bits;
}

DTypeSet dtypes_of(const std::vector<std::string>& words) {
  DTypeSet dtypes;
  for (const std::string& word : words) {
    const int code = find_dtype_code(word);
    if (code == kDTypeCount) {
      std::vector<std::string_view> known;
      for (const DType dtype : Selection().dtypes.dtypes()) known.push_back(name(dtype));
      fail("dtypes", fmt::format("has '{}', which upcast does not know{}", beginning(word),
                                 did_you_mean(word, known)));
    }
    dtypes = dtypes | dtype_from_code(code);
  }
  return dtypes;
}

/// The overloads that a name means: "add" means all, "add.Tensor" one.
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
  if (text.size() > kMaxManifest)
    throw UsageError("the manifest has more than 1 MiB: '" + beginning(text) + "'");
  const json manifest = read_json(text);
  if (!manifest.is_object())
    throw UsageError("the manifest '" + beginning(text) +
                     "' is not a JSON object, such as {\"name\": \"mine\", \"version\": \"1\"}");
  Manifest made;
  made.name_ = required_text(manifest, "name");
  made.version_ = required_text(manifest, "version");
  Selection& claim = made.claim_;
  if (const auto dtypes = texts(manifest, "dtypes")) claim.dtypes = dtypes_of(*dtypes);
  if (const auto forms = texts(manifest, "forms"))
    claim.forms = bits_of("forms", *forms, kFormNames);
  claim.devices =
      bits_of("devices", texts(manifest, "devices").value_or(std::vector<std::string>{"cpu"}),
              kDeviceNames);
  const auto add_op = [&](const std::string& word, Selection::Bits its_forms) {
    const std::vector<const Schema*> overloads = overloads_of(word, aliases);
    for (const Schema* schema : overloads) (*claim.ops)[schema] |= its_forms;
    if (overloads.empty()) made.unknown_ops_.push_back(word);
  };
  const auto ops = manifest.find("ops");
  if (ops == manifest.end() || ops->is_null()) return made;
  claim.ops.emplace();
  if (ops->is_object()) {
    for (const auto& [word, its_forms] : ops->items()) {
      const auto list = texts(*ops, word.c_str());
      add_op(word, list ? bits_of("ops", *list, kFormNames) : Selection::kAll);
    }
  } else {
    const auto words = texts(manifest, "ops");
    for (const std::string& word : *words) add_op(word, Selection::kAll);
  }
  return made;
}

}  // namespace upcast
