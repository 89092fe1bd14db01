// Fuzz target: text as a case line, or as a Python expression of a case. The text must be refused
// with a fault in the line, or its canonical text must mean the same case.
#include "cases/notation.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "cases/operands.h"
#include "cases/python/question.h"
#include "fuzz/features.h"
#include "fuzz/finding_command.h"
#include "fuzz/finding_log.h"
#include "fuzz/seeds.h"
#include "fuzz/targets/target.h"

namespace {

using upcast::Case;

/// Reads a line as case notation, or else as Python, where every inner call gives int8[2].
Case read(const std::string& line) {
  try {
    return upcast::parse_case_or_fault(line);
  } catch (const upcast::SyntaxFault&) {
    const auto int8 = [](const Case&) { return upcast::tensor(upcast::DType::kInt8, {2}); };
    return upcast::read_python_or_fault(line, int8).c;
  }
}

}  // namespace

// Seeds of this target that are no case lines.
std::vector<std::vector<std::uint8_t>> upcast::fuzz::own_seeds() {
  std::vector<std::vector<std::uint8_t>> seeds;
  for (const char* text : {
           "torch.add(torch.ones(3, dtype=torch.int32), 5.5)",
           "a + b with a=int32[3], b=5.5",
           "x = torch.tensor([[1, 2.5], [3, 4]]); x.mul_(x)",
           "(~bool[2] | (int8[2] < 2 ** 3)).dtype @default=float64",
           "x //= -2_0 # floor_divide_\nx *= 1.5e3 -> refuses",
           "torch.div(int64[2], 'x', rounding_mode='floor', out=torch.empty((2,)))",
       })
    seeds.push_back(input_of(text));
  return seeds;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upcast;
  constexpr std::uint32_t kFault = 1, kParsed = 2;
  static fuzz::FindingLog log("notation");
  const std::string line(reinterpret_cast<const char*>(data), size);
  log.tick();
  std::string wrong;
  try {
    const Case c = read(line);
    fuzz::mark_feature(kParsed, static_cast<std::uint32_t>(c.op - catalogue().data()));
    const std::string printed = print_case(c);
    try {
      if (!(parse_case_or_fault(printed) == c)) wrong = "another case";
    } catch (const SyntaxFault& fault) {
      wrong = "a fault: " + fault.message;
    }
  } catch (const SyntaxFault& fault) {
    ++log.progress.refused;
    fuzz::mark_feature(kFault, static_cast<std::uint32_t>(fault.message.size()));
    if (fault.position > line.size()) wrong = "a fault after the end of the line";
  }
  if (wrong.empty()) return 0;
  fuzz::FindingRow row;
  row.check = "round trip";
  row.signature = "notation " + wrong;
  row.verdict = "differ(value)";
  row.line = line;
  row.detail = "its canonical text is " + wrong;
  row.command = fuzz::replay_command("notation", std::span(data, size));
  log.add(row, row.signature);
  return 0;
}
