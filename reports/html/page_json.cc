#include "reports/html/page_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "oracle/verdict_json.h"
#include "oracle/verdict_text.h"
#include "reports/html/book_planes.h"
#include "reports/html/packed_rows.h"
#include "reports/html/planes.h"
#include "reports/html/stories.h"
#include "reports/html/upstream.h"
#include "reports/side_json.h"

namespace upcast::reports {
namespace {

using json = nlohmann::ordered_json;

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json op_json(const OpData& op) {
  json out;
  out["name"] = op.name;
  out["family"] = op.family;
  out["ran"] = op.counts.ran;
  out["known"] = op.counts.known;
  out["bad"] = op.counts.unexplained;
  out["unjudged"] = op.counts.not_judged;
  out["truth"] = {op.truth.with_subject, op.truth.with_oracle, op.truth.with_neither,
                  op.truth.undecided};
  json cells = json::array();
  for (const auto& [dtype, cell] : op.dtypes) {
    cells.push_back({dtype, cell.subject, cell.oracle, cell.cases, cell.known, cell.unexplained,
                     cell.not_judged});
  }
  out["dtypes"] = std::move(cells);
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

/// What is no https address stands as text in the section of known differences only.
json links_json(const KnownEntry& entry) {
  json links = json::array();
  for (const UpstreamLink& link : upstream_links(entry.link))
    if (!link.address.empty()) links.push_back({link.text, link.address});
  return links;
}

Blame blame_of_record(const RunData& data, const CaseRecord& row) {
  const auto at = static_cast<size_t>(row.case_index);
  const uint8_t verdict = data.columns.verdict[at];
  if (verdict == RunColumns::kNotStored) return Blame::kNobody;
  const uint8_t known = data.columns.known[at];
  return blame_of(
      static_cast<VerdictCode>(verdict), known == 0 ? nullptr : &data.summary.known.at(known - 1U),
      data.columns.subject[at], data.columns.oracle[at], blame_told(row.verdict.ruling));
}

json run_json(const RunData& data, const CaseTeller& teller) {
  const Summary& summary = data.summary;
  json run;
  run["subject"] = summary.subject;
  run["oracle"] = summary.oracle;
  run["sides"] = {{"subject", side_json(summary.subject)}, {"oracle", side_json(summary.oracle)}};
  run["source"] = summary.source;
  run["ran"] = summary.counts.ran;
  json ops = json::array();
  for (const OpData& op : data.ops) ops.push_back(op_json(op));
  json axes = json::array();
  for (const auto& tokens : data.axes) axes.push_back(axis_json(tokens));
  json known = json::array();
  for (const KnownEntry& entry : summary.known)
    known.push_back({entry.name, entry.reason, entry.selector, links_json(entry),
                     entry.difference_class, static_cast<int>(blame_of(entry))});
  json records = json::array();
  for (const CaseRecord& row : data.records) {
    records.push_back({{"case", row.case_index},
                       {"subject", row.subject},
                       {"oracle", row.oracle},
                       {"told", sentence(row.verdict)},
                       {"blame", name(blame_of_record(data, row))},
                       {"verdict", nlohmann::json(row.verdict)}});
  }
  run["known"] = std::move(known);
  // Case lists make token lists that are as long as the list itself: these compress well.
  run["axes"] = base64(deflated(dump(axes)));
  run["records"] = base64(deflated(dump(records)));
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
    for (const WorstInput& input : row.worst) worst.push_back({input.input, input.ulp});
    const auto bound = table.bounds.find({row.op, row.dtype});
    const bool has_bound =  // an infinite one claims nothing
        bound != table.bounds.end() && row.side == "impl:cpu" && std::isfinite(bound->second);
    rows.push_back({row.op, code(row.dtype), row.side, row.version, row.with, row.max_ulp,
                    row.mean_ulp, row.correctly_rounded, row.misplaced, row.undecided, row.inputs,
                    row.exhaustive, has_bound ? json(bound->second) : json(), worst, row.edges,
                    row.histogram, row.date});
  }
  return {{"sides", sides}, {"rows", base64(deflated(dump(rows)))}, {"n", rows.size()}};
}

json changes_json(const std::optional<Changes>& changes) {
  json rows = json::array();
  if (!changes) return rows;
  const auto side = [](const std::string& verdict, const std::string& subject) {
    return verdict.empty() ? std::string("not there") : verdict + ": " + subject;
  };
  for (const DiffRow& row : changes->diff.rows)
    rows.push_back({change_name(row.change), row.line, side(row.old_verdict, row.old_subject),
                    side(row.new_verdict, row.new_subject), row.new_case});
  return rows;
}

json campaign_json(const Campaign& campaign) {
  json findings = json::array();
  for (const CampaignFinding& finding : campaign.findings)
    findings.push_back({finding.signature, finding.line, finding.subject, finding.oracle});
  json samples = json::array();
  for (const CampaignSample& sample : campaign.samples)
    samples.push_back({sample.seconds, sample.cases, sample.features, sample.findings});
  json ops = json::array();
  for (const OpTuples& each : campaign.ops)
    ops.push_back({each.op, each.counts.possible, each.counts.asked, each.counts.answered});
  return {{"target", campaign.target}, {"findings", findings}, {"samples", samples}, {"ops", ops}};
}

}  // namespace

std::string page_json(const std::vector<RunData>& runs, const std::optional<Changes>& changes,
                      const ReportInput& input) {
  json page;
  json dtypes = json::array();
  for (int i = 0; i < kDTypeCount; ++i) {
    const DTypeInfo& row = info(dtype_from_code(i));
    dtypes.push_back({row.name, i == code(DType::kBool) ? "bool" : row.short_name,
                      name(row.category), row.bytes});
  }
  page["dtypes"] = std::move(dtypes);
  page["refusals"] = kRejectionNames;
  page["verdicts"] = kVerdictNames;
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
