// The engine of builds without one: runs the inputs that it is given, files and folders of them.
//   TARGET-replay FILE|FOLDER...          each file once; folders in the order of their names
//   TARGET-replay -mutate=N -seed=S ...   N mutations of them besides, without any feedback
// Prints 'replayed N inputs, F features, R inputs/s of processor time'.
#include <algorithm>
#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/features.h"
#include "fuzz/random.h"
#include "fuzz/targets/target.h"

extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t*, std::size_t,
                                                                     std::size_t, unsigned int);

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t kMaxBytes = 4096;

class Replay {
 public:
  void run(const Bytes& bytes) {
    upcast::fuzz::clear_features();
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    upcast::fuzz::for_each_mark([this](std::size_t i) { features_.set(i); });
    ++inputs_;
  }
  std::size_t features() const { return features_.count(); }
  long long inputs() const { return inputs_; }

 private:
  std::bitset<upcast::fuzz::kFeatureBytes> features_;
  long long inputs_ = 0;
};

Bytes read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

/// The target's own mutation, else a byte that is changed or added.
void change(Bytes& bytes, upcast::fuzz::Random& random) {
  if (LLVMFuzzerCustomMutator != nullptr) {
    const std::size_t size = bytes.size();
    bytes.resize(kMaxBytes);
    bytes.resize(LLVMFuzzerCustomMutator(bytes.data(), size, kMaxBytes,
                                         static_cast<unsigned>(random.bits())));
    return;
  }
  if (bytes.empty() || random.percent(20)) bytes.push_back(0);
  bytes[random.below(bytes.size())] = static_cast<std::uint8_t>(random.bits());
}

/// Files, those of folders in the order of their names.
bool collect(const std::string& argument, std::vector<Bytes>& inputs) {
  std::vector<std::filesystem::path> paths;
  if (std::filesystem::is_directory(argument)) {
    for (const auto& entry : std::filesystem::directory_iterator(argument))
      if (entry.is_regular_file()) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
  } else if (std::filesystem::exists(argument)) {
    paths.push_back(argument);
  } else {
    return false;
  }
  for (const auto& path : paths) inputs.push_back(read(path));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Bytes> inputs;
  long long mutations = 0;
  std::uint64_t seed = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("-mutate=")) {
      mutations = std::atoll(argument.c_str() + 8);
    } else if (argument.starts_with("-seed=")) {
      seed = std::strtoull(argument.c_str() + 6, nullptr, 10);
    } else if (!collect(argument, inputs)) {
      std::fprintf(stderr, "%s is neither a file nor a folder: name inputs to replay\n",
                   argument.c_str());
      return 2;
    }
  }
  const std::clock_t start = std::clock();
  Replay replay;
  for (const Bytes& bytes : inputs) replay.run(bytes);
  upcast::fuzz::Random random(seed);
  Bytes bytes;
  for (long long i = 0; i < mutations; ++i) {
    if (i % 16 == 0 && !inputs.empty()) bytes = random.from(inputs);
    change(bytes, random);
    replay.run(bytes);
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("replayed %lld inputs, %zu features, %.0f inputs/s of processor time\n",
              replay.inputs(), replay.features(),
              static_cast<double>(replay.inputs()) / std::max(seconds, 1e-9));
  return replay.inputs() == 0 ? 2 : 0;
}
