// Every reader of outside data, on any bytes: it takes them, or throws a UsageError of one line.
//   the first byte chooses the reader; the rest is its text, or edits of a run store that is whole:
//   3 bytes each, where (of its size) and what
#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/known_differences.h"
#include "cases/notation.h"
#include "cases/rulebook_pairs.h"
#include "cases/rulebook_tables.h"
#include "cases/selector.h"
#include "fuzz/features.h"
#include "fuzz/finding_command.h"
#include "fuzz/finding_log.h"
#include "fuzz/seeds.h"
#include "fuzz/targets/target.h"
#include "impl/core/error.h"
#include "impl/core/temporary_folder.h"
#include "oracle/host/wire.h"
#include "oracle/plugin/manifest.h"
#include "oracle/protocol/answer_line.h"
#include "oracle/protocol/hello.h"
#include "reports/accuracy_table.h"
#include "reports/campaign.h"
#include "reports/testing/synthetic_store.h"
#include "tools/sweep/chunk_file.h"

namespace upcast::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A run store that is whole, and a file for damaged copies of it.
class Stores {
 public:
  Stores() : damaged_(folder_ / "damaged.db") {
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
    mark_feature(2, static_cast<std::uint32_t>(store.plan().known.size()));
  }

 private:
  TemporaryFolder folder_;
  std::string damaged_;
  std::string whole_;
};

/// Where readers that take a file's name find it.
class Files {
 public:
  std::string write(std::string_view name, std::string_view text) const {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

 private:
  TemporaryFolder folder_;
};

const Files& files() {
  static const Files made;
  return made;
}

const Stores& stores() {
  static const Stores made;
  return made;
}

/// The first line is what `upcast fuzz --json` writes, the others are the log's findings.
void read_campaign(const std::string& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  files().write("findings.ndjson", std::string_view(text).substr(std::min(end + 1, text.size())));
  const reports::Campaign campaign =
      reports::load_campaign(files().write("campaign.json", text.substr(0, end)));
  mark_feature(20, static_cast<std::uint32_t>(campaign.findings.size()));
}

const nlohmann::json kSweepHeader{
    {"sweep", "exp"}, {"plan", 1}, {"kind", "ulp"}, {"sides", nlohmann::json::array({"a"})}};

void read_frames(const std::string& text) {
  wire::FrameBuffer frames;
  frames.append(text);
  while (frames.next()) continue;
}

/// What a process wrote is read line by line.
std::string line_of(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string frame_of_nothing() { return std::string(4, '\0'); }

/// A reader of outside data, and what it takes. An input names it by its place: append only.
struct Reader {
  std::string_view name;
  void (*read)(const std::string& text);
  std::string seed;
};

const std::vector<Reader>& readers() {
  static const std::vector<Reader> all{
      {"cases",
       [](const std::string& text) {
         mark_feature(3, static_cast<std::uint32_t>(parse_cases(text, "input").size()));
       },
       "add(int32[3], 5.5) -> float32[3]\n"},
      {"selector", [](const std::string& text) { static_cast<void>(Selector(text)); },
       "mul*(float8[?], *)"},
      {"known differences", [](const std::string& text) { parse_known_differences(text, "input"); },
       R"([[difference]]
id = "a"
select = 'neg(int8[?])'
kind = "dtype"
oracle = "int16"
class = "bug"
witness = 'path: neg(int16[1])'
libtorch = ">=2.15,<2.16"
reason = "none"
found = "2026-11-22"
case = 'neg(int8[1])'
truth = 'int8[1]{0}'
)"},
      {"rule books", [](const std::string& text) { parse_rulebook_tables(text); },
       R"({"name":"a","framework":"a","version":"1","variant":"","errors":{},"error_kinds":{},)"
       R"("tables":[{"name":"t","rows":"i64","cols":"f32","cells":["f32"]}]})"},
      {"rule book pairs", [](const std::string& text) { parse_rulebook_pairs(text, "input"); },
       "[[pair]]\nbook = \"pytorch\"\ntable = \"pytorch_2.15.0\"\nclaims = [\"*\"]\n"},
      {"run store",
       [](const std::string& text) {
         stores().read_with({text.begin(), text.end()});
       },
       ""},
      {"hello", [](const std::string& text) { protocol::read_hello(line_of(text), "it"); },
       R"({"proto":1,"manifest":{"name":"a","version":"1"},"versions":{"a":"1"}})"},
      {"answers",
       [](const std::string& text) {
         static const std::array<std::byte, 64> area{};
         protocol::read_answers(line_of(text), 1, area);
       },
       R"({"seq":1,"answers":[{"id":0,"ok":[{"dtype":"int8","shape":[2],"hex":"0102"}]}]})"},
      {"configured", [](const std::string& text) { protocol::read_configured(line_of(text)); },
       R"({"ok":true})"},
      {"manifest", [](const std::string& text) { Manifest::parse(text); },
       R"({"name":"a","version":"1","dtypes":["float32"],"ops":["add"],"forms":["functional"]})"},
      {"frames", &read_frames, frame_of_nothing()},
      {"worker setup", [](const std::string& text) { wire::decode_setup(text); },
       wire::encode(WorkerSetup{})},
      {"worker hello", [](const std::string& text) { wire::decode_hello(text); },
       wire::encode(WorkerHello{})},
      {"block request", [](const std::string& text) { wire::decode_request(text); },
       wire::encode(BlockRequest{})},
      {"block result", [](const std::string& text) { wire::decode_result(text); },
       wire::encode(BlockResult{})},
      {"campaign", &read_campaign,
       R"({"target":"chain","seconds":2,"cases":10,"cases_per_second":5,"features":3,"known":1,)"
       R"("findings":1,"log":"."})"
       "\n"
       R"({"signature":"value add","line":"a","verdict":"known"})"
       "\n"},
      {"accuracy table",
       [](const std::string& text) { reports::AccuracyTable().add_table(text, "input"); },
       R"([{"op":"exp","dtype":"float16","side":"impl:cpu","max_ulp":0.5,"mean_ulp":0.2,)"
       R"("correctly_rounded":1.0,"misplaced":0,"undecided":0,"inputs":9,"exhaustive":true,)"
       R"("worst":[["0x3c00",0.5]],"edges":[0.5],"histogram":[9,0]}])"},
      {"accuracy of a sweep",
       [](const std::string& text) { reports::AccuracyTable().add_sweep(text, "input"); },
       R"({"op":"exp","dtype":"float16","exhaustive":true,"sides":{"impl:cpu":{"max_ulp":0.75,)"
       R"("mean_ulp":0.2,"correctly_rounded":1.0,"misplaced":0,"undecided":0,"inputs":9,)"
       R"("worst":[{"input":"0x7bff","ulp":0.75}],"histogram_edges":[0.5],"histogram":[9,0]}}})"},
      {"accuracy bounds",
       [](const std::string& text) { reports::AccuracyTable().add_bounds(text, "input"); },
       "[class.exact]\nfloat16 = 0\nops = [\"neg\"]\n"},
      {"chunks of a sweep",
       [](const std::string& text) {
         const tools::ChunkFile chunks(files().write("sweep.ndjson", text), kSweepHeader);
         mark_feature(21, static_cast<std::uint32_t>(chunks.chunks().size()));
       },
       kSweepHeader.dump() + "\n{\"versions\":{\"a\":\"1\"}}\n{\"chunk\":0,\"sides\":{}}\n"},
  };
  return all;
}

const Reader& reader_of(std::uint8_t byte) { return readers()[byte % readers().size()]; }

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
  return std::string(reader_of(input[0]).name) + ": " + std::string(input.begin() + 1, input.end());
}

/// What each reader takes, the smallest of its kind.
std::vector<Bytes> own_seeds() {
  std::vector<Bytes> seeds;
  for (std::size_t i = 0; i < readers().size(); ++i) {
    seeds.push_back({static_cast<std::uint8_t>(i)});
    seeds.back().insert(seeds.back().end(), readers()[i].seed.begin(), readers()[i].seed.end());
  }
  return seeds;
}

}  // namespace upcast::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upcast;
  static fuzz::FindingLog log("store");
  if (size == 0) return 0;
  log.tick();
  const fuzz::Reader& reader = fuzz::reader_of(data[0]);
  const auto id = static_cast<std::uint32_t>(&reader - fuzz::readers().data());
  std::string wrong;
  try {
    reader.read(std::string(data + 1, data + size));
    fuzz::mark_feature(4, id);
  } catch (const UsageError& error) {
    ++log.progress.refused;
    const std::string_view message = error.what();
    // without the temporary folder's name, and the places in the file
    std::uint32_t kind = 0;
    for (const char letter : message.substr(message.rfind('/') + 1))
      if (letter < '0' || letter > '9') kind = kind * 31 + static_cast<std::uint8_t>(letter);
    fuzz::mark_feature(100 + id, kind);
    wrong = fuzz::fault_of(message);
  } catch (const std::exception& error) {
    wrong = std::string("no UsageError: ") + error.what();
  }
  if (wrong.empty()) return 0;
  fuzz::FindingRow row;
  row.check = reader.name;
  row.signature = std::string(reader.name) + " " + wrong;
  row.verdict = "differ(refusal)";
  row.line = fuzz::text_of_input({data, data + size});
  row.detail = wrong;
  row.command = fuzz::replay_command("store", std::span(data, size));
  log.add(row, row.signature);
  return 0;
}
