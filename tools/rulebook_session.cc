#include "tools/rulebook_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "impl/core/error.h"
#include "oracle/host/versions.h"
#include "oracle/loaded_file.h"
#include "oracle/rulebook_cells.h"
#include "reports/rulebook_fold.h"
#include "reports/sha256.h"
#include "tools/program_digests.h"
#include "tools/rulebook_declared.h"
#include "tools/store_path.h"
#include "tools/today.h"

namespace upcast::tools {
namespace {

using Clock = std::chrono::steady_clock;

/// A row of the plan of the grid rulebooks: a table of a library that a book claims, or one
/// system's answers to a question that systems are compared on.
struct Row {
  const ClaimedTable* claimed = nullptr;
  const rulebooks::RuleBook* book = nullptr;
  const ComparedQuestion* question = nullptr;
  reports::GridRow stored;
};

std::vector<std::string> tokens(const std::vector<rulebooks::Operand>& operands) {
  std::vector<std::string> texts;
  for (const rulebooks::Operand& operand : operands) texts.push_back(shown_operand(operand));
  return texts;
}

Row claimed_row(const ClaimedTable& claimed) {
  const RulebookTable& table = *claimed.table;
  Row row{&claimed, nullptr, nullptr, {}};
  const CellQuestion first = cell_question(table, 0, 0);
  row.stored.op = claimed.pair->book;
  row.stored.family = reports::pair_family(claimed.pair->book, claimed.pair->table);
  row.stored.schema = table.name;
  row.stored.form = "functional";
  row.stored.default_dtype = name(first.default_dtype);
  row.stored.count = claimed.cells();
  row.stored.line_template = fmt::format("{} | {} | {} | {{0}} | {{1}}", claimed.pair->book,
                                         claimed.pair->table, table.name);
  row.stored.axes = {table.rows, table.columns};
  return row;
}

Row compared_row(const rulebooks::RuleBook& book, const ComparedQuestion& question) {
  Row row{nullptr, &book, &question, {}};
  row.stored.op = book.name;
  row.stored.family = reports::kComparedFamily;
  row.stored.schema = question.op;
  row.stored.form = "functional";
  row.stored.default_dtype = "float32";
  row.stored.count = question.cells();
  row.stored.axes = {tokens(question.left)};
  row.stored.line_template = question.op + "({0})";
  if (!question.right.empty()) {
    row.stored.axes.push_back(tokens(question.right));
    row.stored.line_template = question.op + "({0}, {1})";
  }
  return row;
}

std::vector<Row> make_rows(const RulebookSelection& selection) {
  std::vector<Row> rows;
  for (const ClaimedTable& claimed : selection.claimed) rows.push_back(claimed_row(claimed));
  for (const rulebooks::RuleBook* book : selection.books)
    for (const ComparedQuestion& question : compared_questions())
      rows.push_back(compared_row(*book, question));
  std::int64_t first = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].stored.id = static_cast<std::int64_t>(i);
    rows[i].stored.first = first;
    first += rows[i].stored.count;
  }
  return rows;
}

std::string digest_of(const std::vector<Row>& rows) {
  reports::Sha256 sha;
  for (const Row& row : rows) {
    sha.update(row.stored.line_template);
    for (const auto& axis : row.stored.axes)
      for (const std::string& token : axis) sha.update("\n" + token);
    if (row.claimed == nullptr) continue;
    for (const auto& line : row.claimed->table->cells)
      for (const std::string& cell : line) sha.update(" " + cell);
  }
  return sha.hex_digest();
}

/// Compares the cells of a block. Fills the block's columns, and adds a record for each cell that
/// does not agree.
class BlockMaker {
 public:
  BlockMaker(const std::vector<Row>& rows, const std::vector<DeclaredCells>& declared,
             std::vector<std::string>& overlaps)
      : rows_(rows), declared_(declared), overlaps_(overlaps) {}

  BlockResult make(const reports::RunPlan& plan, std::int64_t id) {
    BlockResult block;
    block.id = id;
    block.first = id * plan.block_size;
    block.count = std::min(plan.block_size, plan.planned - block.first);
    std::map<int, std::int64_t> matched;
    told_about_ = -1;
    for (std::int64_t i = block.first; i < block.first + block.count; ++i) {
      const auto after = std::upper_bound(
          rows_.begin(), rows_.end(), i,
          [](std::int64_t index, const Row& row) { return index < row.stored.first; });
      const Row& row = *(after - 1);
      if (row.claimed != nullptr)
        add_cell(row, i, block, matched);
      else
        add_compared(row, i, block);
    }
    block.matched.assign(matched.begin(), matched.end());
    return block;
  }

 private:
  static void push(BlockResult& block, VerdictCode code, std::size_t known,
                   reports::AnswerByte subject, reports::AnswerByte oracle) {
    block.verdict.push_back(code);
    block.known.push_back(static_cast<std::uint8_t>(known));
    block.subject.push_back(subject);
    block.oracle.push_back(oracle);
  }

  static reports::AnswerByte byte_of(const Answer& answer) {
    return answer.tag == Answer::Tag::kNotJudged ? kNotRunByte : answer_code(answer);
  }

  void add_cell(const Row& row, std::int64_t index, BlockResult& block,
                std::map<int, std::int64_t>& matched) {
    const CellVerdict cell = judge_cell(*row.claimed, declared_, index - row.stored.first);
    for (const int entry : cell.named_by) ++matched[entry + 1];
    const std::string line = reports::case_line(row.stored, index - row.stored.first);
    if (cell.explained_by.size() > 1)
      overlaps_.push_back(fmt::format(
          "declarations {} and {} both explain {}; make one of them narrower",
          declared_[cell.explained_by[0]].id, declared_[cell.explained_by[1]].id, line));
    const std::size_t known = cell.explained_by.empty() ? 0 : cell.explained_by.front() + 1U;
    // If the cell has a dtype that the book lacks, the library's answer is not stored either.
    const bool outside = cell.book.tag == Answer::Tag::kNotJudged && !cell.silent;
    push(block, cell.verdict.code, known, byte_of(cell.book),
         outside ? kNotRunByte : byte_of(cell.library));
    block.values_judged += cell.verdict.code == VerdictCode::kAgree;
    if (cell.verdict.code == VerdictCode::kAgree) return;
    if (cell.verdict.code == VerdictCode::kNotJudged) {  // one record for each table tells why
      if (told_about_ == row.stored.id) return;
      told_about_ = row.stored.id;
    }
    CaseRecord record;
    record.case_index = index;
    record.line = line;
    record.verdict = cell.verdict;
    record.known = static_cast<int>(known);
    record.subject = fmt::format("{}  {}", to_text(cell.book), cell.reply.rule);
    record.oracle = to_text(cell.library);
    block.records.push_back(std::move(record));
  }

  static void add_compared(const Row& row, std::int64_t index, BlockResult& block) {
    const Answer answer = to_answer(row.question->ask(*row.book, index - row.stored.first));
    push(block, VerdictCode::kNotJudged, 0, byte_of(answer), kNotRunByte);
    if (index != row.stored.first) return;
    CaseRecord record;
    record.case_index = index;
    record.line = reports::case_line(row.stored, 0);
    record.verdict.code = record.verdict.found = VerdictCode::kNotJudged;
    record.verdict.not_judged = NotJudged::kComparison;
    record.subject = to_text(answer);
    block.records.push_back(std::move(record));
  }

  const std::vector<Row>& rows_;
  const std::vector<DeclaredCells>& declared_;
  std::vector<std::string>& overlaps_;
  std::int64_t told_about_ = -1;
};

}  // namespace

RunOutcome run_rulebook_session(const RunOptions& options) {
  const auto began = Clock::now();
  const RunOptions defaults;
  const std::string subject =
      options.subject == defaults.subject ? "rulebook:all" : options.subject;
  const std::string oracle = options.oracle == defaults.oracle ? "table:all" : options.oracle;
  RulebookPairs read;
  if (!options.known_file.empty()) read = load_rulebook_pairs(options.known_file);
  const RulebookPairs& pairs = options.known_file.empty() ? rulebook_pairs() : read;
  const RulebookSelection selection = select_rulebooks(subject, oracle, pairs, rulebook_tables());
  const std::vector<Row> rows = make_rows(selection);

  reports::RunPlan plan;
  plan.upcast_version = upcast_version();
  plan.subject = subject;
  plan.oracle = oracle;
  plan.source = "grid rulebooks";
  plan.planned = rows.back().stored.first + rows.back().stored.count;
  plan.shard = options.shard;
  plan.block_size = options.block_size;
  plan.plan_digest = digest_of(rows);
  plan.judges_values = false;
  plan.date = today();
  plan.environment = machine_versions();
  if (!options.out.empty())
    plan.environment["programs"] =
        program_digests({loaded_file(reinterpret_cast<const void*>(&run_rulebook_session))});
  for (const Row& row : rows) plan.rows.push_back(row.stored);
  plan.known = store_declared(pairs.declared);

  RunOutcome outcome;
  const StorePath out(options.out);
  reports::RunStore store = reports::RunStore::create_or_resume(out.path(), plan);
  BlockMaker blocks(rows, pairs.declared, outcome.overlaps);
  for (const std::int64_t id : store.blocks_pending()) store.add_block(blocks.make(plan, id));
  store.finish(std::chrono::duration<double>(Clock::now() - began).count());
  sum_up(store, options, outcome);
  outcome.rulebooks = reports::fold_rulebooks({&store});
  if (options.shard.count == 1) {
    outcome.miscounted = miscounted_lines(selection, pairs.declared, store);
    for (std::string& line : silence_lines(pairs, outcome.rulebooks))
      outcome.miscounted.push_back(std::move(line));
  }
  outcome.left_out =
      left_out_lines(selection, pairs, subject == "rulebook:all" && oracle == "table:all");
  return outcome;
}

}  // namespace upcast::tools
