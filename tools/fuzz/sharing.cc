#include "tools/fuzz/sharing.h"

#include <filesystem>

#include "tools/fuzz/corpus_merger.h"

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;

/// Seconds between two exchanges of inputs. Engines look for new inputs at the same interval.
constexpr double kApart = 10;

double seconds_from(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Sharing::Sharing(const CampaignOptions& options) : options_(options), exchange_(options.exchange) {}

bool Sharing::is_due() const { return seconds_from(stepped_) >= kApart; }

void Sharing::exchange(const std::vector<std::string>& jobs) {
  exchange_.step(jobs, options_.log);
  stepped_ = Clock::now();
}

void Sharing::prune() {
  if (pruner_ != nullptr)
    end_pruning();
  else if (options_.prune_every > 0 && seconds_from(pruned_) >= options_.prune_every)
    begin_pruning();
}

void Sharing::begin_pruning() {
  fs::remove_all(scratch());
  make_folder(scratch());
  listed_ = exchange_.list();
  pruner_ = std::make_unique<Child>(
      corpus_merger(options_, scratch(), {exchange_.inputs()}, options_.log + "/pruning.out"));
}

/// Ends a pruning whose merge is done. If the merge failed, no input is moved, and another pruning
/// is tried later.
void Sharing::end_pruning() {
  const std::optional<ExitStatus> status = pruner_->ended();
  if (!status) return;
  if (status->exited_with(0)) exchange_.prune(listed_, scratch());
  fs::remove_all(scratch());
  pruner_.reset();
  pruned_ = Clock::now();
}

}  // namespace upcast::tools
