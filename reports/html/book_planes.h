// The answers of rule books for the page. All planes of a book are in one packed column.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/book_shelf.h"
#include "reports/run_data.h"

namespace upcast::reports {

/// Asks rule books about the rows of a report's runs. It keeps equal planes of a book once, because
/// most ops, and most default dtypes, promote alike.
class BookPlanes {
 public:
  explicit BookPlanes(const BookShelf& shelf);

  /// The answers of the books to the run's rows of two operands, packed as {rows [less than the one
  /// before], sets [number], places [[where a plane begins in each book's column, or -1]]}. Null if
  /// there are no such rows. A run of rule books has none: its cells are no calls.
  nlohmann::ordered_json add(const RunData& data);

  /// The books as [[name, title, version, packed column]]. To be called after all runs are added.
  /// Null without any plane.
  nlohmann::ordered_json finish() const;

 private:
  struct Book {
    std::string column{};
    std::unordered_map<std::string, int64_t> places{};  // where each plane begins in the column
  };
  int64_t place(Book& book, std::string plane);

  const BookShelf& shelf_;
  std::vector<Book> books_;
};

}  // namespace upcast::reports
