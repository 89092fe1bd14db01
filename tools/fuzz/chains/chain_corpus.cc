#include "tools/fuzz/chains/chain_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cases/output_file.h"
#include "cases/text_file.h"
#include "fuzz/chain_codec.h"
#include "impl/core/error.h"
#include "oracle/signature.h"
#include "tools/fuzz/corpus.h"

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;

constexpr int kFromFolder = 30;  // percent of draws that take a chain of the folder
constexpr int kChanged = 40;     // percent of other draws that change a known chain

std::string made(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw UsageError(folder + " is not a folder, and cannot be created: " + error.message());
  return folder;
}

}  // namespace

ChainCorpus::ChainCorpus(const std::string& folder, Random& random)
    : folder_(made(folder)), lock_(lock_folder(folder)), random_(random) {
  check_inputs(folder);
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (std::size_t i = paths.size(); i > 1; --i) std::swap(paths[i - 1], paths[random.below(i)]);
  for (const fs::path& path : paths) {
    const std::string text = file_text(path.string());
    chains_.push_back(
        fuzz::decode_chain({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
  }
  held_ = chains_.size();
}

Chain ChainCorpus::draw(std::span<const FoundOp> callables, const fuzz::AskCase& oracle) {
  if (drawn_ < held_ && random_.chance(kFromFolder)) return chains_[drawn_++];
  if (chains_.empty() || !random_.chance(kChanged))
    return fuzz::random_chain(random_, callables, oracle);
  Chain chain = random_.from(chains_);
  if (random_.chance(20)) return fuzz::cross_chains(random_, chain, random_.from(chains_));
  fuzz::mutate_chain(random_, chain);
  return chain;
}

bool ChainCorpus::is_new(const fuzz::AskedChain& asked) {
  const std::size_t before = features_.size();
  for (std::size_t i = 1; i < asked.cases.size(); ++i) {
    const Case &first = asked.cases[i - 1], &second = asked.cases[i];
    const Answer &taken = asked.replies[i - 1].answer, &given = asked.replies[i].answer;
    const std::string_view dtype = name(taken.dtype);
    for (const std::string& feature :
         {fmt::format("{} {}", first.op->spec->name, second.op->spec->name),
          fmt::format("{} {} {}", dtype, second.callable(), asked.chain[i].takes),
          fmt::format("{} {} {} {}", dtype, answer_code(given), name(first.form),
                      name(second.form))})
      features_.insert(hash_of(feature));
  }
  return features_.size() > before;
}

void ChainCorpus::offer(const fuzz::AskedChain& asked) {
  if (!is_new(asked)) return;
  const std::vector<std::uint8_t> bytes = fuzz::encode_chain(asked.chain);
  if (fuzz::decode_chain(bytes) != asked.chain) return;  // the codec cannot hold the chain
  const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  const std::string path = fmt::format("{}/{}", folder_, hash_text(hash_of(text)));
  if (fs::exists(path)) return;
  write_output_file(path, text);
  chains_.push_back(asked.chain);
}

}  // namespace upcast::tools
