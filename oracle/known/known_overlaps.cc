#include "oracle/known/known_overlaps.h"

#include <algorithm>
#include <set>
#include <utility>

#include "cases/notation.h"

namespace upcast {
namespace {

/// The places in `known` of the entries that select a case of the row.
std::vector<int> entries_of(const GridRow& row, const std::vector<KnownDifference>& known) {
  std::vector<int> found;
  for (int i = 0; i < static_cast<int>(known.size()); ++i) {
    if (known[i].selector->matches_any(row)) found.push_back(i);
  }
  return found;
}

bool share_a_kind(const KnownDifference& a, const KnownDifference& b) {
  return std::any_of(a.kinds.begin(), a.kinds.end(),
                     [&b](const std::string& kind) { return b.is_of(kind); });
}

/// Whether two entries about a path of LibTorch have one model, and only one of them is a bug. The
/// bug covers cases in which the paths contradict each other in kind. The other entry does not
/// explain these, so the two do not overlap.
bool are_twins(const KnownDifference& a, const KnownDifference& b) {
  return !a.subject.empty() && a.wrong_answer == b.wrong_answer &&
         (a.difference_class == "bug") != (b.difference_class == "bug");
}

/// Visits the pairs of entries that may overlap: of one kind and one subject, neither of them
/// general, and no twins. The entry that comes first in the file is the first of the pair.
template <class F>
void for_each_pair(const std::vector<int>& entries, const std::vector<KnownDifference>& known,
                   F&& visit) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (std::size_t j = i + 1; j < entries.size(); ++j)
      if (!known[entries[i]].is_general && !known[entries[j]].is_general &&
          share_a_kind(known[entries[i]], known[entries[j]]) &&
          known[entries[i]].subject == known[entries[j]].subject &&
          !are_twins(known[entries[i]], known[entries[j]]))
        visit(entries[i], entries[j]);
}

}  // namespace

std::vector<KnownOverlap> find_overlaps(const Plan& plan,
                                        const std::vector<KnownDifference>& known) {
  std::vector<KnownOverlap> overlaps;
  std::set<std::pair<int, int>> pairs;
  std::vector<int> of_case;
  for (const GridRow& row : plan.rows) {
    const std::vector<int> of_row = entries_of(row, known);
    std::set<int> undecided;  // pairs of entries for which no case has shown yet that they overlap
    for_each_pair(of_row, known, [&](int a, int b) {
      if (!pairs.contains({a, b})) undecided.insert({a, b});
    });
    if (undecided.empty()) continue;
    Case c = row.prototype;
    for (std::int64_t index = 0; index < row.count; ++index) {
      row.decode(index, c);
      of_case.clear();
      for (const int entry : undecided)
        if (known[entry].selector->matches(c)) of_case.push_back(entry);
      for_each_pair(of_case, known, [&](int a, int b) {
        if (pairs.emplace(a, b).second) overlaps.push_back({a, b, print_case(c)});
      });
    }
  }
  return overlaps;
}

}  // namespace upcast
