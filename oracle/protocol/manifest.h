// What a process says of itself in its hello (docs/process_protocol.md).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cases/case.h"
#include "impl/core/dtype_set.h"

namespace upcast::protocol {

struct Manifest {
  std::string name;
  std::string version;
  std::map<std::string, std::string> versions;  // of what it is made of: {"python": "3.11.7"}
  DTypeSet dtypes;                              // none named: all
  /// Forms by op ("add"); none named: all ops and forms.
  std::map<std::string, std::set<Form>, std::less<>> ops;
  std::set<Device> devices{Device::kCpu};
  bool maps_memory = false;  // it reads and writes tensors in the shared area

  /// Why a case is not asked: "no such op", "no such dtype: bfloat16"; "" where it is.
  std::string_view declines(const Case& c) const;

 private:
  struct Row {
    const Op* op = nullptr;
    Form form = Form::kFunctional;
    std::string_view why;
  };
  mutable Row last_;  // cases of one op come in a row
};

/// Reads the answer to hello. Throws UsageError, one line that names `who`, for what is none, and
/// for another version of the protocol.
Manifest read_manifest(std::string_view line, std::string_view who);

}  // namespace upcast::protocol
