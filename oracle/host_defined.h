// Results that depend on the machine: no side is right or wrong about them.
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
    kInParallel,  // where a kernel's threads run, on a GPU or emulated: two loops agree on them
    kOnGpu        // two CPUs agree on them
  };
  Where where;
  /// For each element of an answer (logical order) whether it is one; empty where none can be.
  std::vector<bool> (*elements)(const Case& c, const Answer& answer);
};

/// Shifts by the width or more, and by less than 0, are not among them: LibTorch guards them on
/// either device with the same formula.
std::span<const HostDefined> host_defined_rules();

/// The elements that the rules name, and the id of the first that names any. Empty where every
/// element can be judged. `where`: kOnGpu where a side computes on a GPU, kInParallel where one
/// emulates it.
struct HostDefinedElements {
  std::vector<bool> elements{};
  std::string_view id{};
};
HostDefinedElements host_defined_elements(const Case& c, const Answer& answer,
                                          HostDefined::Where where);

/// An integer division by zero traps on a CPU, where it is refused, and gives any value on a GPU.
extern const HostDefined kZeroDivision;

/// Whether a refusal on one side and an answer on the other are the machine's doing: the one
/// refuses a division by zero, and a divisor is zero.
bool machine_decides_refusal(const Case& c, const Answer& refusal, const Answer& answer);

}  // namespace upcast
