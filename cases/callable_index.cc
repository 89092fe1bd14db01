#include "cases/callable_index.h"

#include <algorithm>

#include "cases/operands.h"

namespace upcast::internal {
namespace {

const std::vector<Callable>& find(const std::map<std::string_view, std::vector<Callable>>& map,
                                  std::string_view name) {
  static const std::vector<Callable> kNothing;
  const auto found = map.find(name);
  return found == map.end() ? kNothing : found->second;
}

}  // namespace

const CallableIndex& CallableIndex::get() {
  static const CallableIndex index;
  return index;
}

CallableIndex::CallableIndex() {
  for_each_callable([this](const Op& op, int overload, Form form) {
    const std::string_view name = op.callable(overload, form);
    all_.push_back({name, &op, overload, form});
    exact_[name].push_back(all_.back());
    overloads_[name.substr(0, name.find('.'))].push_back(all_.back());
  });
  for (auto& [name, callables] : overloads_)
    std::stable_sort(callables.begin(), callables.end(), [](const auto& a, const auto& b) {
      return tensor_positions(a.schema()).size() > tensor_positions(b.schema()).size();
    });
}

const std::vector<Callable>& CallableIndex::exact(std::string_view name) const {
  return find(exact_, name);
}

const std::vector<Callable>& CallableIndex::overloads(std::string_view name) const {
  return find(overloads_, name);
}

std::vector<std::string_view> CallableIndex::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, callables] : overloads_) names.push_back(name);
  return names;
}

}  // namespace upcast::internal
