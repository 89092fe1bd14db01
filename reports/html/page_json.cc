#include "reports/html/page_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/html/planes.h"

namespace upcast::reports {
namespace {

using json = nlohmann::ordered_json;

std::string_view as_text(const std::vector<uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// The row's four columns as numbers of planes: verdict, known, subject, oracle xor subject.
json row_planes(const ReportRow& row, const RunColumns& columns, PlanePool& pool) {
  json numbers = json::array();
  const auto gather = [&row](const std::vector<uint8_t>& column) {
    std::vector<uint8_t> bytes;
    bytes.reserve(row.count);
    if (row.cases.empty()) {
      bytes.assign(column.begin() + row.first, column.begin() + row.first + row.count);
    } else {
      for (const int64_t index : row.cases) bytes.push_back(column[index]);
    }
    return bytes;
  };
  const std::vector<uint8_t> subject = gather(columns.subject);
  std::vector<uint8_t> difference = gather(columns.oracle);
  for (size_t i = 0; i < subject.size(); ++i) difference[i] ^= subject[i];
  numbers.push_back(pool.add(as_text(gather(columns.verdict))));
  numbers.push_back(pool.add(as_text(gather(columns.known))));
  numbers.push_back(pool.add(as_text(subject)));
  numbers.push_back(pool.add(as_text(difference)));
  return numbers;
}

json row_json(const ReportRow& row, const RunColumns& columns, PlanePool& pool) {
  json out;
  out["schema"] = row.schema;
  out["form"] = row.form;
  out["def"] = row.default_dtype;
  out["tpl"] = row.line_template;
  out["axes"] = row.axes;
  if (!row.out_axes.empty()) out["outs"] = row.out_axes;
  out["first"] = row.first;
  if (!row.cases.empty()) out["cases"] = row.cases;
  out["n"] = row.count;
  out["bad"] = row.counts.unexplained;
  out["known"] = row.counts.known;
  out["planes"] = row_planes(row, columns, pool);
  return out;
}

json op_json(const OpData& op, const RunColumns& columns, PlanePool& pool) {
  json out;
  out["name"] = op.name;
  out["family"] = op.family;
  out["ran"] = op.counts.ran;
  out["known"] = op.counts.known;
  out["bad"] = op.counts.unexplained;
  out["unjudged"] = op.counts.not_judged;
  json cells = json::array();
  for (const auto& [dtype, cell] : op.dtypes) {
    cells.push_back({dtype, cell.subject, cell.oracle, cell.cases, cell.known, cell.unexplained,
                     cell.not_judged});
  }
  out["dtypes"] = std::move(cells);
  json rows = json::array();
  for (const ReportRow& row : op.rows) rows.push_back(row_json(row, columns, pool));
  out["rows"] = std::move(rows);
  return out;
}

json axis_json(const std::vector<std::string>& tokens) {
  json axis = json::array();
  for (const std::string& text : tokens) {
    const Token token = parse_token(text);
    axis.push_back({text, static_cast<int>(token.kind), code(token.dtype)});
  }
  return axis;
}

json run_json(const RunData& data) {
  const Summary& summary = data.summary;
  json run;
  run["subject"] = summary.subject;
  run["oracle"] = summary.oracle;
  run["source"] = summary.source;
  run["ran"] = summary.counts.ran;
  PlanePool pool;
  json ops = json::array();
  for (const OpData& op : data.ops) ops.push_back(op_json(op, data.columns, pool));
  json axes = json::array();
  for (const auto& tokens : data.axes) axes.push_back(axis_json(tokens));
  json known = json::array();
  for (const KnownEntry& entry : summary.known) known.push_back({entry.name, entry.reason});
  json records = json::array();
  for (const RecordRow& row : data.records) {
    records.push_back({row.case_index, row.subject, row.oracle, row.detail});
  }
  run["known"] = std::move(known);
  // Case lists make token lists that are as long as the list itself: these compress well.
  run["axes"] = base64(deflated(dump(axes)));
  run["records"] = base64(deflated(dump(records)));
  run["ops"] = std::move(ops);
  run["planes"] = pool.planes();
  return run;
}

}  // namespace

std::string page_json(const std::vector<RunData>& runs) {
  json page;
  json dtypes = json::array();
  for (int i = 0; i < kDTypeCount; ++i) {
    const DTypeInfo& row = info(dtype_from_code(i));
    dtypes.push_back({row.name, i == code(DType::kBool) ? "bool" : row.short_name,
                      name(row.category), row.bytes});
  }
  page["dtypes"] = std::move(dtypes);
  page["refusals"] = kRejectionNames;
  json verdicts = json::array();
  for (int i = 0; i < kVerdictCount; ++i) {
    verdicts.push_back(verdict_name(static_cast<VerdictByte>(i)));
  }
  page["verdicts"] = std::move(verdicts);
  json list = json::array();
  for (const RunData& run : runs) list.push_back(run_json(run));
  page["runs"] = std::move(list);
  const std::string text = dump(page);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace upcast::reports
