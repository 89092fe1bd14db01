#include "oracle/libtorch/settings.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/util/Exception.h>
#include <c10/util/Logging.h>
#include <torch/version.h>

#include <cstdlib>
#include <functional>
#include <optional>
#include <utility>

#include "impl/core/capability.h"
#include "impl/core/error.h"

namespace upcast::libtorch {
namespace {

constexpr const char* kVariable = "ATEN_CPU_CAPABILITY";

class Silence : public c10::WarningHandler {
 public:
  void process(const c10::Warning&) override {}
};

/// The capability that LibTorch is given. LibTorch does not check whether the machine has it: AVX2
/// on a machine without it is a SIGILL. UPCAST_CAPABILITY limits `native`.
Capability capability_here(Capability asked) {
  const upcast::Capability best = best_capability();
  if (asked == Capability::kAvx2 && best < upcast::Capability::kV3)
    throw UsageError(
        "libtorch:cpu?capability=avx2: this machine has no AVX2; use libtorch:cpu, the only path "
        "of LibTorch here");
  if (asked != Capability::kNative || best == upcast::Capability::kV4) return asked;
  return best == upcast::Capability::kV3 ? Capability::kAvx2 : Capability::kDefault;
}

}  // namespace

void configure(Capability capability, bool onednn) {
  static std::optional<std::pair<Capability, bool>> configured;
  if (configured == std::pair(capability, onednn)) return;
  if (configured)
    throw UsageError(
        "LibTorch has one CPU capability in each process: libtorch:cpu and "
        "libtorch:cpu?capability=native need separate workers");
  struct Row {
    const char* variable;  // the value of ATEN_CPU_CAPABILITY; null: LibTorch chooses
    const char* reported;
    const char* once;  // the name that older versions (2.7) report instead
  };
  static constexpr Row kRows[] = {
      {"default", "DEFAULT", "NO AVX"}, {"avx2", "AVX2", "AVX2"}, {nullptr, nullptr, nullptr}};
  const Row& row = kRows[static_cast<int>(capability_here(capability))];
  if (row.variable != nullptr)
    setenv(kVariable, row.variable, 1);
  else
    unsetenv(kVariable);
  if (row.reported != nullptr && at::get_cpu_capability() != row.reported &&
      at::get_cpu_capability() != row.once)
    throw UsageError(
        std::string("LibTorch was used before its CPU capability was set; start with ") +
        kVariable + "=" + row.variable);
  configured = {capability, onednn};
  at::set_num_threads(1);
  at::globalContext().setUserEnabledMkldnn(onednn);
  c10::SetStackTraceFetcher(std::function<c10::Backtrace()>([] { return c10::Backtrace(); }));
}

void silence_warnings_of_this_thread() {
  static Silence silence;
  thread_local bool silenced = false;
  if (silenced) return;
  c10::WarningUtils::set_warning_handler(&silence);
  silenced = true;
}

std::map<std::string, std::string> versions() {
  return {{"libtorch", TORCH_VERSION},
          {"libtorch.capability", at::get_cpu_capability()},
          {"libtorch.onednn", at::globalContext().userEnabledMkldnn() ? "on" : "off"}};
}

}  // namespace upcast::libtorch
