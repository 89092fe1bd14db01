#include "oracle/signature.h"

#include <fmt/format.h>

#include <cmath>

#include "cases/notation.h"
#include "impl/core/dtype_set.h"
#include "impl/core/error.h"
#include "oracle/same_value.h"
#include "oracle/ulp.h"

namespace upcast {
namespace {

// In ulp: smaller errors count as rounding, larger ones as a wrong formula.
constexpr double kNear = 1024;

/// The class of one part of an element, which is given as float64. Integers above 2^53 lose digits
/// by that, but keep their class.
std::string real_class(DType dtype, double value) {
  const bool integral = is_integral(dtype);
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  if (integral) {
    const int bits = 8 * itemsize(dtype);
    if (value == -std::ldexp(1.0, bits - 1)) return "min";
    return value < 0 ? "-n" : "n";
  }
  return value < 0 ? "-x" : "x";
}

std::string pair_class(DType dtype, double subject, double oracle) {
  const std::string a = real_class(dtype, subject);
  const std::string b = real_class(dtype, oracle);
  if (a != b) return a + "->" + b;
  if (is_integral(dtype)) return a + "->" + a + "'";
  const double error = error_in_ulp(dtype, distance_to(subject, oracle), oracle);
  return a + "->" + (error <= kNear ? "~" : "") + a + "'";
}

std::string element_classes(DType dtype, const std::byte* subject, const std::byte* oracle) {
  if (!kElementwise.contains(dtype)) return "bits->bits'";
  if (is_bool(dtype)) return *subject == std::byte{0} ? "False->True" : "True->False";
  const ElementParts a = parts_of(dtype, subject);
  const ElementParts b = parts_of(dtype, oracle);
  const DType real = to_real(dtype);
  if (!is_complex(dtype)) return pair_class(real, a[0], b[0]);
  if (same_value(a[1], b[1])) return "re:" + pair_class(real, a[0], b[0]);
  if (same_value(a[0], b[0])) return "im:" + pair_class(real, a[1], b[1]);
  return pair_class(real, a[0], b[0]) + "," + pair_class(real, a[1], b[1]);
}

std::string value_answers(const Case& c, const Answer& subject, const Answer& oracle, Sides sides) {
  if (subject.dtype == oracle.dtype && subject.bytes.size() == oracle.bytes.size()) {
    const std::vector<std::size_t> differing = differing_elements(c, subject, oracle, sides);
    const auto size = static_cast<std::size_t>(itemsize(oracle.dtype));
    if (!differing.empty())
      return element_classes(oracle.dtype, subject.bytes.data() + differing[0] * size,
                             oracle.bytes.data() + differing[0] * size);
  }
  for (std::size_t i = 0; i < std::min(subject.further.size(), oracle.further.size()); ++i) {
    const std::string found = value_answers(c, subject.further[i], oracle.further[i], sides);
    if (!found.empty()) return "second:" + found;
  }
  return "";
}

std::string_view kind_of_dtype(DType dtype) {
  return is_integral(dtype) ? "int" : is_floating(dtype) ? "float" : name(category(dtype));
}

std::string dtype_answers(DType subject, DType oracle) {
  const std::string a(kind_of_dtype(subject));
  const std::string b(kind_of_dtype(oracle));
  if (a != b) return a + "->" + b;
  const int wider = itemsize(oracle) - itemsize(subject);
  return a + (wider > 0 ? "->wider " : wider < 0 ? "->narrower " : "->other ") + b;
}

/// The class of a side's reply, for a difference that is not only one of values.
std::string reply_class(VerdictCode code, const Reply& reply) {
  if (reply.died()) {
    const std::string& how = reply.death;
    return how.starts_with("crash(") ? how.substr(6, how.size() - 7) : how;
  }
  const Answer& answer = reply.answer;
  if (answer.tag == Answer::Tag::kRefusal)
    return is_of_refusal(code) ? "refuses(" + std::string(name(answer.rejection)) + ")" : "refuses";
  if (answer.tag == Answer::Tag::kNotJudged) return "nothing";
  if (answer.tag == Answer::Tag::kBroken) return "broken";
  if (code == VerdictCode::kDifferShape) return fmt::format("rank{}", answer.sizes.size());
  return "answer";
}

SignatureOperand tensor_operand(const Operand& operand, std::string name) {
  SignatureOperand found{.name = std::move(name), .dtype = operand.dtype};
  found.kind = operand.sizes.empty() ? "zero" : element_count(operand) == 0 ? "empty" : "dim";
  if (operand.shares != kOwnStorage) found.kind += fmt::format("/shares({})", operand.shares);
  if (operand.device) found.kind += "/" + std::string(upcast::name(*operand.device));
  return found;
}

SignatureOperand operand_of(const Parameter& parameter, const Operand& operand) {
  const bool is_operand = stands_by_position(parameter);
  SignatureOperand found{.name = is_operand ? "" : std::string(parameter.name)};
  switch (operand.tag) {
    case Operand::Tag::kTensor:
      return tensor_operand(operand, found.name);
    case Operand::Tag::kDType:
      found.dtype = operand.dtype;
      found.kind = "dtype";
      break;
    case Operand::Tag::kNumber:
      found.kind = kind_of_dtype(operand.number.dtype());
      if (is_operand) found.kind += "@number";
      break;
    case Operand::Tag::kText:
      found.kind = operand.text;
      break;
    case Operand::Tag::kUndefined:
      found.kind = "undefined";
      break;
    case Operand::Tag::kNone:
      found.kind = "None";
      break;
    case Operand::Tag::kAbsent:
      break;
  }
  return found;
}

}  // namespace

std::string SignatureOperand::text() const {
  std::string text = name.empty() ? "" : name + "=";
  if (dtype == DType::kUndefined) return text + kind;
  text += any_of_category ? std::string(kind_of_dtype(dtype)) : std::string(info(dtype).short_name);
  return kind == "dtype" ? text : text + "@" + kind;
}

std::string Signature::text() const {
  std::string list;
  for (const SignatureOperand& operand : operands)
    list += (list.empty() ? "" : ",") + operand.text();
  return fmt::format("{} {}({}) {}{}", kind, call, list, answers, settings);
}

std::uint32_t Signature::hash() const { return hash_of(text()); }

std::string Signature::crash_line() const { return upcast::crash_line(hash(), text()); }

std::uint32_t hash_of(std::string_view signature) {
  std::uint32_t hash = 0x811c9dc5;
  for (const char c : signature) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  return hash;
}

std::string hash_text(std::uint32_t hash) {
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4)
    text += static_cast<char>('a' + (hash >> shift & 15));
  return text;
}

std::string crash_line(std::uint32_t hash, std::string_view text) {
  return fmt::format("FuzzerHash={} {}", hash_text(hash), text).substr(0, kCrashLineLength);
}

Signature signature_of(const Case& c, VerdictCode code, const Reply& subject, const Reply& oracle,
                       Sides sides) {
  check(code >= VerdictCode::kDifferDType, "the signature of a difference");
  Signature signature;
  signature.kind = kind_of(code);
  signature.op = c.op->spec->name;
  signature.call = c.callable();
  if (code == VerdictCode::kDifferValue)
    signature.answers = value_answers(c, subject.answer, oracle.answer, sides);
  else if (code == VerdictCode::kDifferDType)
    signature.answers = dtype_answers(subject.answer.dtype, oracle.answer.dtype);
  else
    signature.answers = reply_class(code, subject) + "->" + reply_class(code, oracle);
  const std::vector<Parameter>& parameters = c.schema().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (c.arguments[i].tag != Operand::Tag::kAbsent)
      signature.operands.push_back(operand_of(parameters[i], c.arguments[i]));
  for (const auto& [position, name] :
       {std::pair(kOutPosition, "out"), std::pair(kSecondOutPosition, "second_out")})
    if (c.operand(position).tag == Operand::Tag::kTensor)
      signature.operands.push_back(tensor_operand(c.operand(position), name));
  if (c.defaults.floating != Defaults{}.floating)
    signature.settings += " default=" + std::string(info(c.defaults.floating).short_name);
  if (c.device != Device::kCpu) signature.settings += " @" + std::string(name(c.device));
  return signature;
}

}  // namespace upcast
