// A case's story: what the report tells of a noteworthy case beyond its record.
// tools/case_teller.h, which knows cases, makes it. The store has cases as text only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/run_store.h"
#include "reports/summary.h"

namespace upcast::reports {

/// An element or a number: in decimal, and its bits.
struct ValueBits {
  std::string value{}, bits{};  // "0.7", "0x399a"
  std::string exact{};          // all digits, "0.7001953125"; "" if equal to `value`, or not finite
};

struct OperandStory {
  std::string name{}, text{};       // name of the parameter; the operand: "float32[4]", "5.5"
  std::vector<ValueBits> values{};  // the operand's first few elements in logical order
  int64_t elements = 0;
};

/// An element of the result in which the two answers differ.
struct ElementStory {
  int64_t index = 0;  // the element's index in logical order
  /// The operands' elements from which the element is computed, one for each of
  /// CaseStory::operands. A value is "" if the operand has no element.
  std::vector<ValueBits> operands{};
  ValueBits subject{}, oracle{};
};

struct CaseStory {
  std::string explanation{};  // the text that `upcast explain` prints for the case
  std::vector<OperandStory> operands{};
  std::vector<ElementStory> elements{};
  std::string cpp{}, python{};  // programs that show the difference; "": none
  std::string no_program{};     // why there is no program; "": there is one
  std::string no_python{};      // why there is a program in C++ only; "": there is one in Python
  std::string needs{};          // what the program needs to run; "": only LibTorch
};

/// A function that makes the story of a recorded case of a run.
using CaseTeller = std::function<CaseStory(const CaseRecord&, const Summary&)>;

}  // namespace upcast::reports
