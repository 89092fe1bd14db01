// Text as a case line: it is refused with a fault in the line, or its canonical text means the
// same.
#include "cases/notation.h"

#include <cstdlib>
#include <string>

#include "fuzz/features.h"
#include "fuzz/finding_command.h"
#include "fuzz/finding_log.h"
#include "fuzz/seeds.h"
#include "fuzz/targets/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upcast;
  constexpr std::uint32_t kFault = 1, kParsed = 2;
  static fuzz::FindingLog log("notation");
  const std::string line(reinterpret_cast<const char*>(data), size);
  log.tick();
  std::string wrong;
  try {
    const Case c = parse_case_or_fault(line);
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
    if (fault.position > line.size()) wrong = "a fault behind the end of the line";
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
