#include "reports/html/book_planes.h"

#include <algorithm>
#include <map>

#include "reports/html/planes.h"

namespace upcast::reports {
namespace {

using json = nlohmann::ordered_json;

bool is_operand(const std::string& token) { return parse_token(token).kind != TokenKind::kOther; }

/// Whether a row's cells are pairs of dtypes: two operands vary, and nothing else. A third operand
/// or an out= tensor would make other cells.
bool asks_a_pair(const RunData& data, const ReportRow& row) {
  if (row.axes.size() != 2 || !row.out_axes.empty() || !row.cases.empty()) return false;
  return std::all_of(row.axes.begin(), row.axes.end(), [&data](int axis) {
    const auto& tokens = data.axes[static_cast<std::size_t>(axis)];
    return std::all_of(tokens.begin(), tokens.end(), is_operand);
  });
}

GridRow grid_row(const RunData& data, const ReportRow& row) {
  GridRow question;
  question.schema = row.schema;
  question.form = row.form;
  question.default_dtype = row.default_dtype;
  question.count = row.count;
  question.line_template = row.line_template;
  for (const int axis : row.axes)
    question.axes.push_back(data.axes[static_cast<std::size_t>(axis)]);
  return question;
}

}  // namespace

BookPlanes::BookPlanes(const BookShelf& shelf) : shelf_(shelf), books_(shelf.books.size()) {}

int64_t BookPlanes::place(Book& book, std::string plane) {
  const bool is_silent = std::all_of(plane.begin(), plane.end(), [](char byte) {
    return static_cast<AnswerByte>(byte) == kNotRunByte;
  });
  if (is_silent) return -1;
  const auto size = static_cast<int64_t>(book.column.size());
  const auto [entry, is_new] = book.places.try_emplace(std::move(plane), size);
  if (is_new) book.column += entry->first;
  return entry->second;
}

json BookPlanes::add(const RunData& data) {
  // Books are shown on maps, which a summed run does not have.
  if (!shelf_.ask || !data.rulebooks.empty() || data.is_summed) return nullptr;
  // Sets of planes by their places. Most rows have the same set as another row.
  std::map<std::vector<int64_t>, std::size_t> sets;
  json rows = json::array();
  json numbers = json::array();
  json all_places = json::array();
  int64_t number = 0;
  int64_t last = 0;
  for (const OpData& op : data.ops) {
    for (const ReportRow& row : op.rows) {
      const int64_t here = number++;
      if (!asks_a_pair(data, row)) continue;
      std::vector<std::string> planes = shelf_.ask(grid_row(data, row));
      std::vector<int64_t> places;
      for (std::size_t i = 0; i < planes.size(); ++i)
        places.push_back(place(books_[i], std::move(planes[i])));
      if (std::all_of(places.begin(), places.end(), [](int64_t at) { return at < 0; })) continue;
      const auto [set, is_new] = sets.try_emplace(places, sets.size());
      if (is_new) all_places.push_back(places);
      rows.push_back(here - last);
      numbers.push_back(set->second);
      last = here;
    }
  }
  if (rows.empty()) return nullptr;
  const json packed{{"rows", rows}, {"sets", numbers}, {"places", all_places}};
  return base64(deflated(packed.dump()));
}

json BookPlanes::finish() const {
  json books = json::array();
  bool has_planes = false;
  for (std::size_t i = 0; i < books_.size(); ++i) {
    const BookTitle& book = shelf_.books[i];
    books.push_back({{"name", book.name},
                     {"title", book.title},
                     {"version", book.version},
                     {"planes", base64(deflated(books_[i].column))}});
    has_planes |= !books_[i].column.empty();
  }
  return has_planes ? books : json();
}

}  // namespace upcast::reports
