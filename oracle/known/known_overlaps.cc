#include "oracle/known/known_overlaps.h"

#include <algorithm>
#include <set>
#include <utility>

#include "cases/notation.h"
#include "cases/selector_index.h"

namespace upcast {
namespace {

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
  std::vector<int> of_row, of_case;  // places in `known`
  SelectorIndex by_callable;
  for (int i = 0; i < std::ssize(known); ++i) by_callable.add(i, *known[i].selector);
  for (const GridRow& row : plan.rows) {
    of_row.clear();
    for (const int entry : by_callable.items_of(row.prototype.callable()))
      if (known[entry].selector->matches_any(row)) of_row.push_back(entry);
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
