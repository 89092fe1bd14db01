// Rules about results that depend on the machine, so that no side is right or wrong.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// Elements of a result that the machine decides, and why it may.
struct HostDefined {
  std::string_view id;
  std::string_view reason;
  enum class Where : std::uint8_t {
    kEverywhere,
    kInParallel,  // if a kernel's threads run, on a GPU or emulated: two loops agree
    kOnGpu        // if a GPU computes: two CPUs agree
  };
  Where where;
  /// For each element of an answer (logical order), whether the machine decides it; empty if it
  /// decides none.
  std::vector<bool> (*elements)(const Case& c, const Answer& answer);
};

/// Shifts by the width or more, and by less than 0, are not among them: LibTorch guards them on
/// either device with the same formula.
std::span<const HostDefined> host_defined_rules();

/// The elements that the machine decides, and the id of the first rule that covers any. Empty if
/// every element can be judged. `where`: kOnGpu if a side computes on a GPU, kInParallel if one
/// emulates it.
struct HostDefinedElements {
  std::vector<bool> elements{};
  std::string_view id{};
};
HostDefinedElements host_defined_elements(const Case& c, const Answer& answer,
                                          HostDefined::Where where);

/// An integer division by zero traps on a CPU, where it is refused, and gives any value on a GPU.
extern const HostDefined kZeroDivision;

/// Whether the machine decides between a refusal and an answer: one side refuses a division by
/// zero, and a divisor is zero.
bool machine_decides_refusal(const Case& c, const Answer& refusal, const Answer& answer);

}  // namespace upcast
