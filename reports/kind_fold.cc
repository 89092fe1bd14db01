#include "reports/kind_fold.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace upcast::reports {
namespace {

constexpr std::array kKinds{VerdictCode::kDifferAccepts, VerdictCode::kDifferDType,
                            VerdictCode::kDifferValue,   VerdictCode::kDifferRefusal,
                            VerdictCode::kDifferShape,   VerdictCode::kDifferStrides,
                            VerdictCode::kDifferAlias,   VerdictCode::kCrash,
                            VerdictCode::kTimeout,       VerdictCode::kNondeterminism};

std::optional<VerdictCode> kind_of_entry(const KnownEntry& entry) {
  const std::string first = entry.kind.substr(0, entry.kind.find(','));
  for (const VerdictCode code : kKinds)
    if (kind_of(code) == first) return entry.wrong == "oracle" ? mirrored(code) : code;
  return std::nullopt;
}

/// Codes of the dtypes that a token names, as the search treats them (page/scan.js): for an operand
/// its own, for a whole line those of its tensors.
std::set<int> dtypes_of(const std::string& text) {
  const Token token = parse_token(text);
  if (token.kind == TokenKind::kDim || token.kind == TokenKind::kZeroDim)
    return {code(token.dtype)};
  std::set<int> found;
  if (token.kind != TokenKind::kOther) return found;
  for (std::size_t at = text.find('['); at != std::string::npos; at = text.find('[', at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 ||
                         text[begin - 1] == '_'))
      --begin;
    const int dtype = find_dtype_code(text.substr(begin, at - begin));
    if (dtype != kDTypeCount) found.insert(dtype);
  }
  return found;
}

}  // namespace

KindFold::KindFold(const RunData& data) : data_(data) {
  for (const auto& tokens : data.axes) {
    std::vector<std::set<int>>& codes = axes_.emplace_back();
    for (const std::string& token : tokens) codes.push_back(dtypes_of(token));
  }
}

void KindFold::add(const OpData& op, const ReportRow& row, const RunColumns& columns) {
  const auto [first, end] = row.places(columns);
  for (std::int64_t place = first; place < end; ++place) {
    const std::int64_t index = row.case_at(place);
    const CaseBytes bytes = columns.at(index);
    if (bytes.verdict == kNotStored) continue;
    const auto verdict = static_cast<VerdictCode>(bytes.verdict);
    if (verdict == VerdictCode::kKnown)
      add_known(op, row, place, bytes.known);
    else if (is_failure(verdict))
      add_case(row_of(verdict, op), row, place, &KindCounts::unexplained, index);
  }
}

std::vector<KindMatrix> KindFold::matrices() {
  std::vector<KindMatrix> found;
  for (const VerdictCode verdict : kKinds) {
    KindMatrix matrix;
    matrix.verdict = verdict;
    for (auto& [op, row] : rows_[verdict]) {
      matrix.counts.unexplained += row.counts.unexplained;
      matrix.counts.known += row.counts.known;
      for (const auto& [dtype, counts] : row.dtypes) matrix.dtypes.insert(dtype);
      matrix.rows.push_back(std::move(row));
    }
    std::stable_sort(matrix.rows.begin(), matrix.rows.end(),
                     [](const KindRow& a, const KindRow& b) {
                       return std::pair(a.counts.unexplained, a.counts.known) >
                              std::pair(b.counts.unexplained, b.counts.known);
                     });
    if (!matrix.rows.empty()) found.push_back(std::move(matrix));
  }
  return found;
}

KindRow& KindFold::row_of(VerdictCode verdict, const OpData& op) {
  KindRow& row = rows_[verdict][op.name];
  row.op = op.name;
  return row;
}

void KindFold::add_known(const OpData& op, const ReportRow& row, std::int64_t place, int id) {
  const KnownEntry* entry = data_.summary.entry(id);
  const std::optional<VerdictCode> kind = entry ? kind_of_entry(*entry) : std::nullopt;
  if (!kind) return;
  KindRow& found = row_of(*kind, op);
  found.known.insert(id);
  add_case(found, row, place, &KindCounts::known, -1);
}

void KindFold::add_case(KindRow& found, const ReportRow& row, std::int64_t place,
                        std::int64_t KindCounts::*count, std::int64_t index) const {
  ++(found.counts.*count);
  if (index >= 0 && (found.first_case < 0 || index < found.first_case)) found.first_case = index;
  std::set<int> seen;
  for (std::size_t axis = row.axes.size(); axis-- > 0;) {
    const auto& codes = axes_[static_cast<std::size_t>(row.axes[axis])];
    const auto size = static_cast<std::int64_t>(codes.size());
    const bool is_out = std::find(row.out_axes.begin(), row.out_axes.end(),
                                  static_cast<int>(axis)) != row.out_axes.end();
    if (!is_out) seen.insert(codes[place % size].begin(), codes[place % size].end());
    place /= size;
  }
  for (const int dtype : seen) ++(found.dtypes[dtype].*count);
}

}  // namespace upcast::reports
