// The main function of fuzz targets that are built without an engine: it runs the inputs that it is
// given.
//
// TARGET-replay
//   FILE|FOLDER...                 runs each file once; those of a folder in the order of their
//                                  names
//   -seeds                         also runs the committed seeds
//   -own_seeds                     also runs those committed seeds that are no case lines
//   -line=TEXT                     runs a case line
//   -hex=DIGITS                    runs an input, two hexadecimal digits a byte
//   -mutate=N -seed=S              also runs N mutations of all these, without any feedback
//   -min_features=N                fails if fewer features are marked
//   -write=FOLDER                  writes the inputs there, and runs none
//   -show                          prints the inputs as text, and runs none
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

#include "cases/draw/choices.h"
#include "cases/output_file.h"
#include "cases/standard_streams.h"
#include "fuzz/features.h"
#include "fuzz/seeds.h"
#include "fuzz/targets/target.h"
#include "impl/core/error.h"

extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t*, std::size_t,
                                                                     std::size_t, unsigned int);

namespace upcast::fuzz {
__attribute__((weak)) std::vector<std::vector<std::uint8_t>> own_seeds();
}  // namespace upcast::fuzz

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

Bytes bytes_of(const std::string& digits) {
  Bytes bytes;
  for (std::size_t i = 0; i + 2 <= digits.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

/// Mutates an input by the target's own mutator. Without one, changes or adds a byte.
void change(Bytes& bytes, upcast::Random& random) {
  if (LLVMFuzzerCustomMutator != nullptr) {
    const std::size_t size = bytes.size();
    bytes.resize(kMaxBytes);
    bytes.resize(LLVMFuzzerCustomMutator(bytes.data(), size, kMaxBytes,
                                         static_cast<unsigned>(random.bits())));
    return;
  }
  if (bytes.empty() || random.chance(20)) bytes.push_back(0);
  bytes[random.below(bytes.size())] = static_cast<std::uint8_t>(random.bits());
}

/// Reads the files that an argument names; those of a folder in the order of their names. Returns
/// false if one cannot be read.
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

struct Options {
  std::vector<Bytes> inputs;
  long long mutations = 0;
  std::uint64_t seed = 1;
  std::size_t min_features = 0;
  std::string folder;
  bool show = false;
};

/// Reads an option into `options`. Returns false if the argument is not an option.
bool read_argument(const std::string& argument, Options& options) {
  const auto value = [&argument] { return argument.substr(argument.find('=') + 1); };
  if (argument == "-own_seeds" || argument == "-seeds") {
    if (upcast::fuzz::own_seeds != nullptr) options.inputs = upcast::fuzz::own_seeds();
    if (argument == "-own_seeds") return true;
    for (const std::string& line : upcast::fuzz::seed_lines())
      if (Bytes input = upcast::fuzz::input_of(line); !input.empty())
        options.inputs.push_back(std::move(input));
  } else if (argument == "-show") {
    options.show = true;
  } else if (argument.starts_with("-line=")) {
    options.inputs.push_back(upcast::fuzz::input_of(value()));
    if (options.inputs.back().empty())
      throw upcast::UsageError("no input of this target can hold " + value());
  } else if (argument.starts_with("-hex=")) {
    options.inputs.push_back(bytes_of(value()));
  } else if (argument.starts_with("-mutate=")) {
    options.mutations = std::stoll(value());
  } else if (argument.starts_with("-seed=")) {
    options.seed = std::stoull(value());
  } else if (argument.starts_with("-min_features=")) {
    options.min_features = std::stoull(value());
  } else if (argument.starts_with("-write=")) {
    options.folder = value();
  } else {
    return collect(argument, options.inputs);
  }
  return true;
}

/// Writes each input to a file that is named by the input's number.
void write_inputs(const Options& options) {
  std::filesystem::create_directories(options.folder);
  for (std::size_t i = 0; i < options.inputs.size(); ++i) {
    const Bytes& input = options.inputs[i];
    upcast::write_output_file(options.folder + "/seed-" + std::to_string(i),
                              {reinterpret_cast<const char*>(input.data()), input.size()});
  }
}

int replay(const Options& options) {
  const std::clock_t start = std::clock();
  Replay done;
  for (const Bytes& input : options.inputs) done.run(input);
  upcast::Random random(options.seed);
  Bytes bytes;
  for (long long i = 0; i < options.mutations; ++i) {
    if (i % 16 == 0 && !options.inputs.empty()) bytes = random.from(options.inputs);
    change(bytes, random);
    done.run(bytes);
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("replayed %lld inputs, %zu features, %.0f inputs/s of processor time\n",
              done.inputs(), done.features(),
              static_cast<double>(done.inputs()) / std::max(seconds, 1e-9));
  if (done.features() >= options.min_features) return done.inputs() == 0 ? 2 : 0;
  std::fprintf(stderr, "fewer than %zu features: is the coverage linked in?\n",
               options.min_features);
  return 1;
}

}  // namespace

int main(int argc, char** argv) try {
  upcast::settle_standard_streams();
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (read_argument(argv[i], options)) continue;
    std::fprintf(stderr, "%s is neither a file nor a folder: name inputs to replay\n", argv[i]);
    return 2;
  }
  if (options.show)
    for (const Bytes& input : options.inputs)
      std::printf("%s\n", upcast::fuzz::text_of_input(input).c_str());
  if (!options.folder.empty()) write_inputs(options);
  const int code = options.show || !options.folder.empty() ? 0 : replay(options);
  upcast::finish_standard_output();
  return code;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
