// Every reader of outside data, on any bytes: it takes them, or throws a UsageError of one line.
//   the first byte chooses the reader; the rest is its text, or edits of a run store that is whole:
//   3 bytes each, where (of its size) and what
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cases/known_differences.h"
#include "cases/notation.h"
#include "cases/rulebook_pairs.h"
#include "cases/rulebook_tables.h"
#include "cases/selector.h"
#include "fuzz/features.h"
#include "fuzz/finding_log.h"
#include "fuzz/seeds.h"
#include "fuzz/targets/target.h"
#include "impl/core/error.h"
#include "reports/testing/synthetic_store.h"
#include "reports/testing/temporary_folder.h"

namespace upcast::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view kDamaged = "damaged.db";

/// A run store that is whole, and a file for damaged copies of it.
class Stores {
 public:
  Stores() : damaged_(folder_ / kDamaged) {
    const std::string whole = folder_ / "whole.db";
    const reports::testing::SyntheticOptions options{
        .binary_ops = 1, .unary_ops = 0, .dtypes = 3, .out_forms = false, .block_size = 64};
    reports::testing::write_synthetic_store(whole, reports::testing::synthetic_plan(options),
                                            options);
    std::ifstream file(whole, std::ios::binary);
    whole_.assign(std::istreambuf_iterator<char>(file), {});
  }

  /// Reads all that a report reads.
  void read_with(const Bytes& edits) const {
    std::string bytes = whole_;
    for (std::size_t i = 0; i + 3 <= edits.size(); i += 3)
      bytes[(edits[i] | edits[i + 1] << 8) * bytes.size() / 65536] =
          static_cast<char>(edits[i + 2]);
    std::ofstream(damaged_, std::ios::binary) << bytes;
    const reports::RunStore store = reports::RunStore::open(damaged_);
    store.for_each_block([](const auto&) {});
    store.for_each_record([](const auto&) {});
    mark_feature(1, static_cast<std::uint32_t>(store.rows().size()));
    mark_feature(2, static_cast<std::uint32_t>(store.known().size()));
  }

 private:
  reports::testing::TemporaryFolder folder_;
  std::string damaged_;
  std::string whole_;
};

constexpr std::array<std::string_view, 6> kReaders{
    "cases", "selector", "known differences", "rule books", "rule book pairs", "run store"};

void read(const Stores& stores, std::size_t reader, const Bytes& bytes) {
  const std::string text(bytes.begin(), bytes.end());
  switch (reader) {
    case 0:
      mark_feature(3, static_cast<std::uint32_t>(parse_cases(text, "input").size()));
      return;
    case 1:
      static_cast<void>(Selector(text));
      return;
    case 2:
      parse_known_differences(text, "input");
      return;
    case 3:
      parse_rulebook_tables(text);
      return;
    case 4:
      parse_rulebook_pairs(text, "input");
      return;
    default:
      stores.read_with(bytes);
  }
}

/// What is wrong with a message, "" where nothing is.
std::string fault_of(std::string_view message) {
  if (message.empty()) return "an empty message";
  return message.find('\n') == message.npos ? "" : "a message of several lines";
}

}  // namespace

/// A line as a case file.
Bytes input_of(std::string_view line) {
  Bytes bytes(line.size() + 1);
  std::copy(line.begin(), line.end(), bytes.begin() + 1);
  return bytes;
}

std::string text_of_input(const Bytes& input) {
  if (input.empty()) return "";
  return std::string(kReaders[input[0] % kReaders.size()]) + ": " +
         std::string(input.begin() + 1, input.end());
}

}  // namespace upcast::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upcast;
  static fuzz::FindingLog log("store");
  static const fuzz::Stores stores;
  if (size == 0) return 0;
  log.tick();
  const std::size_t reader = data[0] % fuzz::kReaders.size();
  std::string wrong;
  try {
    fuzz::read(stores, reader, {data + 1, data + size});
    fuzz::mark_feature(4, static_cast<std::uint32_t>(reader));
  } catch (const UsageError& error) {
    ++log.progress.refused;
    const std::string_view message = error.what();
    // what is said behind the file's name, without the places in it
    const std::size_t file = message.rfind(fuzz::kDamaged);
    std::uint32_t kind = 0;
    for (const char letter : message.substr(file == message.npos ? 0 : file))
      if (letter < '0' || letter > '9') kind = kind * 31 + static_cast<std::uint8_t>(letter);
    fuzz::mark_feature(5 + static_cast<std::uint32_t>(reader), kind);
    wrong = fuzz::fault_of(message);
  } catch (const std::exception& error) {
    wrong = std::string("no UsageError: ") + error.what();
  }
  if (wrong.empty()) return 0;
  fuzz::FindingRow row;
  row.check = fuzz::kReaders[reader];
  row.signature = std::string(fuzz::kReaders[reader]) + " " + wrong;
  for (const char letter : row.signature)
    row.hash = row.hash * 31 + static_cast<std::uint8_t>(letter);
  row.verdict = "differ(refusal)";
  row.line = fuzz::text_of_input({data, data + size});
  row.detail = wrong;
  log.add(row, row.signature);
  return 0;
}
