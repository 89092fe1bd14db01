// Parsers of files that programs wrote, for fuzzing: stores, campaigns, sweeps, corpora.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "cases/notation.h"
#include "fuzz/chain_codec.h"
#include "fuzz/codec.h"
#include "fuzz/features.h"
#include "impl/core/error.h"
#include "impl/core/temporary_folder.h"
#include "reports/accuracy_table.h"
#include "reports/block_codec.h"
#include "reports/campaign.h"
#include "reports/testing/single_threaded_sqlite.h"
#include "reports/testing/synthetic_store.h"
#include "reports/token.h"
#include "tools/fuzz/parsers/parser.h"
#include "tools/sweep/chunk_file.h"

namespace upcast::fuzz {
namespace {

/// A run store on disk. It is damaged only during a read, and whole again after that. It has two
/// rows and two blocks, since each input reads all of it.
class Stores {
 public:
  Stores() : path_(folder_ / "run.db") {
    reports::testing::use_single_threaded_sqlite();
    const reports::testing::SyntheticOptions options{.binary_ops = 1,
                                                     .unary_ops = 0,
                                                     .dtypes = 1,
                                                     .out_forms = false,
                                                     .four_defaults = false,
                                                     .block_size = 64};
    reports::testing::write_synthetic_store(path_, reports::testing::synthetic_plan(options),
                                            options);
    map();
    whole_.assign(bytes_.begin(), bytes_.end());
  }
  ~Stores() { munmap(bytes_.data(), bytes_.size()); }
  Stores(const Stores&) = delete;
  Stores& operator=(const Stores&) = delete;

  /// Damages the store by `edits`, and reads all that a report reads. An edit has 3 bytes: two for
  /// the place, in 65,536ths of the file's size, and the new byte.
  void read_with(std::string_view edits) {
    const Damage damage(*this, edits);
    const reports::RunStore store = reports::RunStore::open(path_);
    store.for_each_block([](const auto&) {});
    store.for_each_record([](const auto&) {});
    mark_feature(11, static_cast<std::uint32_t>(store.rows().size()));
    mark_feature(12, static_cast<std::uint32_t>(store.plan().known.size()));
  }

 private:
  /// Applies edits to the file, and takes them back in its destructor. That is faster than a copy
  /// of the store for each input.
  class Damage {
   public:
    Damage(Stores& stores, std::string_view edits) : stores_(stores) {
      const auto byte = [edits](std::size_t i) { return static_cast<unsigned char>(edits[i]); };
      for (std::size_t i = 0; i + 3 <= edits.size(); i += 3) {
        places_.push_back((byte(i) | byte(i + 1) << 8) * stores.whole_.size() / 65536);
        stores.bytes_[places_.back()] = edits[i + 2];
      }
    }
    ~Damage() {
      for (const std::size_t place : places_) stores_.bytes_[place] = stores_.whole_[place];
    }
    Damage(const Damage&) = delete;
    Damage& operator=(const Damage&) = delete;

   private:
    Stores& stores_;
    std::vector<std::size_t> places_;
  };

  /// Maps the file into memory: an edit is then a store of a byte, and no system call.
  void map() {
    const int file = open(path_.c_str(), O_RDWR | O_CLOEXEC);
    const std::size_t size = std::filesystem::file_size(path_);
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    check(memory != MAP_FAILED, "a file in the temporary folder can be mapped");
    bytes_ = {static_cast<char*>(memory), size};
  }

  TemporaryFolder folder_;
  std::string path_;
  std::span<char> bytes_;  // those of the file
  std::string whole_;      // those of the undamaged file
};

/// Writes the text to a temporary file and returns its path, for parsers that take a file's name.
std::string write_file(std::string_view name, std::string_view text) {
  static const TemporaryFolder folder;
  const std::string path = folder / name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

void parse_store(const std::string& text) {
  static Stores stores;
  stores.read_with(text);
}

/// Reads a campaign. The first line of the text is its JSON, as of `upcast fuzz --json`; the others
/// are its findings.ndjson.
void parse_campaign(const std::string& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  write_file("findings.ndjson", std::string_view(text).substr(std::min(end + 1, text.size())));
  const reports::Campaign campaign =
      reports::load_campaign(write_file("campaign.json", text.substr(0, end)));
  mark_feature(20, static_cast<std::uint32_t>(campaign.findings.size()));
}

const nlohmann::json kSweepHeader{
    {"sweep", "exp"}, {"plan", 1}, {"kind", "ulp"}, {"sides", nlohmann::json::array({"a"})}};

void parse_chunks(const std::string& text) {
  const tools::ChunkFile chunks(write_file("sweep.ndjson", text), kSweepHeader);
  mark_feature(21, static_cast<std::uint32_t>(chunks.chunks().size()));
}

/// Unpacks the columns of a block. Its number of cases is that of an undamaged blob of this size.
/// Throws UsageError for a damaged one.
void unpack_block(std::string_view blob) {
  BlockResult block;
  const unsigned long long size = ZSTD_getFrameContentSize(blob.data(), blob.size());
  block.count = static_cast<std::int64_t>(std::min<unsigned long long>(size, 4 * 4096) / 4);
  if (const std::string wrong = reports::unpack_columns(blob, block); !wrong.empty())
    throw UsageError(wrong);
  BlockResult again;
  again.count = block.count;
  promise(reports::unpack_columns(reports::pack_columns(block), again).empty() && again == block,
          "what is packed is another block");
}

/// Takes the text as the four columns in a blob before compression, so that the fuzzer reaches the
/// code after decompression.
void parse_columns(const std::string& text) {
  static std::string blob;
  static ZSTD_CCtx* const context = ZSTD_createCCtx();  // kept, since making a context takes long
  blob.resize(ZSTD_compressBound(text.size()));
  const std::size_t size =
      ZSTD_compressCCtx(context, blob.data(), blob.size(), text.data(), text.size(), 1);
  unpack_block(std::string_view(blob).substr(0, size));
}

std::string packed_block() {
  BlockResult block;
  block.count = 2;
  block.verdict = {VerdictCode{0}, VerdictCode{0}};
  block.known = block.subject = block.oracle = {0, 1};
  return reports::pack_columns(block);
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void parse_corpus_case(const std::string& text) {
  const Case c = decode_case(bytes_of(text));
  const auto bytes = encode_case(c);
  promise(bytes && decode_case(*bytes) == c, "its bytes are another case");
  promise(parse_case(print_case(c)) == c, "its line is another case");
}

void parse_corpus_chain(const std::string& text) {
  const Chain calls = decode_chain(bytes_of(text));
  for (const ChainCall& call : calls)  // a chain cannot hold the longest case lines
    if (encode_case(call.c).value().size() >= kMaxCaseBytes) return;
  promise(decode_chain(encode_chain(calls)) == calls, "its bytes are other calls");
}

}  // namespace

std::span<const Parser> file_parsers() {
  static const std::vector<Parser> parsers{
      {"run_store", &parse_store, ""},
      {"block", [](const std::string& text) { unpack_block(text); }, packed_block()},
      {"columns", &parse_columns, std::string("\0\0\0\1\0\1\0\1", 8)},
      {"token", [](const std::string& text) { reports::parse_token(text); }, "int32[4]"},
      {"corpus_case", &parse_corpus_case, "\x01\x05"},
      {"corpus_chain", &parse_corpus_chain, "\x03\x01\x05\x01"},
      {"campaign", &parse_campaign,
       R"({"target":"chain","seconds":2,"cases":10,"cases_per_second":5,"features":3,"known":1,)"
       R"("findings":1,"log":"."})"
       "\n"
       R"({"signature":"value add","line":"a","verdict":"known"})"
       "\n"},
      {"accuracy_table",
       [](const std::string& text) { reports::AccuracyTable().add_table(text, "input"); },
       R"([{"op":"exp","dtype":"float16","side":"impl:cpu","max_ulp":0.5,"mean_ulp":0.2,)"
       R"("correctly_rounded":1.0,"misplaced":0,"undecided":0,"inputs":9,"exhaustive":true,)"
       R"("worst":[["0x3c00",0.5]],"edges":[0.5],"histogram":[9,0]}])"},
      {"accuracy_sweep",
       [](const std::string& text) { reports::AccuracyTable().add_sweep(text, "input"); },
       R"({"op":"exp","dtype":"float16","exhaustive":true,"sides":{"impl:cpu":{"max_ulp":0.75,)"
       R"("mean_ulp":0.2,"correctly_rounded":1.0,"misplaced":0,"undecided":0,"inputs":9,)"
       R"("worst":[{"input":"0x7bff","ulp":0.75}],"histogram_edges":[0.5],"histogram":[9,0]}}})"},
      {"accuracy_bounds",
       [](const std::string& text) { reports::AccuracyTable().add_bounds(text, "input"); },
       "[class.exact]\nfloat16 = 0\nops = [\"neg\"]\n"},
      {"sweep_chunks", &parse_chunks,
       kSweepHeader.dump() + "\n{\"versions\":{\"a\":\"1\"}}\n{\"chunk\":0,\"sides\":{}}\n"},
  };
  return parsers;
}

}  // namespace upcast::fuzz
