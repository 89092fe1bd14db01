#include "reports/run_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "cases/json_text.h"
#include "cases/visible.h"
#include "cases/writer_lock.h"
#include "impl/core/error.h"
#include "oracle/verdict_json.h"
#include "reports/block_codec.h"
#include "reports/database.h"
#include "reports/plan_tables.h"
#include "reports/sha256.h"
#include "reports/store_digest.h"

namespace upcast::reports {
namespace {

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// How many cases the plan gives to a block.
int64_t block_count(const RunPlan& plan, int64_t id) {
  return std::min(plan.block_size, plan.planned - id * plan.block_size);
}

/// Checks a block before it is stored: columns have one byte for each case, and do not contradict
/// each other.
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

/// The SQL that selects the columns that read_record reads. `where`: the end of the statement.
std::string select_records(std::string_view where) {
  return fmt::format(
      "SELECT case_index, line, subject, oracle, verdict, known, signature FROM record {}", where);
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
  } catch (const std::exception&) {  // the text is no JSON, or no verdict
    database.fail_damaged(fmt::format("the verdict of record {}", record.case_index));
  }
  return record;
}

/// JSON as text. It may contain the last words of a side that died, which need not be UTF-8.
std::string dump(const nlohmann::json& json) { return dump_json(json); }

/// The fault in a stored block: something in its row or columns that no run of the plan would
/// write. "" if there is none.
std::string block_fault(const RunPlan& plan, const BlockResult& block) {
  if (block.values_judged < 0) return "its values";
  for (const auto& [id, cases] : block.matched)
    if (id < 1 || id > std::ssize(plan.known) || cases < 0 || cases > block.count)
      return "what it says of known differences";
  bool is_wrong = false;
  for (size_t i = 0; i < block.known.size(); ++i)
    is_wrong |= block.known[i] > plan.known.size() ||
                (block.verdict[i] == VerdictCode::kKnown) != (block.known[i] != 0);
  return is_wrong ? "its known differences" : "";
}

/// The range of ids and the range of cases that a block covers.
BlockRange range_of(const BlockResult& block) {
  return {block.id, block.id + 1, block.first, block.first + block.count};
}

/// Feeds a text to a digest with its length, so that the ends of neighbouring texts count too.
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
  database_.reset();  // the database must be closed before its lock is released
  lock_ = std::move(other.lock_);
  database_ = std::move(other.database_);
  plan_ = std::move(other.plan_);
  plan_digest_ = other.plan_digest_;
  blocks_digest_ = other.blocks_digest_;
  earlier_seconds_ = other.earlier_seconds_;
  opened_at_ns_ = other.opened_at_ns_;
  return *this;
}

void RunStore::read() {
  const Database& file = *database_;
  file.snapshot([&] {
    StoredPlan stored = read_plan(file);
    plan_ = std::move(stored.plan);
    plan_digest_ = stored.digest;
    const BlockDigests found = check_blocks(file);
    blocks_digest_ = found.sum;
    if (read_meta(file, "digest") != store_digest(file, plan_digest_, blocks_digest_))
      file.fail_damaged("its digest is another");
    if (complete() && !blocks_pending().empty()) file.fail_damaged("a block is missing");
    file.check_structure();
  });
}

void RunStore::seal(uint64_t blocks) const {
  write_meta(*database_, "digest", store_digest(*database_, plan_digest_, blocks));
}

RunStore RunStore::create_or_resume(const std::string& path, const RunPlan& plan,
                                    std::function<bool()> stop) {
  auto lock = std::make_unique<WriterLock>(path);
  RunStore store(std::move(lock), std::make_unique<Database>(path, Database::Access::kWrite));
  const Database& file = *store.database_;
  file.stop_when(std::move(stop));
  const bool is_new = has_no_plan(file);
  // With a write-ahead log, a kill loses at most the current transaction, and storing a block needs
  // no fsync.
  const auto log_ahead = [&file] {
    file.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  };
  if (is_new) {
    log_ahead();
    file.transaction([&] {
      write_plan(file, plan);
      StoredPlan stored = read_plan(file);
      store.plan_ = std::move(stored.plan);
      store.plan_digest_ = stored.digest;
      store.seal(0);
    });
  } else {
    store.read();
    if (const std::string difference = plan_difference(store.plan_, plan); !difference.empty()) {
      throw UsageError(
          fmt::format("{}: holds another run ({}); name another --out, or remove the file", path,
                      visible(difference)));
    }
    if (!store.complete()) log_ahead();
  }
  store.earlier_seconds_ = store.seconds();
  file.stop_when({});
  return store;
}

RunStore RunStore::open(const std::string& path) {
  RunStore store(nullptr, std::make_unique<Database>(path, Database::Access::kRead));
  store.read();
  return store;
}

RunPlan RunStore::peek(const std::string& path) {
  const Database file(path, Database::Access::kRead);
  RunPlan head;
  file.snapshot([&] { head = read_plan_head(file); });
  return head;
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
  Statement insert = database_->prepare("INSERT INTO block VALUES(?1, ?2, ?3, ?4, ?5, ?6, 0)");
  insert.bind(1, block.id).bind(2, block.first).bind(3, block.count).bind(4, block.values_judged);
  insert.bind(5, dump(block.matched)).bind_blob(6, pack_columns(block)).run();
  Statement add_record =
      database_->prepare("INSERT INTO record VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  for (const CaseRecord& row : block.records) {
    add_record.bind(1, row.case_index).bind(2, row.line).bind(3, dump(row.verdict));
    add_record.bind(4, int64_t{row.known}).bind(5, row.subject).bind(6, row.oracle);
    add_record.bind(7, row.signature).run();
  }
}

void RunStore::remove_block(const BlockResult& block) {
  const BlockRange range = range_of(block);
  database_->prepare("DELETE FROM record WHERE case_index >= ?1 AND case_index < ?2")
      .bind(1, range.first_case)
      .bind(2, range.end_case)
      .run();
  database_->prepare("DELETE FROM block WHERE id = ?1").bind(1, block.id).run();
}

void RunStore::store_block(const BlockResult& block, bool replaces) {
  check(lock_ != nullptr, "the store is open for writing");
  check_block(plan_, block);
  const double seconds = earlier_seconds_ + static_cast<double>(now_ns() - opened_at_ns_) * 1e-9;
  uint64_t blocks = blocks_digest_;
  database_->transaction([&] {
    if (replaces) {
      blocks -= block_digest(*database_, range_of(block));
      remove_block(block);
    }
    insert_block(block);
    const uint64_t digest = block_digest(*database_, range_of(block));
    Statement update = database_->prepare("UPDATE block SET digest = ?2 WHERE id = ?1");
    update.bind(1, block.id).bind(2, static_cast<int64_t>(digest)).run();
    blocks += digest;
    write_meta(*database_, "seconds", fmt::format("{:.3f}", seconds));
    seal(blocks);
  });
  blocks_digest_ = blocks;
}

void RunStore::add_block(const BlockResult& block) { store_block(block, /*replaces=*/false); }

void RunStore::replace_block(const BlockResult& block) { store_block(block, /*replaces=*/true); }

void RunStore::finish(double session_seconds) {
  check(lock_ != nullptr, "the store is open for writing");
  check(blocks_pending().empty(), "every block is stored before the run is complete");
  if (complete()) return;
  database_->transaction([&] {
    write_meta(*database_, "seconds", fmt::format("{:.3f}", earlier_seconds_ + session_seconds));
    write_meta(*database_, "complete", "1");
    seal(blocks_digest_);
  });
  database_->execute("PRAGMA wal_checkpoint(TRUNCATE)");
  Statement journal = database_->prepare("PRAGMA journal_mode = DELETE");
  try {
    journal.run();
  } catch (const UsageError&) {
    // If another process has the file open for reading, the journal stays next to it, which loses
    // nothing.
  }
}

bool RunStore::complete() const { return read_meta(*database_, "complete") == "1"; }

double RunStore::seconds() const {
  const double seconds = std::strtod(read_meta(*database_, "seconds").c_str(), nullptr);
  return std::isfinite(seconds) && seconds > 0 ? seconds : 0;
}

void RunStore::for_each_block(const std::function<void(const BlockResult&)>& visit) const {
  using Ids = std::numeric_limits<int64_t>;  // one that is not of the plan is damage, and told
  for_each_block(Ids::min(), Ids::max(), visit);
}

void RunStore::for_each_block(int64_t first, int64_t end,
                              const std::function<void(const BlockResult&)>& visit) const {
  Statement select = database_->prepare(
      "SELECT id, first, count, values_judged, matched, columns FROM block"
      " WHERE id >= ?1 AND id < ?2 ORDER BY id");
  select.bind(1, first).bind(2, end);
  BlockResult block;
  while (select.step()) {
    block.id = select.integer(0);
    block.first = select.integer(1);
    block.count = select.integer(2);
    block.values_judged = select.integer(3);
    if (block.id < 0 || block.id >= plan_.blocks() || block.first != block.id * plan_.block_size ||
        block.count != block_count(plan_, block.id)) {
      database_->fail_damaged(fmt::format("block {} is not of the plan", block.id));
    }
    try {
      block.matched = nlohmann::json::parse(select.text(4)).get<decltype(block.matched)>();
    } catch (const nlohmann::json::exception&) {
      database_->fail_damaged(fmt::format("block {}: what it says of known differences", block.id));
    }
    if (const std::string fault = unpack_columns(select.blob(5), block); !fault.empty()) {
      database_->fail_damaged(fault);
    }
    if (const std::string fault = block_fault(plan_, block); !fault.empty()) {
      database_->fail_damaged(fmt::format("block {}: {}", block.id, fault));
    }
    visit(block);
  }
}

void RunStore::for_each_record(const std::function<void(const CaseRecord&)>& visit) const {
  Statement select = database_->prepare(select_records("ORDER BY case_index"));
  while (select.step()) visit(read_record(*database_, plan_, select));
}

std::optional<CaseRecord> RunStore::record(int64_t case_index) const {
  Statement select = database_->prepare(select_records("WHERE case_index = ?1"));
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
       {"SELECT key, value FROM meta WHERE key NOT IN ('seconds', 'date', 'digest') ORDER BY key",
        "SELECT id || ' ' || first || ' ' || count, op || ' ' || family || ' ' || schema || ' ' || "
        "form || ' ' || default_dtype || ' ' || template || ' ' || axes FROM grid_row ORDER BY id",
        "SELECT id || '', name || class || selector || oracle_answer || "
        "kind || versions || reason || link || case_line FROM known ORDER BY id"}) {
    Statement select = database_->prepare(sql);
    while (select.step()) {
      feed(digest, select.text(0));
      feed(digest, select.text(1));
    }
    feed(digest, "end of table");
  }
  for (const KnownEntry& entry : plan_.known)
    feed(digest, entry.found + ' ' + entry.wrong + ' ' + entry.python + ' ' + entry.witness);
  for_each_record([&](const CaseRecord& record) {
    feed(digest, fmt::format("{} {}", record.case_index, record.known));
    for (const std::string& text :
         {record.line, dump(record.verdict), record.subject, record.oracle, record.signature})
      feed(digest, text);
  });
  for_each_block([&](const BlockResult& block) {
    feed(digest, fmt::format("{} {} {}", block.id, block.values_judged, dump(block.matched)));
    feed(digest, as_text(block.verdict));
    feed(digest, as_text(block.ruling));
    feed(digest, as_text(block.known));
    feed(digest, as_text(block.subject));
    feed(digest, as_text(block.oracle));
  });
  return digest.hex_digest();
}

}  // namespace upcast::reports
