// Tests what faults of files and disks say: one line that names the file and the remedy.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "impl/core/error.h"
#include "impl/core/temporary_folder.h"
#include "oracle/process/child.h"
#include "reports/run_store.h"
#include "reports/summary.h"
#include "reports/testing/forged_store.h"
#include "reports/testing/synthetic_store.h"

namespace upcast::reports {
namespace {

using testing::renew_digests;
using testing::synthetic_block;
using testing::synthetic_plan;
using testing::SyntheticOptions;
using testing::write_synthetic_store;

const SyntheticOptions kOptions{.binary_ops = 1, .unary_ops = 0};

/// The message of the UsageError that `action` throws; "" if it throws none.
std::string fault_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "one line";
    return error.what();
  }
  return "";
}

void expect_fault(const std::function<void()>& action, const std::vector<std::string>& parts) {
  const std::string message = fault_of(action);
  ASSERT_NE(message, "") << "no UsageError";
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
  }
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void execute(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
}

class RunStoreFault : public ::testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "run.db";
  const RunPlan plan_ = synthetic_plan(kOptions);

  void open() const { RunStore::open(path_); }
  void resume() const { RunStore::create_or_resume(path_, plan_); }
  void fold() const { summarize(RunStore::open(path_)); }
};

TEST_F(RunStoreFault, ADamagedNameOfSeveralLines) {
  RunStore::create_or_resume(path_, plan_);
  execute(
      path_,
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET name = 'a' || char(10) || 'b', sql = "
      "'CREATE TABLE ' || char(10) WHERE rowid = 1");
  expect_fault([&] { open(); }, {path_, "damaged", "a\\nb"});
}

TEST_F(RunStoreFault, AMissingFile) {
  expect_fault([&] { open(); }, {path_, "No such file", "give the path of a run store"});
}

TEST_F(RunStoreFault, AMissingFolder) {
  expect_fault([&] { RunStore::create_or_resume(folder_ / "no/run.db", plan_); },
               {"no/run.db", "No such file", "name a file in an existing"});
}

TEST_F(RunStoreFault, AFolderInsteadOfAFile) {
  std::filesystem::create_directory(path_);
  expect_fault([&] { open(); }, {path_, "not a file"});
  expect_fault([&] { resume(); }, {path_, "Is a directory"});
}

TEST_F(RunStoreFault, NotADatabase) {
  write_text(path_, std::string(5000, 'x'));
  expect_fault([&] { open(); }, {path_, "not an SQLite file", "name another file"});
  expect_fault([&] { resume(); }, {path_, "not an SQLite file", "name another file"});
}

TEST_F(RunStoreFault, AnotherProgramsDatabase) {
  execute(path_, "CREATE TABLE meta(key, value); CREATE TABLE t(x)");
  expect_fault([&] { open(); }, {path_, "not a run store"});
  expect_fault([&] { resume(); }, {path_, "not a run store"});
}

TEST_F(RunStoreFault, AnEmptyFile) {
  write_text(path_, "");
  expect_fault([&] { open(); }, {path_, "not a run store"});
  resume();  // makes the file that a run leaves if it is killed before it stores its plan
  open();
}

TEST_F(RunStoreFault, AnotherSchemaVersion) {
  write_synthetic_store(path_, plan_, kOptions);
  for (const std::string version : {"2", "4"}) {
    execute(path_, "UPDATE meta SET value = '" + version + "' WHERE key = 'schema_version'");
    expect_fault([&] { open(); },
                 {path_, "schema version '" + version + "'", "reads 3", "run again"});
    expect_fault([&] { resume(); }, {path_, "schema version '" + version + "'"});
  }
}

TEST_F(RunStoreFault, AnotherPlan) {
  write_synthetic_store(path_, plan_, kOptions);
  RunPlan other = plan_;
  other.plan_digest = "0ther";
  other.subject = "impl:emulated";
  expect_fault([&] { RunStore::create_or_resume(path_, other); },
               {path_, "subject: 'impl:emulated' now, 'impl:cpu' in the file",
                "plan digest: '0ther' now", "name another --out"});
}

TEST_F(RunStoreFault, TwoWritersAtOnce) {
  const RunStore first = RunStore::create_or_resume(path_, plan_);
  expect_fault([&] { resume(); }, {path_, "another run is writing"});
}

TEST_F(RunStoreFault, ATruncatedFile) {
  write_synthetic_store(path_, plan_, kOptions);
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
  expect_fault([&] { open(); }, {path_, "damaged", "run again"});
  expect_fault([&] { resume(); }, {path_, "damaged"});
}

// Overwrites every 4 KiB page in turn. If the damage is not noticed, the page was unused.
TEST_F(RunStoreFault, AnOverwrittenPage) {
  write_synthetic_store(path_, plan_, kOptions);
  const std::string counts = summary_json(summarize(RunStore::open(path_)));
  const auto size = static_cast<int64_t>(std::filesystem::file_size(path_));
  int noticed = 0;
  for (int64_t page = 0; page < size / 4096; ++page) {
    const std::string copy = folder_ / "copy.db";
    std::filesystem::copy_file(path_, copy, std::filesystem::copy_options::overwrite_existing);
    std::fstream file(copy, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(page * 4096 + 512);
    file << std::string(2048, '\x5a');
    file.close();
    std::string answer;
    const std::string fault =
        fault_of([&] { answer = summary_json(summarize(RunStore::open(copy))); });
    noticed += !fault.empty();
    if (fault.empty()) {
      EXPECT_EQ(answer, counts) << "page " << page;
    }
  }
  EXPECT_GT(noticed, size / 4096 * 3 / 4);
}

TEST_F(RunStoreFault, AFlippedBitInABlock) {
  write_synthetic_store(path_, plan_, kOptions);
  // Replaces the columns of a block by others of the same length: only the checksum can tell.
  execute(
      path_,
      "UPDATE block SET columns = CAST(substr(columns, 1, 40) || x'00' || substr(columns, 42) AS "
      "BLOB) WHERE id = 1");
  expect_fault([&] { open(); }, {path_, "damaged (block 1 or its records have another digest)"});
  renew_digests(path_);
  open();
  expect_fault([&] { fold(); }, {path_, "damaged (block 1: "});
}

TEST_F(RunStoreFault, ABlockOfOtherCases) {
  write_synthetic_store(path_, plan_, kOptions);
  execute(path_, "UPDATE block SET values_judged = 7 WHERE id = 1");
  expect_fault([&] { open(); }, {"damaged (block 1 or its records have another digest)"});
  execute(path_, "UPDATE block SET first = first + 1 WHERE id = 1");
  renew_digests(path_);
  expect_fault([&] { open(); }, {"damaged (block 1 is not of the plan)"});
}

// Edits that leave a sound SQLite file. Before run stores had digests, each edit changed the run's
// result unnoticed.
TEST_F(RunStoreFault, AnEditIsNoticed) {
  write_synthetic_store(path_, plan_, kOptions);
  const std::string copy = folder_ / "copy.db";
  for (const std::string edit : {
           "UPDATE meta SET value = '9' WHERE key = 'seconds'",
           "UPDATE meta SET value = '0' WHERE key = 'complete'",
           "DELETE FROM meta WHERE key = 'date'",
           "INSERT INTO meta VALUES('a', 'b')",
           "UPDATE known SET class = 'by_design' WHERE id = 1",
           "UPDATE grid_row SET family = 'other' WHERE id = 1",
           "DELETE FROM block WHERE id = 1",
           "DELETE FROM record WHERE case_index = (SELECT min(case_index) FROM record)",
           "UPDATE record SET subject = oracle",
           "UPDATE record SET case_index = -1 WHERE case_index = (SELECT min(case_index) FROM "
           "record)",
           "UPDATE record SET line = CAST(line AS BLOB)",
           "UPDATE block SET matched = '[[1,1]]' WHERE id = 1",
           "UPDATE block SET columns = (SELECT columns FROM block WHERE id = 2) WHERE id = 1",
           "UPDATE block SET digest = 1 WHERE id = 1",
           "UPDATE meta SET value = '0' WHERE key = 'digest'",
       }) {
    std::filesystem::copy_file(path_, copy, std::filesystem::copy_options::overwrite_existing);
    execute(copy, edit);
    expect_fault([&] { RunStore::open(copy); }, {copy, "damaged ("});
    expect_fault([&] { RunStore::create_or_resume(copy, plan_); }, {copy, "damaged ("});
  }
}

// Files whose schema has more than our tables, or parts that SQLite would execute: an endless view,
// a trigger, a computed column, ...
TEST_F(RunStoreFault, AnotherSchema) {
  write_synthetic_store(path_, plan_, kOptions);
  const std::string copy = folder_ / "copy.db";
  for (const std::string edit : {
           "DROP TABLE record; CREATE VIEW record AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL "
           "SELECT x + 1 FROM n) SELECT x AS case_index, '' AS line, '' AS verdict, 0 AS known, '' "
           "AS subject, '' AS oracle, '' AS signature FROM n",
           "CREATE TRIGGER t AFTER INSERT ON block BEGIN DELETE FROM record; END",
           "CREATE TABLE other(x)",
           "CREATE INDEX i ON record(line)",
           "ALTER TABLE record ADD COLUMN more AS (length(line))",
           "DROP TABLE known",
       }) {
    std::filesystem::copy_file(path_, copy, std::filesystem::copy_options::overwrite_existing);
    execute(copy, edit);
    expect_fault([&] { RunStore::open(copy); },
                 {copy, "not a run store (its tables are not those"});
    expect_fault([&] { RunStore::create_or_resume(copy, plan_); }, {copy, "not a run store"});
  }
}

TEST_F(RunStoreFault, AForgersNumbersAreHeldToTheirLimits) {
  write_synthetic_store(path_, plan_, kOptions);
  const std::string copy = folder_ / "copy.db";
  const auto forge = [&](const std::string& edit) {
    std::filesystem::copy_file(path_, copy, std::filesystem::copy_options::overwrite_existing);
    execute(copy, edit);
    renew_digests(copy);
    return [&] { summarize(RunStore::open(copy)); };
  };
  expect_fault(forge("DELETE FROM record; DELETE FROM block WHERE id = 1"),
               {"damaged (a block is missing)"});
  expect_fault(forge("UPDATE block SET values_judged = -1 WHERE id = 1"),
               {"damaged (block 1: its values)"});
  expect_fault(forge("UPDATE block SET matched = '[[9,1]]' WHERE id = 1"),
               {"damaged (block 1: what it says of known differences)"});
  execute(path_, "UPDATE meta SET value = '1000000000000000' WHERE key = 'planned'");
  expect_fault([&] { open(); }, {"damaged (more cases than a run has)"});
}

TEST_F(RunStoreFault, WhatLiesNextToItIsNoFile) {
  write_synthetic_store(path_, plan_, kOptions);
  for (const std::string suffix : {"-journal", "-wal", "-shm"}) {
    ASSERT_EQ(mkfifo((path_ + suffix).c_str(), 0600), 0);
    expect_fault([&] { open(); }, {path_ + suffix, "not a file; remove it"});
    expect_fault([&] { resume(); }, {path_ + suffix, "not a file; remove it"});
    std::filesystem::remove(path_ + suffix);
  }
  open();
}

// If a journal names a further file, SQLite would delete that file. So such a journal must be
// refused.
TEST_F(RunStoreFault, AJournalThatNamesAFurtherFile) {
  write_synthetic_store(path_, plan_, kOptions);
  write_text(path_ + "-journal",
             std::string(512, '\0') + "/etc/passwd" + "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7");
  expect_fault([&] { resume(); },
               {path_ + "-journal", "belongs to several databases", "remove it"});
}

TEST_F(RunStoreFault, AFileThatIsTooLarge) {
  write_synthetic_store(path_, plan_, kOptions);
  std::error_code refused;
  std::filesystem::resize_file(path_, uintmax_t{100} << 30, refused);  // sparse
  if (refused) GTEST_SKIP() << "no sparse files here: " << refused.message();
  expect_fault([&] { open(); }, {path_, "larger than 64 GiB"});
}

// The plan needs many rows, because SQLite first calls a progress handler after thousands of steps.
TEST_F(RunStoreFault, AStopEndsTheReading) {
  const RunPlan plan = testing::synthetic_rows_plan(100'000);
  RunStore::create_or_resume(path_, plan);
  RunStore::create_or_resume(path_, plan, [] { return false; });
  expect_fault([&] { RunStore::create_or_resume(path_, plan, [] { return true; }); },
               {path_, "stopped by a signal"});
}

TEST_F(RunStoreFault, APlanThatDoesNotAddUp) {
  write_synthetic_store(path_, plan_, kOptions);
  execute(path_, "UPDATE grid_row SET axes = '[[\"x\"' WHERE id = 1");
  expect_fault([&] { open(); }, {"damaged (the axes of row 1)"});
  execute(path_, "UPDATE grid_row SET axes = '[[\"x\"]]' WHERE id = 1");
  expect_fault([&] { open(); }, {"damaged (the count of row 1)"});
  execute(path_, "UPDATE meta SET value = 'many' WHERE key = 'planned'");
  expect_fault([&] { open(); }, {"damaged (meta planned is 'many')"});
}

TEST_F(RunStoreFault, AFileSizeLimitIsADiskFull) {
  // A limit on the size of files holds for the whole process, so a child process sets it.
  Child child({.body = [&](int) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, 200'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string message = fault_of([&] {
      RunStore store = RunStore::create_or_resume(path_, plan_);
      for (const int64_t id : store.blocks_pending()) {
        store.add_block(synthetic_block(plan_, kOptions, id));
      }
      store.finish(1);
    });
    const bool told = message.find("the disk is full; free some space") != std::string::npos;
    if (!told) std::fprintf(stderr, "%s\n", message.c_str());
    return told ? 0 : 1;
  }});
  ASSERT_TRUE(child.wait().exited_with(0));
  // When there is room again, the run must continue.
  RunStore store = RunStore::create_or_resume(path_, plan_);
  EXPECT_LT(store.blocks_pending().size(), static_cast<size_t>(plan_.blocks()));
  for (const int64_t id : store.blocks_pending()) {
    store.add_block(synthetic_block(plan_, kOptions, id));
  }
  store.finish(1);
  write_synthetic_store(folder_ / "whole.db", plan_, kOptions);
  EXPECT_EQ(store.content_digest(), RunStore::open(folder_ / "whole.db").content_digest());
}

TEST_F(RunStoreFault, AFullDisk) {
  const std::string disk = folder_ / "disk";
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=256k") != 0) {
    GTEST_SKIP() << "needs the right to mount a small tmpfs: " << std::strerror(errno);
  }
  expect_fault(
      [&] {
        RunStore store = RunStore::create_or_resume(disk + "/run.db", plan_);
        for (const int64_t id : store.blocks_pending()) {
          store.add_block(synthetic_block(plan_, kOptions, id));
        }
        store.finish(1);
      },
      {"disk/run.db: the disk is full"});
  expect_fault(
      [&] {
        write_text(disk + "/filler", std::string(1 << 20, 'x'));
        RunStore::create_or_resume(disk + "/second.db", plan_);
      },
      {"disk/second.db: the disk is full"});
  umount(disk.c_str());
}

TEST_F(RunStoreFault, AFileWithoutPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read and write every file";
  write_synthetic_store(path_, plan_, kOptions);
  chmod(path_.c_str(), 0444);
  expect_fault([&] { resume(); }, {path_, "Permission denied"});
  chmod(path_.c_str(), 0);
  expect_fault([&] { open(); }, {path_, "cannot be opened", "permission"});
}

// Wrong calls of RunStore are faults of our code, not of the user: they abort.
using RunStoreDeathTest = RunStoreFault;

TEST_F(RunStoreDeathTest, ABlockThatIsNotOfThePlan) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const BlockResult good = synthetic_block(plan_, kOptions, 1);
  const auto add = [&](const std::function<void(BlockResult&)>& spoil) {
    BlockResult block = good;
    spoil(block);
    RunStore::create_or_resume(path_, plan_).add_block(block);
  };
  EXPECT_DEATH(add([](BlockResult& b) { b.id = 1000; }), "a block of this shard");
  EXPECT_DEATH(add([](BlockResult& b) { b.first = 7; }), "the cases that the plan gives it");
  EXPECT_DEATH(add([](BlockResult& b) { b.oracle.pop_back(); }), "a byte a case");
  EXPECT_DEATH(add([](BlockResult& b) { b.known[0] = 9; }), "a known id of the plan");
  EXPECT_DEATH(add([](BlockResult& b) { b.known[0] = 1; }), "go together");
  EXPECT_DEATH(add([](BlockResult& b) { b.subject[0] = 99; }), "an answer byte");
  EXPECT_DEATH(add([](BlockResult& b) { b.verdict[0] = VerdictCode{40}; }), "a verdict byte");
}

TEST_F(RunStoreDeathTest, FinishingWithABlockMissing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(RunStore::create_or_resume(path_, plan_).finish(1), "every block is stored");
}

}  // namespace
}  // namespace upcast::reports
