// A case's story: what the report tells of a noteworthy case beyond its record.
// tools/case_teller.h, which knows cases, makes it. The store has cases as text only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/run_store.h"
#include "reports/summary.h"

namespace upcast::reports {

/// A value in decimal, and its bits.
struct ValueBits {
  std::string value{}, bits{};  // "0.7", "0x399a"
  std::string exact{};          // "0.7001953125"; "" if that is `value`, or no finite number
};

struct OperandStory {
  std::string name{}, text{};       // the schema's parameter; "float32[4]", "5.5"
  std::vector<ValueBits> values{};  // the first few elements in logical order
  int64_t elements = 0;
};

/// An element of the result whose values differ.
struct ElementStory {
  int64_t index = 0;                  // in logical order
  std::vector<ValueBits> operands{};  // as CaseStory::operands; "" if the operand has no element
  ValueBits subject{}, oracle{};
};

struct CaseStory {
  std::string explanation{};  // as `upcast explain` prints it
  std::vector<OperandStory> operands{};
  std::vector<ElementStory> elements{};
  std::string cpp{}, python{};  // programs that show the difference; "": none
  std::string no_program{};     // why there is no program; "": there is one
  std::string no_python{};      // why there is one in C++ only; else ""
  std::string needs{};          // what a program calls and needs; "" for LibTorch's
};

/// Makes the story of a recorded case of a run.
using CaseTeller = std::function<CaseStory(const CaseRecord&, const Summary&)>;

}  // namespace upcast::reports
