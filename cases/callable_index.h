// Every callable of the catalogue by its name, with and without overload.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "impl/ops/catalogue.h"

namespace upcast::internal {

struct Callable {
  std::string_view name;  // "add_.Tensor"
  const Op* op;
  int overload;
  Form form;

  const Schema& schema() const { return op->schemas[overload]; }
};

class CallableIndex {
 public:
  static const CallableIndex& get();

  /// The callables of a full name ("add.Tensor"); empty if there is none.
  const std::vector<Callable>& exact(std::string_view name) const;
  /// The callables of a name without overload ("add", "add_"), those with more Tensor parameters
  /// first.
  const std::vector<Callable>& overloads(std::string_view name) const;
  const std::vector<Callable>& all() const { return all_; }
  /// All names without overload, sorted.
  std::vector<std::string_view> names() const;

 private:
  CallableIndex();
  std::vector<Callable> all_;
  std::map<std::string_view, std::vector<Callable>> exact_, overloads_;
};

}  // namespace upcast::internal
