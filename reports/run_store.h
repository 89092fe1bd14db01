// The run store: one SQLite file that holds a run's plan, and the verdict of every case.
// docs/run_store.md describes the tables for readers in other languages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "oracle/host/block.h"
#include "reports/columns.h"
#include "reports/run_plan.h"

namespace upcast {
class WriterLock;
}

namespace upcast::reports {

class Database;

inline constexpr int kSchemaVersion = 3;

/// One open run store. Not for use from several threads at once. A fault of the file or the disk
/// throws UsageError with one line; a fault of the caller fails check().
///
/// The file may come from anyone. It is checked when it is opened: its tables are ours and nothing
/// else, and its digests are those of its plan, its blocks and its records.
class RunStore {
 public:
  /// Creates the file, or resumes its run if the file exists. Only one process at a time may write.
  /// Throws UsageError if the file holds another plan (the message lists what differs), has another
  /// schema version, is no run store at all, or is damaged. Throws it also if `stop` returns true
  /// while the file is read.
  static RunStore create_or_resume(const std::string& path, const RunPlan& plan,
                                   std::function<bool()> stop = {});

  /// Opens a store for reading. Another process may still be writing it.
  static RunStore open(const std::string& path);

  /// Reads a file quickly: the plan without its rows and known differences. It skips the checks of
  /// open(), so open the file before you trust it.
  static RunPlan peek(const std::string& path);

  ~RunStore();
  RunStore(RunStore&&) noexcept;
  RunStore& operator=(RunStore&&) noexcept;

  /// The stored plan. Its `known` has no counts, because each block has its own counts.
  const RunPlan& plan() const { return plan_; }
  const std::vector<GridRow>& rows() const { return plan_.rows; }

  /// For each block id, whether the block is stored. Blocks of another shard never are.
  std::vector<bool> blocks_done() const;
  /// The ids of this shard's blocks that are not stored yet, ascending.
  std::vector<int64_t> blocks_pending() const;

  /// Stores a block and its records in one transaction: after a kill, the file has all of it or
  /// nothing. Blocks may come in any order, each once.
  void add_block(const BlockResult& block);
  /// The ids of stored blocks with an unexplained timeout, ascending. A timeout may be due to other
  /// load on the machine, so that a later session asks these blocks again.
  std::vector<int64_t> blocks_timed_out() const;
  /// Replaces the stored block of the same id in one transaction: after a kill, the file has the
  /// old or the new one.
  void replace_block(const BlockResult& block);
  /// Marks the run complete. Every block of this shard must be stored. `seconds`: the run time of
  /// this session, which is added to that of earlier ones. Leaves one plain file without a journal.
  void finish(double seconds);

  /// Whether the run is marked complete: finish() was called.
  bool complete() const;
  /// The seconds of run time over all sessions. A run in progress counts up to its last stored
  /// block.
  double seconds() const;

  /// Visits the stored blocks in order of id. The blocks' `records` are empty.
  void for_each_block(const std::function<void(const BlockResult&)>& visit) const;
  /// As above, only the blocks whose id is at least `first` and less than `end`.
  void for_each_block(int64_t first, int64_t end,
                      const std::function<void(const BlockResult&)>& visit) const;
  void for_each_record(const std::function<void(const CaseRecord&)>& visit) const;
  std::optional<CaseRecord> record(int64_t case_index) const;
  /// The case's line, from its row's template and axes.
  std::string line(int64_t case_index) const;

  /// SHA-256 of all contents except run time and date. It is the same for a run that was not
  /// disturbed and one that was killed and resumed.
  std::string content_digest() const;

 private:
  RunStore(std::unique_ptr<WriterLock> lock, std::unique_ptr<Database> database);

  /// Reads the plan, and runs the checks on all that the file holds.
  void read();
  /// Writes a block's columns, records and digests in one transaction. If `replaces`, it removes
  /// the old ones first.
  void store_block(const BlockResult& block, bool replaces);
  /// Writes a block's columns and records. The caller must hold a transaction.
  void insert_block(const BlockResult& block);
  /// Removes what insert_block wrote for a block. The caller must hold a transaction.
  void remove_block(const BlockResult& block);
  /// Writes the digest of the whole file. `blocks`: the sum of the digests of its blocks.
  void seal(uint64_t blocks) const;

  std::unique_ptr<WriterLock> lock_;  // only if opened for writing; must outlive `database_`
  std::unique_ptr<Database> database_;
  RunPlan plan_;
  uint64_t plan_digest_ = 0;    // digest of the tables grid_row and known
  uint64_t blocks_digest_ = 0;  // sum of the digests of all stored blocks
  double earlier_seconds_ = 0;  // seconds of run time of earlier sessions
  int64_t opened_at_ns_ = 0;    // steady clock
};

}  // namespace upcast::reports
