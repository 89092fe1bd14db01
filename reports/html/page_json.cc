#include "reports/html/page_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/json_text.h"
#include "oracle/verdict_json.h"
#include "oracle/verdict_text.h"
#include "reports/html/book_planes.h"
#include "reports/html/finding_rows.h"
#include "reports/html/findings_section.h"
#include "reports/html/packed_rows.h"
#include "reports/html/planes.h"
#include "reports/html/stories.h"
#include "reports/html/upstream.h"
#include "reports/side_json.h"
#include "reports/verdict_look.h"

namespace upcast::reports {
namespace {

using json = nlohmann::ordered_json;

std::string dump(const json& value) { return dump_json(value); }

/// Turns a list of objects with the same names into one array for each name, which is shorter.
json as_columns(const json& rows) {
  json columns = json::object();
  for (const json& row : rows)
    for (const auto& [key, value] : row.items()) columns[key].push_back(value);
  return columns;
}

json op_json(const OpData& op) {
  json out;
  out["name"] = op.name;
  out["family"] = op.family;
  out["ran"] = op.counts.ran;
  out["known"] = op.counts.known;
  out["bad"] = op.counts.unexplained;
  out["unjudged"] = op.counts.not_judged;
  out["worst"] = static_cast<int>(op.counts.worst());
  return out;
}

json look_json(const VerdictLook& look) {
  return {{"css", look.css}, {"glyph", look.glyph}, {"severity", look.severity}};
}

json tally_json(const OpData& op) {
  const json truth{{"subject", op.truth.with_subject},
                   {"oracle", op.truth.with_oracle},
                   {"neither", op.truth.with_neither},
                   {"undecided", op.truth.undecided}};
  json dtypes = json::array();
  for (const auto& [dtype, cell] : op.dtypes) {
    dtypes.push_back({{"dtype", dtype},
                      {"subject", cell.subject},
                      {"oracle", cell.oracle},
                      {"cases", cell.cases},
                      {"known", cell.known},
                      {"bad", cell.unexplained},
                      {"unjudged", cell.not_judged},
                      {"worst", static_cast<int>(cell.worst)}});
  }
  return {{"truth", truth}, {"dtypes", dtypes}};
}

json axis_json(const std::vector<std::string>& tokens) {
  json axis = json::array();
  for (const std::string& text : tokens) {
    const Token token = parse_token(text);
    axis.push_back(
        {{"text", text}, {"kind", static_cast<int>(token.kind)}, {"dtype", code(token.dtype)}});
  }
  return axis;
}

/// The links of a known difference. Those that are no https address are left out: the section of
/// known differences shows them as text.
json links_json(const KnownEntry& entry) {
  json links = json::array();
  for (const UpstreamLink& link : upstream_links(entry.link))
    if (!link.address.empty()) links.push_back({{"text", link.text}, {"address", link.address}});
  return links;
}

/// Who is wrong in a case without a record: a sentence for each Blame, by its index.
json wrong_json(const Summary& summary) {
  const CalledSides sides = summary.sides();
  json sentences = json::array();
  for (size_t i = 0; i < kBlameNames.size(); ++i)
    sentences.push_back(wrong_sentence(static_cast<Blame>(i), nullptr, nullptr, sides));
  return sentences;
}

json run_json(const RunData& data, const CaseTeller& teller) {
  const Summary& summary = data.summary;
  const CalledSides sides = summary.sides();
  json run;
  run["subject"] = summary.subject;
  run["oracle"] = summary.oracle;
  run["names"] = {{"subject", summary.subject_name()}, {"oracle", summary.oracle_name()}};
  run["sides"] = {{"subject", side_json(summary.subject)}, {"oracle", side_json(summary.oracle)}};
  run["source"] = summary.source;
  run["ran"] = summary.counts.ran;
  run["wrong"] = wrong_json(summary);
  json ops = json::array();
  json tallies = json::array();
  for (const OpData& op : data.ops) {
    ops.push_back(op_json(op));
    tallies.push_back(tally_json(op));
  }
  json axes = json::array();
  for (const auto& tokens : data.axes) axes.push_back(axis_json(tokens));
  json known = json::array();
  for (const KnownEntry& entry : summary.known)
    known.push_back({{"name", entry.name},
                     {"reason", entry.reason},
                     {"selector", entry.selector},
                     {"links", links_json(entry)},
                     {"class", entry.difference_class},
                     {"witness", entry.witness},
                     {"blame", name(blame_of(entry))},
                     {"wrong", wrong_sentence(blame_of(entry), &entry, nullptr, sides)}});
  json records = json::array();
  for (const CaseRecord& row : data.records) {
    const std::string wrong = wrong_sentence(blame_of_case(data, row.case_index),
                                             summary.entry(row.known), &row.verdict, sides);
    records.push_back({{"case", row.case_index},
                       {"subject", row.subject},
                       {"oracle", row.oracle},
                       {"told", sentence(row.verdict)},
                       {"wrong", wrong},
                       {"verdict", nlohmann::json(row.verdict)}});
  }
  run["known"] = std::move(known);
  // For a run of a case list, the list of tokens is as long as the list itself. It compresses well.
  run["axes"] = base64(deflated(dump(axes)));
  run["records"] = base64(deflated(dump(records)));
  run["tallies"] = base64(deflated(dump(tallies)));
  run["ops"] = std::move(ops);
  run.update(packed_rows(data));
  run["stories"] = stories_json(data, teller);
  return run;
}

json accuracy_json(const AccuracyTable& table) {
  json rows = json::array();
  json sides = json::array();
  for (const AccuracyRow& row : table.rows) {
    if (std::find(sides.begin(), sides.end(), row.side) == sides.end()) sides.push_back(row.side);
    json worst = json::array();
    for (const WorstInput& input : row.worst)
      worst.push_back({{"input", input.input}, {"ulp", input.ulp}});
    const auto bound = table.bounds.find({row.op, row.dtype});
    const bool has_bound =  // an infinite one claims nothing
        bound != table.bounds.end() && row.side == "impl:cpu" && std::isfinite(bound->second);
    rows.push_back({{"op", row.op},
                    {"dtype", code(row.dtype)},
                    {"side", row.side},
                    {"version", row.version},
                    {"attributes", row.with},
                    {"max", row.max_ulp},
                    {"mean", row.mean_ulp},
                    {"rounded", row.correctly_rounded},
                    {"misplaced", row.misplaced},
                    {"undecided", row.undecided},
                    {"inputs", row.inputs},
                    {"isExhaustive", row.exhaustive},
                    {"bound", has_bound ? json(bound->second) : json()},
                    {"worst", worst},
                    {"edges", row.edges},
                    {"histogram", row.histogram},
                    {"date", row.date}});
  }
  return {{"sides", sides}, {"rows", base64(deflated(dump(rows)))}, {"n", rows.size()}};
}

json changes_json(const std::optional<Changes>& changes) {
  json rows = json::array();
  if (!changes) return as_columns(rows);
  const auto side = [](const std::string& verdict, const std::string& subject) {
    return verdict.empty() ? std::string("not there") : verdict + ": " + subject;
  };
  for (const DiffRow& row : changes->diff.rows)
    rows.push_back({{"change", change_name(row.change)},
                    {"line", row.line},
                    {"before", side(row.old_verdict, row.old_subject)},
                    {"after", side(row.new_verdict, row.new_subject)},
                    {"case", row.new_case}});
  return as_columns(rows);
}

json campaign_json(const Campaign& campaign) {
  json findings = json::array();
  for (const CampaignFinding& finding : campaign.findings)
    findings.push_back({{"signature", finding.signature},
                        {"line", finding.line},
                        {"subject", finding.subject},
                        {"oracle", finding.oracle}});
  json samples = json::array();
  for (const CampaignSample& sample : campaign.samples)
    samples.push_back({{"seconds", sample.seconds},
                       {"cases", sample.cases},
                       {"features", sample.features},
                       {"findings", sample.findings}});
  json ops = json::array();
  for (const OpTuples& each : campaign.ops)
    ops.push_back({{"op", each.op},
                   {"possible", each.counts.possible},
                   {"asked", each.counts.asked},
                   {"answered", each.counts.answered}});
  return {{"target", campaign.target},
          {"findings", findings},
          {"samples", as_columns(samples)},
          {"ops", as_columns(ops)}};
}

}  // namespace

std::string page_json(const std::vector<RunData>& runs, const std::optional<Changes>& changes,
                      const ReportInput& input) {
  json page;
  json dtypes = json::array();
  for (int i = 0; i < kDTypeCount; ++i) {
    const DTypeInfo& row = info(dtype_from_code(i));
    dtypes.push_back({{"name", row.name},
                      {"short", i == code(DType::kBool) ? "bool" : row.short_name},
                      {"category", name(row.category)},
                      {"bytes", row.bytes}});
  }
  page["dtypes"] = std::move(dtypes);
  page["refusals"] = kRejectionNames;
  page["verdicts"] = kVerdictNames;
  page["looks"] = json::array();
  for (const VerdictLook& look : kVerdictLooks) page["looks"].push_back(look_json(look));
  page["missing"] = look_json(kMissingLook);
  page["blames"] = kBlameNames;
  json list = json::array();
  BookPlanes books(input.books);
  for (const RunData& run : runs) {
    list.push_back(run_json(run, input.teller));
    list.back()["books"] = books.add(run);
  }
  page["runs"] = std::move(list);
  page["books"] = books.finish();
  page["accuracy"] = accuracy_json(input.accuracy);
  page["changes"] = changes_json(changes);
  json campaigns = json::array();
  for (const Campaign& campaign : input.campaigns) campaigns.push_back(campaign_json(campaign));
  page["campaigns"] = std::move(campaigns);
  page["findings"] = findings_json(finding_rows(runs, input));
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
