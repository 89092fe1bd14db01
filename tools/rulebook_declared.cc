#include "tools/rulebook_declared.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "cases/counted.h"

namespace upcast::tools {
namespace {

/// How often a declaration explains two answers: {(number of the declaration, the book's answer,
/// the library's): count}.
using AnswerCounts =
    std::map<std::tuple<int, reports::AnswerByte, reports::AnswerByte>, std::int64_t>;

AnswerCounts count_answers(const reports::RunStore& store) {
  AnswerCounts counts;
  store.for_each_block([&](const BlockResult& block) {
    for (std::size_t i = 0; i < block.known.size(); ++i)
      if (block.known[i] != 0) ++counts[{block.known[i], block.subject[i], block.oracle[i]}];
  });
  return counts;
}

/// The byte by which a run store keeps the answer that a declaration's label names. The byte does
/// not tell whether a dtype is weak.
reports::AnswerByte byte_of_label(std::string_view label) {
  if (label.ends_with("*")) label.remove_suffix(1);
  return label == "refused" ? reports::answer_byte(RejectionCode::kPromotion)
                            : reports::answer_byte(labelled_dtype(label));
}

}  // namespace

std::vector<reports::KnownEntry> store_declared(const std::vector<DeclaredCells>& declared) {
  std::vector<reports::KnownEntry> entries;
  for (const DeclaredCells& entry : declared) {
    reports::KnownEntry known;
    known.id = static_cast<int>(entries.size()) + 1;
    known.name = entry.id;
    known.difference_class = entry.difference_class;
    known.selector =
        fmt::format("{} | {} | {}", entry.book, entry.table, fmt::join(entry.tables, ", "));
    for (const DeclaredAnswers& answers : entry.answers)
      known.oracle_answer +=
          fmt::format("{}{} where the book says {}: {}", known.oracle_answer.empty() ? "" : "; ",
                      answers.library_says, answers.book_says, answers.cells);
    known.kind = "dtype";
    known.versions = entry.table;
    known.reason = entry.reason;
    entries.push_back(std::move(known));
  }
  return entries;
}

std::vector<std::string> miscounted_lines(const RulebookSelection& selection,
                                          const std::vector<DeclaredCells>& declared,
                                          const reports::RunStore& store) {
  const AnswerCounts found = count_answers(store);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const DeclaredCells& entry = declared[i];
    const bool ran = std::any_of(
        selection.claimed.begin(), selection.claimed.end(), [&](const ClaimedTable& claimed) {
          return claimed.pair->book == entry.book && claimed.pair->table == entry.table;
        });
    if (!ran) continue;
    AnswerCounts wanted;
    for (const DeclaredAnswers& answers : entry.answers)
      wanted[{static_cast<int>(i) + 1, byte_of_label(answers.book_says),
              byte_of_label(answers.library_says)}] += answers.cells;
    for (const auto& [key, cells] : wanted) {
      const auto at = found.find(key);
      const std::int64_t hits = at == found.end() ? 0 : at->second;
      if (hits != cells)
        lines.push_back(
            fmt::format("declaration {}: the book says {} and the library {} in {}, but {} are "
                        "declared; correct its row",
                        entry.id, reports::answer_name(std::get<1>(key)),
                        reports::answer_name(std::get<2>(key)), counted(hits, "cell"), cells));
    }
  }
  return lines;
}

std::vector<std::string> silence_lines(const RulebookPairs& pairs,
                                       const reports::RulebookFold& fold) {
  std::vector<std::string> lines;
  for (const reports::PairCounts& counts : fold.pairs)
    for (const RulebookPair& pair : pairs.pairs)
      if (pair.book == counts.book && pair.table == counts.table && pair.silent != counts.silent)
        lines.push_back(
            fmt::format("{} says nothing about {} that {} answers, but `silent` declares {}; "
                        "correct the book or `silent`",
                        pair.book, counted(counts.silent, "cell"), pair.table, pair.silent));
  return lines;
}

std::vector<std::string> left_out_lines(const RulebookSelection& selection,
                                        const RulebookPairs& pairs, bool all) {
  // {a text of what was left out and why: (the number of tables, the number of cells)}
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> groups;
  for (const auto& [claimed, reason] : selection.left_out) {
    auto& [tables, cells] = groups[fmt::format("{} does not claim {}: {}", claimed.pair->book,
                                               claimed.pair->table, reason)];
    ++tables;
    cells += claimed.cells();
  }
  std::vector<std::string> lines;
  for (const auto& [text, counts] : groups)
    lines.push_back(fmt::format("{} ({}, {})", text, counted(counts.first, "table"),
                                counted(counts.second, "cell")));
  if (!all) return lines;
  for (const UnclaimedTables& entry : pairs.unclaimed)
    lines.push_back(fmt::format("no rule book claims {}: {} ({}, {})", entry.table, entry.reason,
                                counted(entry.tables, "table"), counted(entry.cells, "cell")));
  return lines;
}

}  // namespace upcast::tools
