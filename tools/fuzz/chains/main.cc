// upcast-fuzz-chains: runs campaigns that give whole chains of calls to a process. `upcast fuzz`
// starts it.
#include "tools/command_line.h"
#include "tools/findings/findings_options.h"
#include "tools/fuzz/chains/chain_campaign.h"

namespace upcast::tools {
namespace {

int fuzz_chains(FuzzFlags& flags) {
  settle(flags.campaign);
  if (!flags.replay.empty()) return replay_chain(flags.campaign, flags.replay);
  const CampaignState state = show_progress(
      [&](const ShowCampaign& show) { return run_chain_campaign(flags.campaign, show); });
  return tell_campaign(flags.campaign, state, flags.json_out);
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) {
  using namespace upcast::tools;
  FuzzFlags flags;
  CLI::App app("Campaigns of chains of calls", "upcast fuzz");
  add_fuzz_flags(app, flags);
  register_findings_subjects();
  return run_command_line(app, argc, argv, [&flags] { return fuzz_chains(flags); });
}
