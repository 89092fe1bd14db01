// Finds the selectors that can match cases of a callable, without asking each one.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cases/selector.h"

namespace upcast {

/// The callables that some items select. An item is a number, such as a place in a list.
class SelectorIndex {
 public:
  /// Adds an item with one of its selectors. All selectors of an item must be added in succession.
  void add(int item, const Selector& selector) {
    for (const std::string_view callable : selector.callables()) {
      std::vector<int>& items = items_[callable];
      if (items.empty() || items.back() != item) items.push_back(item);
    }
  }
  /// The items with a selector that names the callable, in the order in which they were added.
  std::span<const int> items_of(std::string_view callable) const {
    const auto found = items_.find(callable);
    return found == items_.end() ? std::span<const int>() : found->second;
  }

 private:
  std::unordered_map<std::string_view, std::vector<int>> items_;  // the names are the catalogue's
};

}  // namespace upcast
