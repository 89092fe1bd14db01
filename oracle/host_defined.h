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
    // The machine decides only if a kernel's threads run, on a GPU or emulated. Loops on two CPUs
    // must agree.
    kInParallel,
    kOnGpu  // the machine decides only if a GPU computes; two CPUs must agree
  };
  Where where;
  /// For each element of an answer (logical order), whether the machine decides it; empty if it
  /// decides none.
  std::vector<bool> (*elements)(const Case& c, const Answer& answer);
};

/// The rules, in the order in which they are asked. There is none for shifts by the width or more,
/// or by less than 0: LibTorch guards these with the same formula on CPU and GPU.
std::span<const HostDefined> host_defined_rules();

/// The elements that the machine decides, and the id of the first rule that covers any. Empty if
/// every element can be judged. `where`: kOnGpu if a side computes on a GPU, kInParallel if a side
/// emulates one, else kEverywhere.
struct HostDefinedElements {
  std::vector<bool> elements{};
  std::string_view id{};
};
HostDefinedElements host_defined_elements(const Case& c, const Answer& answer,
                                          HostDefined::Where where);

/// The rule about integer division by zero. On a CPU the division traps, and is refused. On a GPU
/// it gives any value.
extern const HostDefined kZeroDivision;

/// Whether the machine decides between a refusal and an answer: one side refuses a division by
/// zero, and a divisor is zero.
bool machine_decides_refusal(const Case& c, const Answer& refusal, const Answer& answer);

}  // namespace upcast
