#include "reports/rulebook_fold.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/summary.h"

namespace upcast::reports {
namespace {

constexpr std::string_view kAgainst = " against table:";

/// What a row of the plan asks, as indices into the fold: which pair of a book and a table, or
/// which system and question.
struct Place {
  size_t pair = 0;
  size_t system = 0, question = 0;
  bool compares = false;
};

size_t pair_index(RulebookFold& fold, const std::string& family) {
  const size_t middle = family.find(kAgainst);
  const std::string book = family.substr(0, middle);
  const std::string table = family.substr(middle + kAgainst.size());
  for (size_t i = 0; i < fold.pairs.size(); ++i)
    if (fold.pairs[i].book == book && fold.pairs[i].table == table) return i;
  fold.pairs.push_back({book, table});
  return fold.pairs.size() - 1;
}

/// The kind of operand that a text means: "[2]" for "int64[2]", "number" for "1.5".
std::string operand_kind(const std::string& token) {
  const size_t bracket = token.find('[');
  return bracket == std::string::npos ? "number" : token.substr(bracket);
}

ComparedAxes axes_of(const GridRow& row) {
  const std::string left = "a" + operand_kind(row.axes[0].front());
  if (row.axes.size() == 1)
    return {row.schema, fmt::format("{}({})", row.schema, left), row.axes[0], {""}};
  const std::string kind = operand_kind(row.axes[1].front());
  return {row.schema,
          fmt::format("{}({}, {})", row.schema, left, kind == "number" ? kind : "b" + kind),
          row.axes[0], row.axes[1]};
}

size_t system_index(RulebookFold& fold, const std::string& name) {
  for (size_t i = 0; i < fold.systems.size(); ++i)
    if (fold.systems[i].name == name) return i;
  fold.systems.push_back({name, {}});
  return fold.systems.size() - 1;
}

Place place_of(RulebookFold& fold, const GridRow& row) {
  Place place;
  if (row.family != kComparedFamily) {
    place.pair = pair_index(fold, row.family);
    ++fold.pairs[place.pair].tables;
    return place;
  }
  place.compares = true;
  place.system = system_index(fold, row.op);
  auto& answers = fold.systems[place.system].answers;
  place.question = answers.size();
  answers.emplace_back(static_cast<size_t>(row.count), kNotRunByte);
  if (place.question == fold.questions.size()) fold.questions.push_back(axes_of(row));
  return place;
}

void count(PairCounts& counts, VerdictCode verdict, AnswerByte subject, AnswerByte oracle) {
  ++counts.cells;
  counts.agree += verdict == VerdictCode::kAgree;
  counts.declared += verdict == VerdictCode::kKnown;
  counts.unexplained += is_failure(verdict);
  if (verdict != VerdictCode::kNotJudged) return;
  // If the book does not know a dtype, the store has no answer of the library either.
  ++(subject != kNotRunByte  ? counts.no_kernel
     : oracle == kNotRunByte ? counts.outside
                             : counts.silent);
}

/// Makes lines of the rows of a table. Each column is as wide as its widest cell.
std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string line = " ";
    for (size_t i = 0; i < row.size(); ++i) {
      line += i < 1 ? fmt::format(" {:<{}}", row[i], widths[i])
                    : fmt::format("  {:>{}}", row[i], widths[i]);
    }
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::vector<std::string>> pair_rows(const RulebookFold& fold) {
  std::vector<std::vector<std::string>> rows{{"rule book against table", "tables", "cells", "agree",
                                              "declared", "outside", "silent", "no kernel",
                                              "unexplained"}};
  const auto add = [&rows](const std::string& name, const PairCounts& counts) {
    rows.push_back({name, grouped(counts.tables), grouped(counts.cells), grouped(counts.agree),
                    grouped(counts.declared), grouped(counts.outside), grouped(counts.silent),
                    grouped(counts.no_kernel), grouped(counts.unexplained)});
  };
  for (const PairCounts& pair : fold.pairs) add(pair.book + " / " + pair.table, pair);
  if (fold.pairs.size() > 1) add("all", fold.total());
  return rows;
}

std::vector<std::vector<std::string>> system_rows(const RulebookFold& fold) {
  std::vector<std::vector<std::string>> rows{{"% of cells alike"}};
  for (const SystemAnswers& system : fold.systems) rows.front().push_back(system.name);
  for (const SystemAnswers& a : fold.systems) {
    std::vector<std::string> row{a.name};
    for (const SystemAnswers& b : fold.systems) {
      const Agreement agreement = compare_systems(a, b);
      row.push_back(agreement.both == 0
                        ? "-"
                        : fmt::format("{:.0f}", 100.0 * static_cast<double>(agreement.alike) /
                                                    static_cast<double>(agreement.both)));
    }
    rows.push_back(row);
  }
  return rows;
}

std::string markdown(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("| {} |\n", fmt::join(rows[i], " | "));
    if (i > 0) continue;
    text += "|";
    for (size_t column = 0; column < rows[i].size(); ++column)
      text += column == 0 ? " --- |" : " ---: |";
    text += "\n";
  }
  return text;
}

}  // namespace

std::string pair_family(std::string_view book, std::string_view table) {
  return fmt::format("{}{}{}", book, kAgainst, table);
}

void PairCounts::add(const PairCounts& other) {
  tables += other.tables;
  cells += other.cells;
  agree += other.agree;
  declared += other.declared;
  outside += other.outside;
  silent += other.silent;
  no_kernel += other.no_kernel;
  unexplained += other.unexplained;
}

PairCounts RulebookFold::total() const {
  PairCounts sum;
  for (const PairCounts& pair : pairs) sum.add(pair);
  return sum;
}

bool answer_alike(AnswerByte a, AnswerByte b) { return a == b || (is_refusal(a) && is_refusal(b)); }

Agreement compare_systems(const SystemAnswers& a, const SystemAnswers& b, size_t question) {
  Agreement agreement;
  const auto& left = a.answers[question];
  const auto& right = b.answers[question];
  for (size_t i = 0; i < left.size() && i < right.size(); ++i) {
    if (left[i] == kNotRunByte || right[i] == kNotRunByte) continue;
    ++agreement.both;
    agreement.alike += answer_alike(left[i], right[i]);
  }
  return agreement;
}

Agreement compare_systems(const SystemAnswers& a, const SystemAnswers& b) {
  Agreement sum;
  for (size_t question = 0; question < a.answers.size(); ++question) {
    const Agreement one = compare_systems(a, b, question);
    sum.both += one.both;
    sum.alike += one.alike;
  }
  return sum;
}

RulebookFold fold_rulebooks(const std::vector<const RunStore*>& stores) {
  RulebookFold fold;
  if (stores.front()->plan().source != "grid rulebooks") return fold;
  const std::vector<GridRow>& rows = stores.front()->rows();
  std::vector<Place> places;
  places.reserve(rows.size());
  for (const GridRow& row : rows) places.push_back(place_of(fold, row));
  for (const RunStore* store : stores) {
    store->for_each_block([&](const BlockResult& block) {
      for (int64_t i = 0; i < block.count; ++i) {
        const auto at = static_cast<size_t>(i);
        const GridRow& row = row_of(rows, block.first + i);
        const Place& place = places[static_cast<size_t>(row.id)];
        if (place.compares) {
          fold.systems[place.system]
              .answers[place.question][static_cast<size_t>(block.first + i - row.first)] =
              block.subject[at];
        } else {
          count(fold.pairs[place.pair], block.verdict[at], block.subject[at], block.oracle[at]);
        }
      }
    });
  }
  return fold;
}

std::vector<std::string> rulebook_text(const RulebookFold& fold) {
  std::vector<std::string> lines;
  if (!fold.pairs.empty()) lines = aligned(pair_rows(fold));
  if (fold.systems.size() < 2) return lines;
  lines.emplace_back();
  for (std::string& line : aligned(system_rows(fold))) lines.push_back(std::move(line));
  return lines;
}

std::string rulebook_markdown(const RulebookFold& fold) {
  std::string text;
  if (!fold.pairs.empty()) text += markdown(pair_rows(fold));
  if (fold.systems.size() > 1) text += "\n" + markdown(system_rows(fold));
  return text;
}

}  // namespace upcast::reports
