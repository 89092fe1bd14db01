#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "cases/visible.h"
#include "oracle/verdict_json.h"
#include "oracle/verdict_text.h"
#include "reports/outputs/outputs.h"

namespace upcast::reports {
namespace {

/// A field of CSV by RFC 4180: quoted if that is needed. A spreadsheet reads a field that begins
/// with one of four characters as a formula, so a single quote is put before it (OWASP, CSV
/// injection).
std::string field(const std::string& cell) {
  const bool is_formula =
      !cell.empty() && std::string_view("=+-@").find(cell[0]) != std::string_view::npos;
  const std::string text = (is_formula ? "'" : "") + visible(cell);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::string rows_csv(const std::vector<RunData>& runs) {
  std::string out =
      "family,op,schema,form,default_dtype,template,cases,ran,agree,known,unexplained,not_"
      "judged,subject,oracle\r\n";
  for (const RunData& run : runs)
    for (const OpData& op : run.ops)
      for (const ReportRow& row : op.rows)
        fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n",
                       field(op.family), field(op.name), field(row.schema), field(row.form),
                       field(row.default_dtype), field(row.line_template), row.count,
                       row.counts.ran, row.counts.agree, row.counts.known, row.counts.unexplained,
                       row.counts.not_judged, field(run.summary.subject),
                       field(run.summary.oracle));
  return out;
}

void write_ndjson(const std::vector<const RunStore*>& stores, std::ostream& out) {
  using Json = nlohmann::ordered_json;
  const auto line = [&out](const Json& json) { out << dump_json(json) << '\n'; };
  Json run = {{"type", "run"}};
  run.update(Json::parse(summary_json(summarize(stores))));
  line(run);
  for (const RunStore* store : stores)
    store->for_each_record([&](const CaseRecord& row) {
      const size_t known = static_cast<size_t>(row.known);
      line({{"type", "record"},
            {"$schema", json_schemas::kRecord},
            {"case_index", row.case_index},
            {"line", row.line},
            {"verdict", name(row.verdict.code)},
            {"known", known == 0 ? "" : store->plan().known[known - 1].name},
            {"subject", row.subject},
            {"oracle", row.oracle},
            {"detail", sentence(row.verdict)},
            {"evidence", nlohmann::json(row.verdict)},
            {"signature", row.signature}});
    });
}

}  // namespace upcast::reports
