// The answers of rule books for the page: the planes of each book in one packed column.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/book_shelf.h"
#include "reports/run_data.h"

namespace upcast::reports {

/// Asks the books of a report. It keeps each different plane once for each book, because most ops,
/// and most default dtypes, promote alike.
class BookPlanes {
 public:
  explicit BookPlanes(const BookShelf& shelf);

  /// What the books say of the run's rows of two operands, packed {rows [less than the one before],
  /// sets [number], places [[where a plane begins in each book's column, or -1]]}; null where there
  /// are none. A run of rule books has none: its cells are no calls.
  nlohmann::ordered_json add(const RunData& data);

  /// [[name, title, version, packed column]] of the books, after all runs are added. Null without
  /// any plane.
  nlohmann::ordered_json finish() const;

 private:
  struct Book {
    std::string column{};
    std::unordered_map<std::string, int64_t> places{};  // plane -> the place where it begins
  };
  int64_t place(Book& book, std::string plane);

  const BookShelf& shelf_;
  std::vector<Book> books_;
};

}  // namespace upcast::reports
