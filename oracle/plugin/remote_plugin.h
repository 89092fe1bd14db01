// A plug-in as a Subject of the process that judges it; the plug-in itself runs in a child.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "oracle/plugin/answer_ring.h"
#include "oracle/plugin/manifest.h"
#include "oracle/protocol/line_process.h"
#include "oracle/subject.h"

namespace upcast {

/// Answers a plan's cases from a child (upcast-plugin-worker), which runs ahead through the block
/// that expect() names. If the child dies or falls silent, the case under way throws SideDied, and
/// a new child goes on with the next case. If a signal from outside killed it, the case is asked
/// once more; a case that it had not begun is to blame only after three such deaths.
class RemotePlugin : public Subject {
 public:
  /// Makes "plugin:FILE?KEY=VALUE". Throws UsageError if the child cannot be started, or with what
  /// is wrong with the plug-in.
  explicit RemotePlugin(std::string name);
  ~RemotePlugin() override;

  void expect(const Plan& plan, std::int64_t first, std::int64_t count,
              std::span<const std::int64_t> skipped) override;
  void watched_by(const Watch& watch) override { watch_ = watch; }
  bool answers_ahead() const override { return true; }
  /// Answers a case. One that was not announced is a block of its own.
  void answer(const Case& c, Answer& answer) override;
  std::map<std::string, std::string> versions() const override { return versions_; }
  const Manifest* manifest() const override { return &manifest_; }
  /// Whether NAME with device=meta, which asks infer() instead, is a side as well.
  bool infers() const { return infers_; }
  std::optional<std::int64_t> bytes_in_use() override;

 private:
  struct Child;

  /// Starts a child, and another where a signal from outside kills it before it greets, three in
  /// all.
  void start();
  /// Sends the child the rest of the block, and the plan if it does not have it.
  void announce();
  /// The bytes of the answer to the next case. Throws SideDied, or DamagedRing.
  std::string_view next_message();
  /// The child ended or is silent over the current case: ends it and throws the case's SideDied.
  /// Returns with another child if the case is not to blame yet.
  void replace();
  /// Whether the current case is asked again after a child has ended with `status`.
  bool may_ask_again(const ExitStatus& status);
  /// What the child that ended so said last, or why it ended.
  std::string last_words(const ExitStatus& status);

  std::string name_;
  Watch watch_;
  const Plan* plan_ = nullptr;
  Plan own_plan_;  // the plan of a case that was not announced
  std::unique_ptr<Child> child_;
  std::map<std::string, std::string> versions_;
  Manifest manifest_;
  bool infers_ = false;
  std::int64_t next_ = 0;  // cases of the block that still have no answer: next_ to end_
  std::int64_t end_ = 0;
  std::set<std::int64_t> skipped_;
  /// Children that a signal from outside killed since the last answer.
  struct Kills {
    int before_the_case = 0;
    int over_the_case = 0;
  } kills_;
};

/// Makes "plugin:..." known to make_subject(). Called once, by main().
void register_remote_plugin();

}  // namespace upcast
