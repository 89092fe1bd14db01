#include "reports/run_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cases/json_text.h"
#include "impl/core/error.h"
#include "oracle/verdict_json.h"
#include "reports/block_codec.h"
#include "reports/database.h"
#include "reports/plan_tables.h"
#include "reports/sha256.h"

namespace upcast::reports {
namespace {

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// How many cases the plan puts into the block.
int64_t block_count(const RunPlan& plan, int64_t id) {
  return std::min(plan.block_size, plan.planned - id * plan.block_size);
}

/// The columns have one byte a case, and say nothing that contradicts itself.
void check_block(const RunPlan& plan, const BlockResult& block) {
  check(block.id >= 0 && block.id < plan.blocks() && plan.shard.owns(block.id),
        "a block of this shard");
  check(block.first == block.id * plan.block_size && block.count == block_count(plan, block.id),
        "a block covers the cases that the plan gives it");
  const auto count = static_cast<size_t>(block.count);
  check(block.verdict.size() == count && block.known.size() == count &&
            block.subject.size() == count && block.oracle.size() == count,
        "a block's columns have a byte a case");
  check(block.ruling.empty() || block.ruling.size() == count, "rulings are of all cases, or none");
  check(block.values_judged >= 0, "values are counted");
  for (size_t i = 0; i < count; ++i) {
    check(static_cast<size_t>(block.verdict[i]) < kVerdictNames.size(), "a verdict byte");
    check(block.known[i] <= plan.known.size(), "a known id of the plan");
    check((block.verdict[i] == VerdictCode::kKnown) == (block.known[i] != 0),
          "verdict known and a known id go together");
    check(is_answer(block.subject[i]) && is_answer(block.oracle[i]), "an answer byte");
  }
  int64_t previous = block.first - 1;
  for (const CaseRecord& row : block.records) {
    check(row.case_index > previous && row.case_index < block.first + block.count,
          "records are of the block, in order");
    check(row.known >= 0 && row.known <= std::ssize(plan.known), "a known id of the plan");
    previous = row.case_index;
  }
}

/// Selects what read_record reads; `where` ends it. Of a store of schema 1 the verdict's code alone
/// is read: what it found stands in a sentence there.
std::string select_records(const Database& database, std::string_view where) {
  const bool is_of_schema_1 = read_meta(database, "schema_version") == "1";
  return fmt::format("SELECT case_index, line, subject, oracle, {} FROM record {}",
                     is_of_schema_1
                         ? "json_object('code', verdict, 'found', verdict), ifnull((SELECT id FROM "
                           "known WHERE name = record.known), 0), ''"
                         : "verdict, known, signature",
                     where);
}

CaseRecord read_record(const Database& database, const RunPlan& plan, const Statement& select) {
  CaseRecord record{.case_index = select.integer(0),
                    .line = select.text(1),
                    .subject = select.text(2),
                    .oracle = select.text(3),
                    .signature = select.text(6)};
  const int64_t known = select.integer(5);
  if (known < 0 || known > std::ssize(plan.known))
    database.fail_damaged(fmt::format("the known difference of record {}", record.case_index));
  record.known = static_cast<int>(known);
  try {
    record.verdict = read_json(select.text(4)).get<Verdict>();
  } catch (const std::exception&) {  // no JSON, or not of a verdict
    database.fail_damaged(fmt::format("the verdict of record {}", record.case_index));
  }
  return record;
}

/// What a side said last may be no UTF-8.
std::string dump(const nlohmann::json& json) { return dump_json(json); }

/// Counts what each known difference explains in the block, or (-1) takes it away again.
void add_hits(const Database& database, const BlockResult& block, int64_t sign) {
  std::array<int64_t, 256> hits{};
  for (const uint8_t id : block.known) ++hits[id];
  Statement add = database.prepare("UPDATE known SET hits = hits + ?2 WHERE id = ?1");
  for (int id = 1; id < 256; ++id)
    if (hits[id] > 0) add.bind(1, int64_t{id}).bind(2, sign * hits[id]).run();
}

/// Feeds text to a digest with its length, so that neighbours cannot run into each other.
void feed(Sha256& digest, std::string_view text) {
  digest.update(fmt::format("{}:", text.size()));
  digest.update(text);
}

template <class Byte>
std::string_view as_text(const std::vector<Byte>& column) {
  return {reinterpret_cast<const char*>(column.data()), column.size()};
}

}  // namespace

RunStore::RunStore(std::unique_ptr<WriterLock> lock, std::unique_ptr<Database> database)
    : lock_(std::move(lock)), database_(std::move(database)), opened_at_ns_(now_ns()) {}
RunStore::~RunStore() = default;
RunStore::RunStore(RunStore&&) noexcept = default;

RunStore& RunStore::operator=(RunStore&& other) noexcept {
  database_.reset();  // closed before its lock is given up
  lock_ = std::move(other.lock_);
  database_ = std::move(other.database_);
  plan_ = std::move(other.plan_);
  earlier_seconds_ = other.earlier_seconds_;
  opened_at_ns_ = other.opened_at_ns_;
  return *this;
}

RunStore RunStore::create_or_resume(const std::string& path, const RunPlan& plan) {
  auto lock = std::make_unique<WriterLock>(path);
  auto database = std::make_unique<Database>(path, Database::Access::kWrite);
  const Database& file = *database;
  // With a write-ahead log a kill loses at most the transaction under way, and a block costs no
  // fsync.
  if (has_no_plan(file)) {
    file.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    file.transaction([&] { write_plan(file, plan); });
  } else {
    file.check_structure();
    const RunPlan stored = read_plan(file);
    if (read_meta(file, "schema_version") != std::to_string(kSchemaVersion)) {
      throw UsageError(fmt::format(
          "{}: begun by an earlier upcast, which alone goes on with it; name another --out, or "
          "remove the file",
          path));
    }
    if (const std::string difference = plan_difference(stored, plan); !difference.empty()) {
      throw UsageError(fmt::format(
          "{}: holds another run ({}); name another --out, or remove the file", path, difference));
    }
    if (read_meta(file, "complete") != "1") {
      file.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    }
  }
  RunStore store(std::move(lock), std::move(database));
  store.plan_ = read_plan(*store.database_);
  store.earlier_seconds_ = store.seconds();
  return store;
}

RunStore RunStore::open(const std::string& path) {
  auto database = std::make_unique<Database>(path, Database::Access::kRead);
  database->check_structure();
  RunStore store(nullptr, std::move(database));
  store.plan_ = read_plan(*store.database_);
  return store;
}

std::vector<bool> RunStore::blocks_done() const {
  std::vector<bool> done(plan_.blocks(), false);
  Statement select = database_->prepare("SELECT id, first, count FROM block");
  while (select.step()) {
    const int64_t id = select.integer(0);
    if (id < 0 || id >= plan_.blocks() || !plan_.shard.owns(id) ||
        select.integer(1) != id * plan_.block_size || select.integer(2) != block_count(plan_, id)) {
      database_->fail_damaged(fmt::format("block {} is not of the plan", id));
    }
    done[id] = true;
  }
  return done;
}

std::vector<int64_t> RunStore::blocks_pending() const {
  const std::vector<bool> done = blocks_done();
  std::vector<int64_t> pending;
  for (int64_t id = plan_.shard.index; id < plan_.blocks(); id += plan_.shard.count) {
    if (!done[id]) pending.push_back(id);
  }
  return pending;
}

std::vector<int64_t> RunStore::blocks_timed_out() const {
  std::vector<int64_t> ids;
  for_each_block([&](const BlockResult& block) {
    if (std::count(block.verdict.begin(), block.verdict.end(), VerdictCode::kTimeout) > 0)
      ids.push_back(block.id);
  });
  return ids;
}

void RunStore::insert_block(const BlockResult& block) {
  const double seconds = earlier_seconds_ + static_cast<double>(now_ns() - opened_at_ns_) * 1e-9;
  Statement insert = database_->prepare("INSERT INTO block VALUES(?1, ?2, ?3, ?4, ?5)");
  insert.bind(1, block.id).bind(2, block.first).bind(3, block.count);
  insert.bind(4, block.values_judged).bind_blob(5, pack_columns(block)).run();
  Statement add_record =
      database_->prepare("INSERT INTO record VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  for (const CaseRecord& row : block.records) {
    add_record.bind(1, row.case_index).bind(2, row.line).bind(3, dump(row.verdict));
    add_record.bind(4, int64_t{row.known}).bind(5, row.subject).bind(6, row.oracle);
    add_record.bind(7, row.signature).run();
  }
  add_hits(*database_, block, 1);
  write_meta(*database_, "seconds", fmt::format("{:.3f}", seconds));
}

void RunStore::remove_block(int64_t id) {
  visit_blocks(fmt::format("WHERE id = {}", id),
               [&](const BlockResult& block) { add_hits(*database_, block, -1); });
  const int64_t first = id * plan_.block_size;
  database_->prepare("DELETE FROM record WHERE case_index >= ?1 AND case_index < ?2")
      .bind(1, first)
      .bind(2, first + block_count(plan_, id))
      .run();
  database_->prepare("DELETE FROM block WHERE id = ?1").bind(1, id).run();
}

void RunStore::add_block(const BlockResult& block) {
  check(lock_ != nullptr, "the store is open for writing");
  check_block(plan_, block);
  database_->transaction([&] {
    insert_block(block);
    Statement add_matched =
        database_->prepare("UPDATE known SET matched = matched + ?2 WHERE id = ?1");
    for (const auto& [id, cases] : block.matched)
      add_matched.bind(1, int64_t{id}).bind(2, cases).run();
  });
}

void RunStore::replace_block(const BlockResult& block) {
  check(lock_ != nullptr, "the store is open for writing");
  check_block(plan_, block);
  database_->transaction([&] {  // what selectors name is the same in both
    remove_block(block.id);
    insert_block(block);
  });
}

void RunStore::finish(double session_seconds) {
  check(lock_ != nullptr, "the store is open for writing");
  check(blocks_pending().empty(), "every block is stored before the run is complete");
  if (complete()) return;
  database_->transaction([&] {
    write_meta(*database_, "seconds", fmt::format("{:.3f}", earlier_seconds_ + session_seconds));
    write_meta(*database_, "complete", "1");
  });
  database_->execute("PRAGMA wal_checkpoint(TRUNCATE)");
  Statement journal = database_->prepare("PRAGMA journal_mode = DELETE");
  try {
    journal.run();
  } catch (const UsageError&) {
    // A reader has the file open: the journal stays beside it, which loses nothing.
  }
}

bool RunStore::complete() const { return read_meta(*database_, "complete") == "1"; }

double RunStore::seconds() const {
  const double seconds = std::strtod(read_meta(*database_, "seconds").c_str(), nullptr);
  return std::isfinite(seconds) && seconds > 0 ? seconds : 0;
}

std::vector<KnownEntry> RunStore::known() const { return read_known(*database_); }

void RunStore::for_each_block(const std::function<void(const BlockResult&)>& visit) const {
  visit_blocks("ORDER BY id", visit);
}

void RunStore::visit_blocks(std::string_view where,
                            const std::function<void(const BlockResult&)>& visit) const {
  Statement select = database_->prepare(
      fmt::format("SELECT id, first, count, values_judged, columns FROM block {}", where));
  BlockResult block;
  while (select.step()) {
    block.id = select.integer(0);
    block.first = select.integer(1);
    block.count = select.integer(2);
    block.values_judged = select.integer(3);
    if (block.id < 0 || block.id >= plan_.blocks() || block.first != block.id * plan_.block_size ||
        block.count != block_count(plan_, block.id) || block.values_judged < 0) {
      database_->fail_damaged(fmt::format("block {} is not of the plan", block.id));
    }
    if (const std::string fault = unpack_columns(select.blob(4), block); !fault.empty()) {
      database_->fail_damaged(fault);
    }
    visit(block);
  }
}

void RunStore::for_each_record(const std::function<void(const CaseRecord&)>& visit) const {
  Statement select = database_->prepare(select_records(*database_, "ORDER BY case_index"));
  while (select.step()) visit(read_record(*database_, plan_, select));
}

std::optional<CaseRecord> RunStore::record(int64_t case_index) const {
  Statement select = database_->prepare(select_records(*database_, "WHERE case_index = ?1"));
  select.bind(1, case_index);
  if (!select.step()) return std::nullopt;
  return read_record(*database_, plan_, select);
}

std::string RunStore::line(int64_t case_index) const {
  const GridRow& row = row_of(plan_.rows, case_index);
  return case_line(row, case_index - row.first);
}

std::string RunStore::content_digest() const {
  Sha256 digest;
  for (const char* sql :
       {"SELECT key, value FROM meta WHERE key NOT IN ('seconds', 'date') ORDER BY key",
        "SELECT id || ' ' || first || ' ' || count, op || ' ' || family || ' ' || schema || ' ' || "
        "form || ' ' || default_dtype || ' ' || template || ' ' || axes FROM grid_row ORDER BY id",
        "SELECT id || ' ' || hits || ' ' || matched, name || class || selector || oracle_answer || "
        "kind || versions || reason || link || case_line FROM known ORDER BY id"}) {
    Statement select = database_->prepare(sql);
    while (select.step()) {
      feed(digest, select.text(0));
      feed(digest, select.text(1));
    }
    feed(digest, "end of table");
  }
  for (const KnownEntry& entry : known())
    feed(digest, entry.found + ' ' + entry.wrong + ' ' + entry.python + ' ' + entry.witness);
  for_each_record([&](const CaseRecord& record) {
    feed(digest, fmt::format("{} {}", record.case_index, record.known));
    for (const std::string& text :
         {record.line, dump(record.verdict), record.subject, record.oracle, record.signature})
      feed(digest, text);
  });
  for_each_block([&](const BlockResult& block) {
    feed(digest, fmt::format("{} {}", block.id, block.values_judged));
    feed(digest, as_text(block.verdict));
    feed(digest, as_text(block.ruling));
    feed(digest, as_text(block.known));
    feed(digest, as_text(block.subject));
    feed(digest, as_text(block.oracle));
  });
  return digest.hex_digest();
}

}  // namespace upcast::reports
