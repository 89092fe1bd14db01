#include "oracle/protocol/answer_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/counted.h"
#include "cases/json_text.h"
#include "cases/limits.h"
#include "cases/text_cursor.h"
#include "cases/visible.h"
#include "impl/core/dtype_set.h"
#include "impl/core/error.h"

namespace upcast::protocol {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxSize = std::int64_t{1} << 40;
constexpr std::size_t kMaxDims = 64;
constexpr std::size_t kMaxResults = 2;  // of frexp

/// Thrown for a fault in one item of an answer; `what` says what is wrong.
struct Fault {
  std::string what;
};

std::string shown(const json& value) { return beginning(dump_json(value)); }

const json& field(const json& object, const char* key) {
  if (!object.contains(key)) throw Fault{fmt::format("no \"{}\" in {}", key, shown(object))};
  return object.at(key);
}

DType read_dtype(const json& value) {
  const int code = value.is_string() ? find_dtype_code(value.get<std::string>()) : kDTypeCount;
  if (code == kDTypeCount || dtype_from_code(code) == DType::kUndefined)
    throw Fault{"an unknown dtype: " + shown(value)};
  return dtype_from_code(code);
}

Dims read_dims(const json& value, const char* what) {
  if (!value.is_array() || value.size() > kMaxDims)
    throw Fault{fmt::format("a {} is not a list of numbers: {}", what, shown(value))};
  Dims dims;
  for (const json& size : value) {
    if (!size.is_number_integer() || size < -kMaxSize || size > kMaxSize)
      throw Fault{fmt::format("a {} has the entry {}", what, shown(size))};
    dims.push_back(size);
  }
  return dims;
}

/// The bytes of a dense tensor, numel * itemsize. Throws if the number overflows.
std::size_t bytes_of(DType dtype, const Dims& sizes) {
  std::size_t bytes = static_cast<std::size_t>(itemsize(dtype));
  for (const std::int64_t size : sizes) {
    if (size < 0 || __builtin_mul_overflow(bytes, static_cast<std::size_t>(size), &bytes))
      throw Fault{fmt::format("not a valid shape: [{}]", fmt::join(sizes, ","))};
  }
  return bytes;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  throw Fault{fmt::format("'{}' is not a hexadecimal digit", visible({&c, 1}))};
}

void read_bytes(const json& result, std::size_t size, std::span<const std::byte> area,
                std::vector<std::byte>& bytes) {
  bytes.resize(0);
  if (const auto at = result.find("at"); at != result.end()) {
    const bool sound = at->is_number_unsigned() && at->get<std::size_t>() <= area.size() &&
                       size <= area.size() - at->get<std::size_t>();
    if (!sound)
      throw Fault{fmt::format("{} bytes at {} are not in the shared memory", size, shown(*at))};
    const auto piece = area.subspan(at->get<std::size_t>(), size);
    bytes.assign(piece.begin(), piece.end());
    return;
  }
  const json& hex = field(result, "hex");
  if (!hex.is_string()) throw Fault{"\"hex\" is not a text: " + shown(hex)};
  const std::string& text = hex.get_ref<const std::string&>();
  if (text.size() != 2 * size)
    throw Fault{
        fmt::format("{} hexadecimal digits, but dtype and shape need {}", text.size(), 2 * size)};
  bytes.resize(size);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<std::byte>(digit(text[2 * i]) * 16 + digit(text[2 * i + 1]));
}

void read_tensor(const json& result, std::span<const std::byte> area, Answer& answer) {
  answer.tag = Answer::Tag::kTensor;
  answer.dtype = read_dtype(field(result, "dtype"));
  if (!kElementwise.contains(answer.dtype))
    throw Fault{fmt::format("no op has elements of {}", name(answer.dtype))};
  answer.sizes = read_dims(field(result, "shape"), "shape");
  const std::size_t size = bytes_of(answer.dtype, answer.sizes);
  const auto strides = result.find("strides");
  answer.without_strides = strides == result.end();
  answer.strides = answer.without_strides ? contiguous_strides(answer.sizes)
                                          : read_dims(*strides, "list of strides");
  if (answer.strides.size() != answer.sizes.size())
    throw Fault{fmt::format("{} for {}", counted(std::ssize(answer.strides), "stride"),
                            counted(std::ssize(answer.sizes), "dimension"))};
  answer.without_values = result.contains("values") && result.at("values") == false;
  if (!answer.without_values) read_bytes(result, size, area, answer.bytes);
}

std::string text_in(const json& object, const char* key) {
  const bool is_text = object.contains(key) && object.at(key).is_string();
  if (!is_text) return "";
  const auto& text = object.at(key).get_ref<const std::string&>();
  if (text.size() > kMaxPeerText)
    throw Fault{fmt::format("\"{}\" has more than 64 KiB: '{}'", key, beginning(text))};
  return text;
}

Answer read_item(const json& item, std::span<const std::byte> area) {
  Answer answer;
  if (const auto ok = item.find("ok"); ok != item.end()) {
    if (!ok->is_array() || ok->empty() || ok->size() > kMaxResults)
      throw Fault{"\"ok\" is not a list of results: " + shown(*ok)};
    read_tensor(ok->front(), area, answer);
    for (std::size_t i = 1; i < ok->size(); ++i)
      read_tensor((*ok)[i], area, answer.further.emplace_back());
    return answer;
  }
  if (const auto dtype = item.find("dtype"); dtype != item.end()) {
    answer.tag = Answer::Tag::kDType;
    answer.dtype = read_dtype(*dtype);
    return answer;
  }
  if (const auto refused = item.find("refused"); refused != item.end()) {
    answer.tag = Answer::Tag::kRefusal;
    answer.rejection = rejection_of(text_in(*refused, "class"));
    answer.detail = text_in(*refused, "text");
    return answer;
  }
  if (const auto skipped = item.find("skipped"); skipped != item.end()) {
    answer.tag = Answer::Tag::kNotJudged;
    answer.detail = text_in(*skipped, "why");
    if (answer.detail.empty()) throw Fault{"\"skipped\" without a \"why\""};
    return answer;
  }
  if (const auto errored = item.find("errored"); errored != item.end())
    throw Fault{"it failed: " + text_in(*errored, "text")};
  throw Fault{"none of ok, dtype, refused, skipped, errored in " + shown(item)};
}

}  // namespace

std::vector<std::pair<std::int64_t, Answer>> read_answers(std::string_view line, std::int64_t seq,
                                                          std::span<const std::byte> area) {
  const json message = read_json(line);
  const std::string excerpt = visible(beginning(line));
  if (!message.contains("seq") || !message.contains("answers") || !message.at("answers").is_array())
    throw UsageError(
        fmt::format("wrote something to its standard output that is not an answer: '{}'", excerpt));
  if (message.at("seq") != seq)
    throw UsageError(
        fmt::format("answers request {}, but request {} was sent", shown(message.at("seq")), seq));
  std::vector<std::pair<std::int64_t, Answer>> answers;
  for (const json& item : message.at("answers")) {
    if (!item.contains("id") || !item.at("id").is_number_integer())
      throw UsageError(fmt::format("gives an answer without an id: {}", shown(item)));
    const auto id = item.at("id").get<std::int64_t>();
    try {
      answers.emplace_back(id, read_item(item, area));
    } catch (const Fault& fault) {
      answers.emplace_back(id, Answer{.tag = Answer::Tag::kBroken, .detail = fault.what});
    }
  }
  return answers;
}

bool read_configured(std::string_view line) {
  const json message = read_json(line);
  if (!message.contains("ok") || !message.at("ok").is_boolean())
    throw UsageError(
        fmt::format("does not answer \"configure\" with \"ok\": '{}'", visible(beginning(line))));
  return message.at("ok");
}

}  // namespace upcast::protocol
