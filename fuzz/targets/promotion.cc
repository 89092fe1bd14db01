// Fuzz target: up to six operands. Compares our result_type with LibTorch's, its table of pairs
// with the general form, and every rule book with the library's table that it claims.
//
// Input: a count and a default dtype, then 2 bytes an operand (dtype, kind), then 4 bytes that
// choose a cell of a table.
#include "impl/promotion/promotion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "fuzz/byte_stream.h"
#include "fuzz/features.h"
#include "fuzz/finding_command.h"
#include "fuzz/finding_log.h"
#include "fuzz/seeds.h"
#include "fuzz/targets/target.h"
#include "oracle/libtorch/promotion.h"
#include "oracle/rulebook_cells.h"

namespace upcast::fuzz {
namespace {

constexpr std::size_t kMaxOperandsAsked = 6;
constexpr std::array kDefaults{DType::kFloat32, DType::kFloat64, DType::kFloat16, DType::kBFloat16};

struct Target {
  FindingLog log{"promotion"};
  std::span<const std::uint8_t> input;  // the input that is being run
  RulebookPairs pairs = rulebook_pairs();
  RulebookSelection selection =
      select_rulebooks("rulebook:all", "table:all", pairs, rulebook_tables());

  void report(const std::string& check, const std::string& line, const std::string& ours,
              const std::string& theirs) {
    FindingRow row;
    row.check = check;
    row.signature = check + " " + line;
    row.verdict = "differ(dtype)";
    row.line = line;
    row.subject = ours;
    row.oracle = theirs;
    row.command = replay_command("promotion", input);
    log.add(row, check + " " + ours + " " + theirs);
  }
};

std::string text_of(const std::optional<DType>& dtype) {
  return dtype ? std::string(name(*dtype)) : "refuses";
}

std::optional<DType> dtype_of(const DTypeResult& result) {
  if (!result.ok() || result.dtype() == DType::kUndefined) return std::nullopt;
  return result.dtype();
}

std::vector<TypedOperand> read_operands(ByteReader& reader, std::size_t count) {
  std::vector<TypedOperand> operands;
  for (std::size_t i = 0; i < count; ++i) {
    const DType dtype = dtype_from_code(reader.next() % kDTypeCount);
    const std::uint8_t kind = reader.next() % 3;
    operands.push_back({dtype, static_cast<Kind>(kind)});
    // A number can only be bool, int64, float64 or complex128; another dtype makes a zero-dim
    // tensor.
    const bool number = dtype == DType::kBool || dtype == DType::kInt64 ||
                        dtype == DType::kFloat64 || dtype == DType::kComplex128;
    if (operands.back().kind == Kind::kWrapped && !number) operands.back().kind = Kind::kZeroDim;
  }
  return operands;
}

void examine_operands(Target& target, std::span<const TypedOperand> operands, Defaults defaults) {
  std::string line = "result_type(";
  for (const TypedOperand& operand : operands)
    line += fmt::format("{}@{},", name(operand.dtype), name(operand.kind));
  line.back() = ')';
  line += " @default=" + std::string(name(defaults.floating));
  const std::optional<DType> ours = dtype_of(result_type(operands, defaults));
  const std::optional<DType> theirs = libtorch::result_type(operands, defaults);
  mark_feature(static_cast<std::uint32_t>(operands.size()), ours ? code(*ours) : 99U);
  for (std::size_t i = 1; i < operands.size(); ++i)
    mark_feature(
        1000U + code(operands[i - 1].dtype) * 8U + static_cast<std::uint32_t>(operands[i - 1].kind),
        code(operands[i].dtype) * 8U + static_cast<std::uint32_t>(operands[i].kind));
  if (!ours) ++target.log.progress.refused;
  // LibTorch's table says Undefined for a bits dtype with another dtype. The next operand of the
  // slot then replaces both: result_type(bits8, uint8, uint8) is uint8.
  const bool bits = std::any_of(operands.begin(), operands.end(), [](const TypedOperand& operand) {
    return group(operand.dtype) == Group::kBits;
  });
  if (!ours && theirs && bits)
    ++target.log.progress.known;
  else if (ours != theirs)
    target.report("libtorch", line, text_of(ours), text_of(theirs));
  if (operands.size() != 2) return;
  const std::optional<DType> pair = dtype_of(result_type(operands[0], operands[1], defaults));
  if (pair != ours) target.report("table of pairs", line, text_of(pair), text_of(ours));
}

void examine_cell(Target& target, ByteReader& reader) {
  const auto& claimed = target.selection.claimed;
  if (claimed.empty()) return;
  const ClaimedTable& table = claimed[reader.next16() % claimed.size()];
  const std::int64_t cell = reader.next16() % std::max<std::int64_t>(1, table.cells());
  if (table.cells() == 0) return;
  const CellVerdict verdict = judge_cell(table, target.pairs.declared, cell);
  mark_feature(2000U + static_cast<std::uint32_t>(&table - claimed.data()),
               static_cast<std::uint32_t>(verdict.verdict.code));
  if (verdict.verdict.code == VerdictCode::kKnown) ++target.log.progress.known;
  if (verdict.verdict.code < VerdictCode::kDifferDType) return;
  target.report("rule book " + std::string(table.book->name),
                fmt::format("{} {} cell {}", table.set->name, table.table->name, cell),
                to_text(verdict.book), to_text(verdict.library));
}

}  // namespace
}  // namespace upcast::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upcast;
  static fuzz::Target target;
  target.log.tick();
  target.input = {data, size};
  fuzz::ByteReader reader({data, size});
  const std::uint8_t head = reader.next();
  const std::vector<TypedOperand> operands =
      fuzz::read_operands(reader, 1 + (head >> 2) % fuzz::kMaxOperandsAsked);
  fuzz::examine_operands(target, operands, {fuzz::kDefaults[head & 3]});
  fuzz::examine_cell(target, reader);
  return 0;
}
