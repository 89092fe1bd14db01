#include "tools/fuzz/chains/chain_campaign.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>

#include "cases/json_text.h"
#include "cases/notation.h"
#include "cases/output_file.h"
#include "cases/shell_word.h"
#include "fuzz/chains/minimize_chain.h"
#include "fuzz/finding_command.h"
#include "fuzz/finding_log.h"
#include "fuzz/target_sides.h"
#include "oracle/reply_texts.h"
#include "oracle/verdict_text.h"
#include "tools/fuzz/chains/chain_corpus.h"
#include "tools/fuzz/corpus.h"
#include "tools/known_file.h"

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr std::size_t kBatch = 24;  // chains in one batch for the subject
constexpr int kMostAsked = 300;     // chains that may be asked to minimise one finding

volatile std::sig_atomic_t stopped = 0;
void on_interrupt(int) { stopped = 1; }

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string oracle_of(const CampaignOptions& options) {
  return options.oracle.empty() ? std::string(fuzz::sides_of_target("chain")->oracle)
                                : options.oracle;
}

fuzz::ChainExaminer examiner_of(const CampaignOptions& options) {
  return {options.subject, oracle_of(options), load_known_file("").differences};
}

std::string text_of(const fuzz::AskedChain& asked) {
  return asked.chain.size() == 1 ? print_case(asked.last()) : print_chain(asked.chain);
}

/// The row of a finding for findings.ndjson. If the chain has one call, the row names it as a case
/// for `upcast run`.
fuzz::FindingRow row_of(const fuzz::ChainFinding& finding, const fuzz::ChainExaminer& examiner) {
  const ReplyTexts texts = reply_texts(finding.subject, finding.asked.reply(), finding.verdict);
  fuzz::FindingRow row{.target = "chain",
                       .check = "oracle",
                       .signature = finding.signature->text(),
                       .verdict = std::string(name(finding.verdict.code)),
                       .line = text_of(finding.asked),
                       .subject = texts.subject,
                       .oracle = texts.oracle,
                       .detail = sentence(finding.verdict),
                       .evidence = finding.verdict,
                       .subject_side = "",
                       .oracle_side = "",
                       .command = ""};
  if (finding.asked.chain.size() == 1) {
    row.subject_side = examiner.subject();
    row.oracle_side = examiner.oracle();
    row.command = fuzz::run_command(row.line, row.subject_side, row.oracle_side);
  } else {
    row.command = fmt::format("upcast fuzz --target chain --subject {} --oracle {} --replay {}",
                              shell_word(examiner.subject()), shell_word(examiner.oracle()),
                              shell_word(row.line));
  }
  return row;
}

class ChainCampaign {
 public:
  explicit ChainCampaign(const CampaignOptions& options)
      : options_(options),
        random_(options.seed),
        corpus_(options.corpus, random_),
        log_lock_(locked(options.log)),
        examiner_(examiner_of(options)),
        callables_(examiner_.callables()),
        log_("chain", options.log) {
    state_.found = NewFindings(options.log);
  }

  CampaignState run(const ShowCampaign& show) {
    stopped = 0;
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    struct sigaction before;
    sigaction(SIGINT, &action, &before);
    while (stopped == 0 && !is_over()) {
      run_batch();
      update();
      state_.samples.offer(sample());
      show(state_);
    }
    state_.samples.end_with(sample());
    state_.interrupted = stopped != 0;
    if (!state_.interrupted) follow_up();
    sigaction(SIGINT, &before, nullptr);
    return std::move(state_);
  }

 private:
  static Descriptor locked(const std::string& log) {
    fs::create_directories(log);
    return lock_folder(log);
  }

  bool is_over() const {
    if (options_.runs > 0) return log_.progress.cases >= options_.runs;
    return seconds_since(began_) >= options_.seconds;
  }

  CampaignSample sample() const {
    return {state_.seconds, state_.cases, state_.features, state_.signatures};
  }

  std::vector<fuzz::AskedChain> draw_batch() {
    const fuzz::AskCase oracle = [this](const Case& c) { return examiner_.ask_oracle(c); };
    std::vector<fuzz::AskedChain> batch;
    while (batch.size() < kBatch && stopped == 0) {
      bool is_asked = false;
      for (fuzz::AskedChain& asked : examiner_.by_calls(corpus_.draw(callables_, oracle))) {
        if (asked.chain.size() < 2) continue;
        corpus_.offer(asked);
        batch.push_back(std::move(asked));
        is_asked = true;
      }
      log_.progress.not_asked += is_asked ? 0 : 1;
    }
    return batch;
  }

  void run_batch() {
    std::vector<fuzz::ChainFinding> differing;
    for (fuzz::ChainFinding& finding : examiner_.examine(draw_batch())) {
      ++log_.progress.cases;
      log_.progress.refused += finding.subject.answer.tag == Answer::Tag::kRefusal;
      log_.progress.not_judged += finding.verdict.code == VerdictCode::kNotJudged;
      log_.progress.both_right +=
          !finding.differs() && finding.verdict.found == VerdictCode::kDifferValue;
      if (is_death(finding)) finding = examiner_.examine({std::move(finding.asked)}).front();
      count_known(finding);
      if (finding.differs()) differing.push_back(std::move(finding));
    }
    if (!differing.empty())
      for (fuzz::MinimalChain& minimal : fuzz::with_fewest_calls(examiner_, std::move(differing)))
        note(std::move(minimal));
    log_.tick(true);
  }

  /// Whether the subject died or took too long. The campaign asks such a chain once more, alone,
  /// because a compiler may only have been slow on a busy machine.
  static bool is_death(const fuzz::ChainFinding& finding) {
    return finding.verdict.found == VerdictCode::kCrash ||
           finding.verdict.found == VerdictCode::kTimeout;
  }

  void count_known(const fuzz::ChainFinding& finding) {
    if (finding.known.empty()) return;
    ++log_.progress.known;
    log_.count_known(finding.known);
    ++state_.known_by_id[finding.known];
  }

  void note(fuzz::MinimalChain minimal) {
    count_known(minimal.finding);
    if (!minimal.finding.differs()) return;
    const std::int64_t before = log_.progress.signatures;
    log_.add(row_of(minimal.finding, examiner_), minimal.finding.signature->essence());
    if (log_.progress.signatures > before) new_.push_back(std::move(minimal));
  }

  void update() {
    const fuzz::Progress& sums = log_.progress;
    state_.seconds = seconds_since(began_);
    state_.cpu_seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    state_.cases = sums.cases;
    state_.refused = sums.refused;
    state_.known = sums.known;
    state_.findings = sums.findings;
    state_.both_right = sums.both_right;
    state_.not_judged = sums.not_judged;
    state_.not_asked = sums.not_asked;
    state_.features = corpus_.features();
    state_.corpus = corpus_.inputs();
    state_.found.catch_up();
    state_.signatures = state_.found.signatures();
  }

  /// Minimises the new findings, those with few calls first, until options.follow_up seconds are
  /// over, and writes each to a file.
  void follow_up() {
    if (options_.follow_up <= 0 || new_.empty()) return;
    const std::string folder = options_.log + "/findings";
    fs::create_directories(folder);
    const auto start = Clock::now();
    for (fuzz::MinimalChain& minimal : new_) {
      const std::string found = text_of(minimal.finding.asked);
      const bool in_time = seconds_since(start) < options_.follow_up && stopped == 0;
      if (in_time) fuzz::simplify_calls(examiner_, minimal, kMostAsked);
      const fuzz::FindingRow row = row_of(minimal.finding, examiner_);
      const std::string hash = hash_text(hash_of(row.signature));
      const std::string path = fmt::format("{}/{}.json", folder, hash);
      if (fs::exists(path)) continue;
      const json finding{{"case", row.line},
                         {"signature", row.signature},
                         {"hash", hash},
                         {"found", found},
                         {"verdict", row.verdict},
                         {"subject", row.subject},
                         {"oracle", row.oracle},
                         {"detail", row.detail},
                         {"subject_side", examiner_.subject()},
                         {"oracle_side", examiner_.oracle()},
                         {"command", row.command},
                         {"steps", minimal.steps},
                         {"examined", minimal.asked},
                         {"why_not_simpler", in_time ? "" : "the time was over"}};
      write_output_file(path, dump_json(finding, 2) + "\n");
      state_.simpler.push_back(finding);
    }
  }

  const CampaignOptions& options_;
  Random random_;
  ChainCorpus corpus_;
  Descriptor log_lock_;
  fuzz::ChainExaminer examiner_;
  std::vector<FoundOp> callables_;
  fuzz::FindingLog log_;
  Clock::time_point began_ = Clock::now();
  std::vector<fuzz::MinimalChain> new_;
  CampaignState state_;
};

}  // namespace

CampaignState run_chain_campaign(const CampaignOptions& options, const ShowCampaign& show) {
  return ChainCampaign(options).run(show);
}

int replay_chain(const CampaignOptions& options, const std::string& text) {
  fuzz::ChainExaminer examiner = examiner_of(options);
  const Chain chain = parse_chain(text);
  for (const ChainCall& call : chain)
    if (const std::string_view why = examiner.why_not(call.c); !why.empty()) {
      fmt::print("{}\nnot_judged {}\n", print_case(call.c), why);
      return 3;
    }
  bool differs = false, is_judged = false;
  for (const fuzz::ChainFinding& finding : examiner.examine(examiner.by_calls(chain))) {
    for (std::size_t i = 0; i + 1 < finding.asked.chain.size(); ++i)
      fmt::print("{}\n  oracle  {}\n", print_case(finding.asked.cases[i]),
                 finding.asked.replies[i].text());
    const ReplyTexts texts = reply_texts(finding.subject, finding.asked.reply(), finding.verdict);
    fmt::print("{}\n  oracle  {}\n  subject {}\n{} {}\n", print_case(finding.asked.last()),
               texts.oracle, texts.subject,
               finding.known.empty() ? name(finding.verdict.code) : "known " + finding.known,
               sentence(finding.verdict));
    differs = differs || finding.differs();
    is_judged = is_judged || finding.verdict.code != VerdictCode::kNotJudged;
  }
  if (differs) return 1;
  return is_judged ? 0 : 3;
}

}  // namespace upcast::tools
