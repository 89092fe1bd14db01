#include "reports/html/packed_rows.h"

#include <array>
#include <map>

#include "cases/json_text.h"
#include "reports/html/planes.h"
#include "reports/verdict_look.h"

namespace upcast::reports {
namespace {

using json = nlohmann::ordered_json;

/// The byte columns of a row: a byte for each case. `difference` is oracle xor subject. `wrong` is
/// a Blame; 0 if the case's known difference has it. Both columns are mostly 0.
constexpr std::array<const char*, 5> kColumnNames{"verdict", "known", "subject", "difference",
                                                  "wrong"};
using Columns = std::array<std::string, kColumnNames.size()>;

void add_case(Columns& bytes, const RunData& data, int64_t index) {
  const CaseBytes said = data.bytes(index);
  bytes[0] += static_cast<char>(said.verdict);
  bytes[1] += static_cast<char>(said.known);
  bytes[2] += static_cast<char>(said.subject);
  bytes[3] += static_cast<char>(said.oracle ^ said.subject);
  const KnownEntry* const known = data.summary.entry(said.known);
  const Blame blame = blame_of_case(data, index);
  bytes[4] +=
      static_cast<char>(known != nullptr && blame == blame_of(*known) ? Blame::kNone : blame);
}

/// The columns of the row's cases at these places.
Columns columns_at(const std::vector<int64_t>& places, const ReportRow& row, const RunData& data) {
  Columns bytes;
  for (const int64_t place : places) add_case(bytes, data, row.case_at(place));
  return bytes;
}

Columns columns_of(const ReportRow& row, const RunData& data) {
  Columns bytes;
  for (std::string& column : bytes) column.reserve(static_cast<size_t>(row.count));
  for (int64_t place = 0; place < row.count; ++place) add_case(bytes, data, row.case_at(place));
  return bytes;
}

/// The places of the row's cases that a summed run lists.
std::vector<int64_t> listed_places(const ReportRow& row, const RunData& data) {
  std::vector<int64_t> places;
  if (row.cases.empty()) {
    const auto end = data.listed.lower_bound(row.first + row.count);
    for (auto at = data.listed.lower_bound(row.first); at != end; ++at)
      places.push_back(at->first - row.first);
  } else {
    for (int64_t place = 0; place < row.count; ++place)
      if (data.listed.contains(row.cases[place])) places.push_back(place);
  }
  return places;
}

/// Numbers texts in the order in which they first appear.
class TextTable {
 public:
  size_t number(const std::string& text) {
    const auto [at, is_new] = numbers_.try_emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return at->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, size_t> numbers_;
  std::vector<std::string> texts_;
};

class RowPacker {
 public:
  void add(const ReportRow& row, const RunData& data) {
    text("schema", row.schema);
    text("form", row.form);
    text("def", row.default_dtype);
    columns_["tpl"].push_back(row.line_template);
    columns_["shape"].push_back(shape_number(row));
    columns_["n"].push_back(row.count);
    columns_["bad"].push_back(row.counts.unexplained);
    columns_["known"].push_back(row.counts.known);
    columns_["worst"].push_back(worst_of(row));
    columns_["first"].push_back(row.first - expected_);  // mostly 0
    expected_ = row.first + row.count;
    if (!row.cases.empty())
      columns_["cases"].push_back({{"row", number_}, {"steps", steps_of(row.cases)}});
    const Columns bytes = data.is_summed ? add_summed(row, data) : columns_of(row, data);
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (std::ssize(bytes[i]) > kSmallRow) {
        columns_["planes"][kColumnNames[i]].push_back(pool_.add(bytes[i]));
      } else {
        small_[i] += bytes[i];
      }
    }
    ++number_;
  }

  void end_op(size_t rows) { columns_["ops"].push_back(rows); }

  json finish(const RunData& data) {
    for (const auto& [key, table] : texts_) columns_[key + "_texts"] = table.texts();
    json small;
    for (size_t i = 0; i < small_.size(); ++i) small[kColumnNames[i]] = base64(deflated(small_[i]));
    const std::string rows = dump_json(columns_);
    return {{"summed", data.unlisted()},
            {"rows", base64(deflated(rows))},
            {"planes", pool_.planes()},
            {"small", small}};
  }

 private:
  void text(const std::string& key, const std::string& value) {
    columns_[key].push_back(texts_[key].number(value));
  }

  /// Adds which cases of the row are listed, and counts of the others by verdict. Returns the
  /// columns of the listed cases.
  Columns add_summed(const ReportRow& row, const RunData& data) {
    const std::vector<int64_t> places = listed_places(row, data);
    const Columns bytes = columns_at(places, row, data);
    std::map<int, int64_t> counts{{kNotStored, row.count - row.counts.ran}};
    for (size_t verdict = 0; verdict < row.counts.by_verdict.size(); ++verdict)
      counts[static_cast<int>(verdict)] = row.counts.by_verdict[verdict];
    for (const char verdict : bytes[0]) --counts[static_cast<uint8_t>(verdict)];
    json sums = json::array();
    for (const auto& [verdict, count] : counts)
      if (count != 0) sums.push_back({{"verdict", verdict}, {"n", count}});
    columns_["summed"].push_back({{"row", number_}, {"steps", steps_of(places)}, {"sums", sums}});
    return bytes;
  }

  /// The number of a row's shape: the axes that it has. Rows with the same axes have one shape.
  size_t shape_number(const ReportRow& row) {
    const auto [at, is_new] = shapes_.try_emplace({row.axes, row.out_axes}, shapes_.size());
    if (is_new) columns_["shapes"].push_back({{"axes", row.axes}, {"outs", row.out_axes}});
    return at->second;
  }

  /// The most severe verdict among a row's cases. "Not run" counts as one if some of the cases did
  /// not run.
  static int worst_of(const ReportRow& row) {
    const VerdictCode worst = row.counts.worst();
    const bool is_missing = row.counts.ran < row.count && kMissingLook.severity > severity(worst);
    return is_missing ? kNotStored : static_cast<int>(worst);
  }

  static std::vector<int64_t> steps_of(const std::vector<int64_t>& numbers) {
    std::vector<int64_t> steps;
    int64_t last = 0;
    for (const int64_t number : numbers) {
      steps.push_back(number - last);
      last = number;
    }
    return steps;
  }

  json columns_ = {{"ops", json::array()},   {"schema", json::array()}, {"form", json::array()},
                   {"def", json::array()},   {"tpl", json::array()},    {"shape", json::array()},
                   {"n", json::array()},     {"bad", json::array()},    {"known", json::array()},
                   {"worst", json::array()}, {"first", json::array()},  {"shapes", json::array()},
                   {"cases", json::array()}, {"summed", json::array()}, {"planes", json::object()}};
  std::map<std::string, TextTable> texts_;
  // The numbers of shapes. A shape is the pair of a row's axes and its axes of out=.
  std::map<std::pair<std::vector<int>, std::vector<int>>, size_t> shapes_;
  PlanePool pool_;
  Columns small_;
  int64_t expected_ = 0;
  int64_t number_ = 0;
};

}  // namespace

json packed_rows(const RunData& data) {
  RowPacker packer;
  for (const OpData& op : data.ops) {
    for (const ReportRow& row : op.rows) packer.add(row, data);
    packer.end_op(op.rows.size());
  }
  return packer.finish(data);
}

}  // namespace upcast::reports
