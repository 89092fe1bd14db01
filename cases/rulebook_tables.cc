#include "cases/rulebook_tables.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cases/suggest.h"
#include "impl/core/error.h"
#include "impl/promotion/rulebooks/op_names.h"

namespace upcast {

/// The texts of cases/rulebooks/*.json, which CMake embeds.
extern const char kRulebookTables[];

namespace {

using nlohmann::json;
using rulebooks::Operand;
using rulebooks::Rank;

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> list;
  for (std::string word; stream >> word;) list.push_back(word);
  return list;
}

RulebookTable read_table(const json& node, const std::vector<RulebookTable>& earlier) {
  RulebookTable table;
  table.name = node.at("name");
  for (const auto& [key, value] : node.items()) {
    if (key == "name" || key == "rows" || key == "cols" || key == "cells") continue;
    table.keys[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  if (table.keys.count("absent") != 0) return table;
  table.rows = words(node.at("rows"));
  table.columns = words(node.at("cols"));
  if (node.contains("same_cells_as")) {
    const std::string name = node.at("same_cells_as");
    const auto same = std::find_if(earlier.begin(), earlier.end(),
                                   [&](const RulebookTable& other) { return other.name == name; });
    if (same == earlier.end()) throw UsageError(table.name + ": no table '" + name + "' before it");
    table.cells = same->cells;
  } else {
    for (const json& line : node.at("cells")) table.cells.push_back(words(line));
  }
  const bool square = table.cells.size() == table.rows.size() &&
                      std::all_of(table.cells.begin(), table.cells.end(), [&](const auto& line) {
                        return line.size() == table.columns.size();
                      });
  if (!square) throw UsageError(table.name + ": the number of cells must be rows times columns");
  return table;
}

RulebookTables read_set(const json& node) {
  RulebookTables set;
  set.name = node.at("name");
  set.framework = node.at("framework");
  set.version = node.at("version");
  set.variant = node.value("variant", "");
  set.errors = node.at("errors").get<std::map<std::string, std::string>>();
  set.error_kinds = node.at("error_kinds").get<std::map<std::string, std::string>>();
  for (const json& table : node.at("tables")) set.tables.push_back(read_table(table, set.tables));
  return set;
}

/// Reads a Python number: "2.5", "1e40", "2**31", "-2**63", "inf", "1j", "True".
bool read_number(std::string_view text, Operand& operand) {
  operand.rank = Rank::kNumber;
  if (text == "True" || text == "False") {
    operand.dtype = DType::kBool;
    operand.value = text == "True";
    return true;
  }
  const bool complex = text.ends_with("j");
  if (complex) text.remove_suffix(1);
  const std::string body(text);
  const std::size_t power = body.find("2**");
  char* end = nullptr;
  if (power != std::string::npos) {
    operand.value = std::ldexp(1.0L, std::atoi(body.c_str() + power + 3));
    if (body[0] == '-') operand.value = -operand.value;
    operand.dtype = DType::kInt64;
    return true;
  }
  operand.value = std::strtold(body.c_str(), &end);
  if (end == body.c_str() || *end != '\0') return false;
  operand.dtype = complex                                           ? DType::kComplex128
                  : body.find_first_of(".enf") != std::string::npos ? DType::kFloat64
                                                                    : DType::kInt64;
  return true;
}

/// Reads the name of a Python number's type: "bool", "int", "float", "complex". The operand becomes
/// a number of that type, 1 or near it.
bool read_number_type(std::string_view text, Operand& operand) {
  operand = {DType::kBool, Rank::kNumber, 1};
  if (text == "bool") return true;
  operand.dtype = text == "int"       ? DType::kInt64
                  : text == "float"   ? DType::kFloat64
                  : text == "complex" ? DType::kComplex128
                                      : DType::kUndefined;
  return operand.dtype != DType::kUndefined;
}

bool read_weak(std::string_view text, Operand& operand) {
  operand = {DType::kInt64, Rank::kWeak, 1};
  if (text == "i*") return true;
  operand.dtype = text == "f*"   ? DType::kFloat64
                  : text == "c*" ? DType::kComplex128
                                 : DType::kUndefined;
  return operand.dtype != DType::kUndefined;
}

LabelledOperand read_operand(const std::string& label, Rank rank) {
  LabelledOperand read;
  if (rank == Rank::kNumber) {
    read.known = read_number_type(label, read.operand) || read_number(label, read.operand);
    read.text = label == "bool"      ? "True"
                : label == "int"     ? "1"
                : label == "float"   ? "1.5"
                : label == "complex" ? "1j"
                                     : label;
    return read;
  }
  if (read_weak(label, read.operand)) {
    read.known = true;
    read.text = std::string(name(read.operand.dtype)) + "*[2]";
    return read;
  }
  const DType dtype = labelled_dtype(label);
  read.known = dtype != DType::kUndefined;
  read.operand = {dtype, rank, 1};
  read.text = (read.known ? std::string(name(dtype)) : label) + (rank == Rank::kDim       ? "[2]"
                                                                 : rank == Rank::kZeroDim ? "[]"
                                                                                          : "()");
  return read;
}

Rank rank_of(const std::string& word) {
  return word == "0d" ? Rank::kZeroDim : word == "sc" ? Rank::kLibraryScalar : Rank::kDim;
}

/// The largest value of a dtype, for tables with an operand of that value.
long double largest_value(DType dtype) {
  if (is_bool(dtype)) return 1;
  if (is_integral(dtype)) {
    const bool without_sign = name(dtype).front() == 'u';
    return std::ldexp(1.0L, 8 * itemsize(dtype) - (without_sign ? 0 : 1)) - 1;
  }
  const DType real = to_real(dtype);
  return real == DType::kFloat16   ? 65504
         : real == DType::kFloat32 ? 0x1.fffffep127L
                                   : 0x1.fffffffffffffp1023L;
}

}  // namespace

std::string RulebookTable::key(std::string_view which) const {
  const auto found = keys.find(std::string(which));
  return found == keys.end() ? "" : found->second;
}

DType labelled_dtype(std::string_view label) {
  if (label == "bool") return DType::kBool;
  if (label.starts_with("f8") || label.starts_with("f4")) label.remove_prefix(2);
  const int found = find_dtype_code(label);
  return found == kDTypeCount ? DType::kUndefined : dtype_from_code(found);
}

std::vector<RulebookTables> parse_rulebook_tables(std::string_view text) {
  std::vector<RulebookTables> sets;
  std::istringstream stream{std::string(text)};
  while (stream >> std::ws && !stream.eof()) {
    try {
      json node;
      stream >> node;
      sets.push_back(read_set(node));
    } catch (const json::exception& error) {
      throw UsageError("rule book tables after '" + (sets.empty() ? "" : sets.back().name) +
                       "': " + error.what());
    }
  }
  return sets;
}

const std::vector<RulebookTables>& rulebook_tables() {
  static const std::vector<RulebookTables> sets = parse_rulebook_tables(kRulebookTables);
  return sets;
}

const RulebookTables& find_rulebook_tables(std::string_view name) {
  std::vector<std::string_view> names;
  for (const RulebookTables& set : rulebook_tables()) {
    if (set.name == name) return set;
    names.push_back(set.name);
  }
  std::string known;
  for (const std::string_view each : names)
    known += (known.empty() ? "" : ", ") + std::string(each);
  throw UsageError("unknown table '" + std::string(name) + "'" + did_you_mean(name, names) +
                   "; there are " + known + ", and all");
}

CellQuestion cell_question(const RulebookTable& table, std::size_t row, std::size_t column) {
  CellQuestion cell;
  const std::string& left = table.rows[row];
  const std::string& right = table.columns[column];
  const std::string operands = table.key("operands");
  const std::string form = table.key("form");
  std::string op = table.key("op");
  if (op.empty()) op = table.key("method");
  cell.form = form == "operator"  ? rulebooks::Form::kOperator
              : form == "inplace" ? rulebooks::Form::kInPlace
              : form == "out"     ? rulebooks::Form::kOut
                                  : rulebooks::Form::kFunction;
  if (!table.key("default_dtype").empty())
    cell.default_dtype = labelled_dtype(table.key("default_dtype"));
  const auto add = [&cell](const std::string& label, Rank rank) {
    cell.shown.push_back(read_operand(label, rank));
  };
  if (table.key("kind") == "schema") {  // tables of ONNX ask whether the op takes the dtype
    op = "onnx.";
    for (const char letter : left)
      op += static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
    cell.opset = std::atoi(table.key("opset").c_str());
    add(right, Rank::kDim);
  } else if (table.key("kind") == "unary") {
    op = left;
    add(right, table.name.ends_with(".0d") ? Rank::kZeroDim : Rank::kDim);
  } else if (form == "out") {  // add(float32, column's dtype, out= of the row's dtype)
    op = "add";
    add("f32", Rank::kDim);
    add(right, Rank::kDim);
    cell.out = labelled_dtype(left);
    cell.known = cell.out != DType::kUndefined;
  } else if (left == "dtype" || left == "value") {
    add(right, Rank::kNumber);
  } else if (operands == "scalar_scalar") {
    add(left, Rank::kNumber);
    add(right, Rank::kNumber);
  } else if (operands == "array + numpy scalar") {
    add(left, Rank::kDim);
    add(right, Rank::kLibraryScalar);
  } else if (!operands.empty()) {
    const Rank rank = operands.starts_with("numpy scalar") ? Rank::kLibraryScalar
                                                           : rank_of(table.key("tensor_rank"));
    add(left, rank);
    add(right, Rank::kNumber);
    if (operands == "scalar_tensor") std::swap(cell.shown[0], cell.shown[1]);
  } else {
    add(left, rank_of(table.key("lhs")));
    add(right, rank_of(table.key("rhs")));
    if (table.key("value").starts_with("max"))
      cell.shown[1].operand.value = largest_value(cell.shown[1].operand.dtype);
  }
  if (op == "jnp.promote_types") op = "promote_types";
  if (op == "jax.dtypes.result_type") op = "result_type";
  if (op == "can_cast" && table.name != op) op = table.name;  // can_cast.safe
  cell.op = rulebooks::canonical_op(op);
  for (const LabelledOperand& shown : cell.shown) {
    cell.known = cell.known && shown.known;
    cell.operands.push_back(shown.operand);
  }
  return cell;
}

TableAnswer cell_answer(const RulebookTables& set, const RulebookTable& table, std::size_t row,
                        std::size_t column) {
  using Tag = TableAnswer::Tag;
  std::string_view cell = table.cells[row][column];
  TableAnswer answer;
  if (cell.starts_with("!")) {
    const std::string& kind = set.error_kinds.at(std::string(cell));
    answer.why = set.errors.at(std::string(cell));
    // promote_types refuses by an assertion, an internal error. In other tables an internal error
    // is a fault of the op.
    const bool refused = kind == "refused" || kind == "overflow" || kind == "scalar_arg" ||
                         (kind == "internal" && table.name == "promote_types");
    answer.tag = refused ? Tag::kRefused : Tag::kNoKernel;
    return answer;
  }
  if (cell == "y" || cell == "n") {
    answer.tag = cell == "y" ? Tag::kDType : Tag::kRefused;
    answer.dtype = cell == "y" ? labelled_dtype(table.columns[column]) : DType::kUndefined;
    return answer;
  }
  if (cell == "-") return {.tag = Tag::kNoKernel, .why = "the library has no such op"};
  if (cell.ends_with("#")) cell.remove_suffix(1);  // "#" marks a right dtype with a wrong value
  if (cell.ends_with("*")) {
    answer.weak = true;
    cell.remove_suffix(1);
  }
  answer.dtype = labelled_dtype(cell);
  answer.tag = answer.dtype == DType::kUndefined ? Tag::kOutside : Tag::kDType;
  return answer;
}

}  // namespace upcast
