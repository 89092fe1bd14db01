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

Columns columns_of(const ReportRow& row, const RunData& data) {
  const RunColumns& columns = data.columns;
  Columns bytes;
  const auto add = [&](int64_t index) {
    const uint8_t subject = columns.subject[index];
    bytes[0] += static_cast<char>(columns.verdict[index]);
    bytes[1] += static_cast<char>(columns.known[index]);
    bytes[2] += static_cast<char>(subject);
    bytes[3] += static_cast<char>(columns.oracle[index] ^ subject);
    const KnownEntry* const known = data.summary.entry(columns.known[index]);
    const Blame blame = blame_of_case(data, index);
    bytes[4] +=
        static_cast<char>(known != nullptr && blame == blame_of(*known) ? Blame::kNone : blame);
  };
  for (std::string& column : bytes) column.reserve(static_cast<size_t>(row.count));
  if (row.cases.empty()) {
    for (int64_t i = 0; i < row.count; ++i) add(row.first + i);
  } else {
    for (const int64_t index : row.cases) add(index);
  }
  return bytes;
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
    ++number_;
    const Columns bytes = columns_of(row, data);
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (row.count > kSmallRow) {
        columns_["planes"][kColumnNames[i]].push_back(pool_.add(bytes[i]));
      } else {
        small_[i] += bytes[i];
      }
    }
  }

  void end_op(size_t rows) { columns_["ops"].push_back(rows); }

  json finish() {
    for (const auto& [key, table] : texts_) columns_[key + "_texts"] = table.texts();
    json small;
    for (size_t i = 0; i < small_.size(); ++i) small[kColumnNames[i]] = base64(deflated(small_[i]));
    const std::string rows = dump_json(columns_);
    return {{"rows", base64(deflated(rows))}, {"planes", pool_.planes()}, {"small", small}};
  }

 private:
  void text(const std::string& key, const std::string& value) {
    columns_[key].push_back(texts_[key].number(value));
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
    return is_missing ? RunColumns::kNotStored : static_cast<int>(worst);
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
                   {"cases", json::array()}, {"planes", json::object()}};
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
  return packer.finish();
}

}  // namespace upcast::reports
