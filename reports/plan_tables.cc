#include "reports/plan_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "cases/json_text.h"
#include "cases/visible.h"
#include "impl/core/error.h"
#include "reports/run_store.h"
#include "reports/shards.h"
#include "reports/xxh64.h"

namespace upcast::reports {
namespace {

using nlohmann::json;

/// The application id in the file's header, "upca": file(1) and upcast recognise run stores by it.
constexpr int64_t kApplicationId = 0x75706361;

/// The statements that create our tables, as SQLite keeps them in its schema. Changing even a blank
/// needs a new schema version.
constexpr struct {
  std::string_view name;
  const char* sql;
} kTables[] = {
    {"meta", R"(CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID)"},
    {"grid_row",
     R"(CREATE TABLE grid_row(id INTEGER PRIMARY KEY, op TEXT NOT NULL, family TEXT NOT NULL,
  schema TEXT NOT NULL, form TEXT NOT NULL, default_dtype TEXT NOT NULL, first INTEGER NOT NULL,
  count INTEGER NOT NULL, template TEXT NOT NULL, axes TEXT NOT NULL))"},
    {"block",
     R"(CREATE TABLE block(id INTEGER PRIMARY KEY, first INTEGER NOT NULL, count INTEGER NOT NULL,
  values_judged INTEGER NOT NULL, matched TEXT NOT NULL, columns BLOB NOT NULL,
  digest INTEGER NOT NULL))"},
    {"record",
     R"(CREATE TABLE record(case_index INTEGER PRIMARY KEY, line TEXT NOT NULL, verdict TEXT NOT NULL,
  known INTEGER NOT NULL, subject TEXT NOT NULL, oracle TEXT NOT NULL, signature TEXT NOT NULL))"},
    {"known", R"(CREATE TABLE known(id INTEGER PRIMARY KEY, name TEXT NOT NULL, class TEXT NOT NULL,
  selector TEXT NOT NULL, oracle_answer TEXT NOT NULL, kind TEXT NOT NULL, versions TEXT NOT NULL,
  reason TEXT NOT NULL, link TEXT NOT NULL, case_line TEXT NOT NULL, found TEXT NOT NULL,
  wrong TEXT NOT NULL, python TEXT NOT NULL, witness TEXT NOT NULL))"},
};

/// The most cases of a run: 68 times the grid full.
constexpr int64_t kMaxCases = int64_t{1} << 30;
/// The largest block size, the value of `upcast run --block`.
constexpr int64_t kMaxBlockSize = 1 << 20;

std::string dump(const json& value) { return dump_json(value); }

/// Reads the table meta, many keys by one statement: to prepare one takes longer than to run it.
class MetaReader {
 public:
  explicit MetaReader(const Database& database)
      : database_(database), select_(database.prepare("SELECT value FROM meta WHERE key = ?1")) {}

  /// The text of a key; "" if it has no row.
  std::string read(std::string_view key) {
    select_.bind(1, key);
    if (!select_.step()) return "";
    std::string text = select_.text(0);
    select_.run();
    return text;
  }
  const Database& database() const { return database_; }

 private:
  const Database& database_;
  Statement select_;
};

/// Reads a row of the table meta that must be a whole number, `least` or more.
int64_t read_number(MetaReader& meta, std::string_view key, int64_t least) {
  const std::string text = meta.read(key);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least) {
    meta.database().fail_damaged(fmt::format("meta {} is '{}'", key, text));
  }
  return value;
}

Shard stored_shard(MetaReader& meta) {
  const std::string text = meta.read("shard");
  const auto shard = read_shard(text);
  if (!shard) meta.database().fail_damaged(fmt::format("meta shard is '{}'", text));
  return *shard;
}

json claim_json(const Claim& claim) {
  return {{"cases", claim.whole.cases},
          {"ops", claim.whole.ops},
          {"claimed_cases", claim.claimed.cases},
          {"claimed_ops", claim.claimed.ops},
          {"selection", claim.selection}};
}

std::optional<Claim> read_claim(MetaReader& meta) {
  const std::string text = meta.read("claim");
  if (text.empty()) return std::nullopt;
  try {
    const json read = read_json(text);
    return Claim{.whole = {read.at("cases"), read.at("ops")},
                 .claimed = {read.at("claimed_cases"), read.at("claimed_ops")},
                 .selection = read.at("selection")};
  } catch (const json::exception&) {
    meta.database().fail_damaged("meta claim");
  }
}

std::vector<GridRow> read_rows(const Database& database, Xxh64& digest) {
  std::vector<GridRow> rows;
  Statement select = database.prepare(
      "SELECT id, op, family, schema, form, default_dtype, first, count, template, axes "
      "FROM grid_row ORDER BY id");
  while (select.step()) {
    select.feed(digest, 10);
    GridRow row{.id = select.integer(0),
                .op = select.text(1),
                .family = select.text(2),
                .schema = select.text(3),
                .form = select.text(4),
                .default_dtype = select.text(5),
                .first = select.integer(6),
                .count = select.integer(7),
                .line_template = select.text(8),
                .axes = {}};
    // The ids must ascend: a damaged tree of the file may return the same page again and again.
    if (!rows.empty() && row.id <= rows.back().id) database.fail_damaged("the order of grid_row");
    try {
      row.axes = read_json(select.text(9)).get<std::vector<std::vector<std::string>>>();
    } catch (const json::exception&) {
      database.fail_damaged(fmt::format("the axes of row {}", row.id));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<KnownEntry> read_known(const Database& database, Xxh64& digest) {
  std::vector<KnownEntry> entries;
  Statement select = database.prepare(
      "SELECT id, name, class, selector, oracle_answer, kind, versions, reason, link, case_line, "
      "found, wrong, python, witness FROM known ORDER BY id");
  while (select.step()) {
    select.feed(digest, 14);
    if (select.integer(0) != std::ssize(entries) + 1 || entries.size() >= 255)
      database.fail_damaged("the ids of known");
    entries.push_back({.id = static_cast<int>(select.integer(0)),
                       .name = select.text(1),
                       .difference_class = select.text(2),
                       .selector = select.text(3),
                       .oracle_answer = select.text(4),
                       .kind = select.text(5),
                       .versions = select.text(6),
                       .reason = select.text(7),
                       .found = select.text(10),
                       .link = select.text(8),
                       .case_line = select.text(9),
                       .wrong = select.text(11),
                       .python = select.text(12),
                       .witness = select.text(13)});
  }
  return entries;
}

/// A row of SQLite's schema: type, name, table, text.
using SchemaRow = std::array<std::string, 4>;

SchemaRow row_of_table(std::string_view name, std::string_view sql) {
  return {"table", std::string(name), std::string(name), std::string(sql)};
}

/// Throws unless the file has exactly our tables: no view or trigger that SQLite would run, no
/// column that it would compute. For a file of an earlier or later upcast, the error names its
/// version.
void check_schema(const Database& database) {
  std::set<SchemaRow> wanted, found;
  for (const auto& [name, sql] : kTables) wanted.insert(row_of_table(name, sql));
  Statement select = database.prepare(
      "SELECT type, name, tbl_name, CAST(ifnull(sql, '') AS BLOB) FROM sqlite_schema");
  while (select.step())
    found.insert({select.text(0), select.text(1), select.text(2), std::string(select.blob(3))});
  Statement mark = database.prepare("PRAGMA application_id");
  if (!found.contains(row_of_table(kTables[0].name, kTables[0].sql)) || !mark.step() ||
      mark.integer(0) != kApplicationId) {
    throw UsageError(fmt::format(
        "{}: an SQLite file, but not a run store; name a file that upcast run --out wrote",
        database.path()));
  }
  if (const std::string version = read_meta(database, "schema_version");
      version != std::to_string(kSchemaVersion)) {
    throw UsageError(fmt::format(
        "{}: written with schema version '{}', this upcast reads {}; use the upcast that wrote it, "
        "or run again",
        database.path(), visible(version), kSchemaVersion));
  }
  if (found != wanted) {
    throw UsageError(fmt::format(
        "{}: not a run store (its tables are not those that upcast makes); name a file that upcast "
        "run --out wrote",
        database.path()));
  }
}

void add_difference(std::string& text, std::string_view what, std::string_view wanted,
                    std::string_view stored) {
  if (wanted == stored) return;
  fmt::format_to(std::back_inserter(text), "{}{}: '{}' now, '{}' in the file",
                 text.empty() ? "" : "; ", what, wanted, stored);
}

/// Whether two declarations of a known difference are the same, except for their counts of cases.
/// Then a run may be resumed.
bool same_declaration(KnownEntry a, KnownEntry b) {
  a.hits = b.hits = a.matched = b.matched = 0;
  return a == b;
}

}  // namespace

std::string plan_fault(const RunPlan& plan) {
  if (plan.planned < 0 || plan.block_size < 1) return "a negative size";
  if (plan.planned > kMaxCases || plan.block_size > kMaxBlockSize)
    return "more cases than a run has";
  if (plan.shard.count < 1 || plan.shard.index < 0 || plan.shard.index >= plan.shard.count) {
    return "the shard";
  }
  int64_t next = 0;
  for (const GridRow& row : plan.rows) {
    int64_t product = 1;
    for (const auto& axis : row.axes) {
      if (axis.empty() || product > plan.planned) return fmt::format("the axes of row {}", row.id);
      product *= static_cast<int64_t>(axis.size());
    }
    if (row.count != product) return fmt::format("the count of row {}", row.id);
    if (row.first != next) return fmt::format("the first case of row {}", row.id);
    next += row.count;
  }
  if (next != plan.planned) return "the rows do not add up to planned";
  for (size_t i = 0; i < plan.known.size(); ++i) {
    if (plan.known[i].id != static_cast<int>(i) + 1 || i >= 255) return "the ids of known";
  }
  return "";
}

void write_plan(const Database& database, const RunPlan& plan) {
  check(plan_fault(plan).empty(), "a run's plan is sound");
  for (const auto& table : kTables) database.execute(table.sql);
  database.execute(fmt::format("PRAGMA application_id = {}", kApplicationId).c_str());
  write_meta(database, "schema_version", std::to_string(kSchemaVersion));
  write_meta(database, "upcast_version", plan.upcast_version);
  write_meta(database, "subject", plan.subject);
  write_meta(database, "oracle", plan.oracle);
  write_meta(database, "source", plan.source);
  write_meta(database, "planned", std::to_string(plan.planned));
  write_meta(database, "block_size", std::to_string(plan.block_size));
  write_meta(database, "shard", shard_text(plan.shard));
  write_meta(database, "plan_digest", plan.plan_digest);
  if (plan.claim) write_meta(database, "claim", dump(claim_json(*plan.claim)));
  write_meta(database, "judges_values", plan.judges_values ? "1" : "0");
  write_meta(database, "date", plan.date);
  write_meta(database, "environment", dump(plan.environment));
  write_meta(database, "seconds", "0");
  write_meta(database, "complete", "0");
  Statement row_insert =
      database.prepare("INSERT INTO grid_row VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
  for (const GridRow& row : plan.rows) {
    row_insert.bind(1, row.id).bind(2, row.op).bind(3, row.family).bind(4, row.schema);
    row_insert.bind(5, row.form).bind(6, row.default_dtype).bind(7, row.first).bind(8, row.count);
    row_insert.bind(9, row.line_template).bind(10, dump(row.axes)).run();
  }
  Statement known_insert = database.prepare(
      "INSERT INTO known VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)");
  for (const KnownEntry& entry : plan.known) {
    known_insert.bind(1, int64_t{entry.id}).bind(2, entry.name).bind(3, entry.difference_class);
    known_insert.bind(4, entry.selector).bind(5, entry.oracle_answer).bind(6, entry.kind);
    known_insert.bind(7, entry.versions).bind(8, entry.reason).bind(9, entry.link);
    known_insert.bind(10, entry.case_line).bind(11, entry.found).bind(12, entry.wrong);
    known_insert.bind(13, entry.python).bind(14, entry.witness).run();
  }
}

bool has_no_plan(const Database& database) {
  Statement select = database.prepare("SELECT count(*) FROM sqlite_schema");
  return select.step() && select.integer(0) == 0;
}

RunPlan read_plan_head(const Database& database) {
  check_schema(database);
  MetaReader meta(database);
  RunPlan plan;
  plan.upcast_version = meta.read("upcast_version");
  plan.subject = meta.read("subject");
  plan.oracle = meta.read("oracle");
  plan.source = meta.read("source");
  plan.planned = read_number(meta, "planned", 0);
  plan.block_size = read_number(meta, "block_size", 1);
  plan.shard = stored_shard(meta);
  plan.plan_digest = meta.read("plan_digest");
  plan.judges_values = meta.read("judges_values") != "0";
  plan.date = meta.read("date");
  plan.claim = read_claim(meta);
  try {
    plan.environment =
        read_json(meta.read("environment")).get<std::map<std::string, std::string>>();
  } catch (const json::exception&) {
    database.fail_damaged("meta environment");
  }
  return plan;
}

StoredPlan read_plan(const Database& database) {
  RunPlan plan = read_plan_head(database);
  Xxh64 digest;
  plan.rows = read_rows(database, digest);
  plan.known = read_known(database, digest);
  if (const std::string fault = plan_fault(plan); !fault.empty()) database.fail_damaged(fault);
  return {.plan = std::move(plan), .digest = digest.digest()};
}

std::string plan_difference(const RunPlan& stored, const RunPlan& wanted) {
  std::string text;
  add_difference(text, "source", wanted.source, stored.source);
  add_difference(text, "subject", wanted.subject, stored.subject);
  add_difference(text, "oracle", wanted.oracle, stored.oracle);
  add_difference(text, "upcast version", wanted.upcast_version, stored.upcast_version);
  add_difference(text, "cases", std::to_string(wanted.planned), std::to_string(stored.planned));
  add_difference(text, "block size", std::to_string(wanted.block_size),
                 std::to_string(stored.block_size));
  add_difference(text, "shard", shard_text(wanted.shard), shard_text(stored.shard));
  std::map<std::string, std::pair<std::string, std::string>> environment;
  for (const auto& [key, value] : wanted.environment) environment[key].first = value;
  for (const auto& [key, value] : stored.environment) environment[key].second = value;
  for (const auto& [key, values] : environment) {
    add_difference(text, key, values.first, values.second);
  }
  if (!std::equal(wanted.known.begin(), wanted.known.end(), stored.known.begin(),
                  stored.known.end(), same_declaration)) {
    text += text.empty() ? "" : "; ";
    text += "the known differences have changed";
  }
  if (stored.claim != wanted.claim) {
    text += text.empty() ? "" : "; ";
    text += "the subject's manifest has changed";
  }
  add_difference(text, "plan digest", wanted.plan_digest, stored.plan_digest);
  return text;
}

std::string read_meta(const Database& database, std::string_view key) {
  return MetaReader(database).read(key);
}

void write_meta(const Database& database, std::string_view key, std::string_view value) {
  database.prepare("INSERT OR REPLACE INTO meta VALUES(?1, ?2)").bind(1, key).bind(2, value).run();
}

}  // namespace upcast::reports
