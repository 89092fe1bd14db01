#include "tools/explanation_text.h"

#include <fmt/format.h>

#include "cases/notation.h"
#include "impl/ops/dispatch_macro.h"

namespace upcast::tools {
namespace {

std::string head_text(const Explanation& told) {
  const Case& c = told.c;
  const KindInfo& declared = info(c.op->spec->promotion);
  const KindInfo& kind = info(told.kind());
  const std::vector<std::string> flags = iterator_flags(told.kind());
  Rows rows{{"op", fmt::format("{} ({}), {} form", c.op->spec->name, c.op->family, name(c.form))},
            {"schema", std::string(c.schema().text)},
            {"default dtype", fmt::format("{}, for complex numbers {}", name(c.defaults.floating),
                                          name(c.defaults.complex()))},
            {"promotion kind", fmt::format("{}: {}", declared.name, declared.sentence)}};
  if (&kind != &declared)
    rows.push_back({"", fmt::format("here {}: {}", kind.name, kind.sentence)});
  rows.push_back({"TensorIterator", flags.empty() ? "no flag that concerns dtypes"
                                                  : fmt::format("{}", fmt::join(flags, ", "))});
  rows.push_back({"strategy of 2020", std::string(kind.strategy_2020)});
  for (const Device device : {Device::kCpu, Device::kCuda})
    if (const std::string macro = dispatch_macro(kernel_dtypes(*c.op->spec, device));
        !macro.empty())
      rows.push_back({fmt::format("dispatch on {}", name(device)), macro});
  return print_case(c) + "\n" + table_text(rows);
}

std::string slots_text(const Explanation& told) {
  std::string text;
  const std::vector<OperandRow> operands = told.operands();
  if (!operands.empty()) {
    text += "\noperands (priority: dim 3, zero_dim 2, wrapped 1)\n";
    Rows rows;
    for (const OperandRow& row : operands)
      rows.push_back({row.name, row.text, std::string(name(row.operand.dtype)),
                      category_of(row.operand.dtype), kind_text(row.operand), row.why});
    text += table_text(rows);
  }
  if (told.promotion().entries().empty()) return text;
  text += "\nslots after each operand\n";
  Rows rows{{"", "dim", "zero_dim", "wrapped"}};
  for (const OperandRow& row : operands) {
    if (row.entered == nullptr) continue;
    const ResultTypeState& slots = row.entered->slots;
    rows.push_back({row.name, text_of(slots.dim), text_of(slots.zero_dim), text_of(slots.wrapped)});
  }
  text += table_text(rows);
  text += "\ncombine\n";
  rows.clear();
  for (const CombineRow& row : told.combinations()) {
    rows.push_back({fmt::format("{} {}", row.higher_name, text_of(row.slots.higher)), "with",
                    fmt::format("{} {}", row.lower_name, text_of(row.slots.lower)), "=",
                    text_of(row.slots.result), row.why});
  }
  text += table_text(rows);
  return text;
}

std::string dtypes_text(const Explanation& told) {
  std::string text;
  const std::vector<std::string> then = told.then();
  if (!then.empty()) text += "\nthen\n";
  for (const std::string& sentence : then) text += "  " + sentence + "\n";
  Rows rows;
  const Promoted dtypes = told.dtypes();
  if (dtypes.common != DType::kUndefined) {
    rows.push_back({"common", std::string(name(dtypes.common))});
    rows.push_back({"compute", std::string(name(compute_dtype(dtypes.common)))});
  }
  if (const StepTrace::Taken* const refusing = told.traced.trace.steps.refusing()) {
    const Rejection& rejection = *refusing->refused;
    rows.push_back({"refuses", fmt::format("{} at {}: {}", name(rejection.code),
                                           name(refusing->step), rejection.detail)});
  } else {
    rows.push_back({"result", std::string(name(dtypes.result))});
  }
  return text + "\ndtypes\n" + table_text(rows);
}

std::string steps_text(const Explanation& told) {
  const Rows rows = told.steps();
  return rows.empty() ? "" : "\nstep by step\n" + table_text(rows);
}

}  // namespace

std::string category_of(DType dtype) { return std::string(name(category(dtype))); }

std::string kind_text(TypedOperand operand) {
  if (operand.dtype == DType::kUndefined) return "undefined";
  return std::string(name(operand.kind));
}

std::string table_text(const Rows& rows, std::size_t indent) {
  std::string text;
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i)
      line += i + 1 < row.size() ? fmt::format("{:<{}}  ", row[i], widths[i]) : row[i];
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string explanation_text(const Explanation& told) {
  return head_text(told) + slots_text(told) + dtypes_text(told) + steps_text(told);
}

}  // namespace upcast::tools
