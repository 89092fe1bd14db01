#include "tools/explanation_text.h"

#include <fmt/format.h>

#include "cases/notation.h"

namespace upcast::tools {
namespace {

std::string head_text(const Explanation& told) {
  const Case& c = told.c;
  const KindInfo& kind = info(told.kind);
  const std::vector<std::string> flags = iterator_flags(told.kind);
  return print_case(c) + "\n" +
         table_text(
             {{"op", fmt::format("{} ({}), {} form", c.op->spec->name, c.op->family, name(c.form))},
              {"schema", std::string(c.schema().text)},
              {"default dtype", fmt::format("{}, for complex numbers {}", name(c.defaults.floating),
                                            name(c.defaults.complex()))},
              {"promotion kind", fmt::format("{}: {}", kind.name, kind.sentence)},
              {"TensorIterator",
               flags.empty() ? "no dtype flag" : fmt::format("{}", fmt::join(flags, ", "))},
              {"strategy of 2020", std::string(kind.strategy_2020)}});
}

std::string steps_text(const Explanation& told) {
  std::string text;
  if (!told.operands.empty()) {
    text += "\noperands (priority: dim 3, zero_dim 2, wrapped 1)\n";
    std::vector<std::vector<std::string>> rows;
    for (const OperandStep& step : told.operands) {
      const std::string why =
          step.promotes ? std::string(describe(step.rule)) : "stays out of promotion";
      rows.push_back({step.name, step.text, std::string(name(step.operand.dtype)),
                      category_of(step.operand.dtype), kind_text(step), why});
    }
    text += table_text(rows);
  }
  if (told.combine.empty()) return text;
  text += "\nslots as they fill\n";
  std::vector<std::vector<std::string>> rows{{"", "dim", "zero_dim", "wrapped"}};
  for (const OperandStep& step : told.operands) {
    rows.push_back({step.name, text_of(step.slots.dim), text_of(step.slots.zero_dim),
                    text_of(step.slots.wrapped)});
  }
  text += table_text(rows);
  text += "\ncombine\n";
  rows.clear();
  for (const CombineStep& step : told.combine) {
    rows.push_back({fmt::format("{} {}", step.higher_name, text_of(step.higher)), "with",
                    fmt::format("{} {}", step.lower_name, text_of(step.lower)), "=",
                    text_of(step.result), step.why});
  }
  text += table_text(rows);
  return text;
}

std::string dtypes_text(const Explanation& told) {
  std::string text;
  if (!told.then.empty()) text += "\nthen\n";
  for (const std::string& sentence : told.then) text += "  " + sentence + "\n";
  text += "\ndtypes\n";
  if (!told.promoted.ok()) {
    const Rejection& rejection = told.promoted.rejection();
    text +=
        table_text({{"refuses", std::string(name(rejection.code)), std::string(rejection.detail)}});
    return text;
  }
  const Promoted& promoted = told.promoted.value();
  text += table_text({{"common", std::string(name(promoted.common))},
                      {"compute", std::string(name(compute_dtype(promoted.common)))},
                      {"result", std::string(name(promoted.result))}});
  return text;
}

std::string iterator_text(const std::vector<IteratorStep>& steps) {
  if (steps.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const IteratorStep& step : steps) rows.push_back({step.name, step.text});
  return "\niterator, step by step\n" + table_text(rows);
}

}  // namespace

std::string category_of(DType dtype) { return std::string(name(category(dtype))); }

std::string kind_text(const OperandStep& step) {
  if (step.operand.dtype == DType::kUndefined) return "undefined";
  return std::string(name(step.operand.kind));
}

std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i + 1 < row.size() ? fmt::format(" {:<{}} ", row[i], widths[i]) : " " + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string explanation_text(const Explanation& told, const std::vector<IteratorStep>& steps) {
  return head_text(told) + steps_text(told) + dtypes_text(told) + iterator_text(steps);
}

}  // namespace upcast::tools
