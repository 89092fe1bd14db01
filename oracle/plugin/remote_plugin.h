// A plug-in as a Subject in the process that judges it. The plug-in itself runs in a child process.
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
/// that expect() names.
///
/// If the child dies or falls silent, the case under way throws SideDied, and a new child goes on
/// with the next case. If a signal from outside killed the child, the case is asked again; it is to
/// blame after kKillsOfACase such deaths in a row. No case is to blame while a child makes its
/// plan.
class RemotePlugin : public Subject {
 public:
  /// Makes "plugin:FILE?KEY=VALUE". Throws UsageError if the child cannot be started, or if the
  /// plug-in cannot be used; the message says why.
  explicit RemotePlugin(std::string name);
  ~RemotePlugin() override;

  void expect(const Plan& plan, std::int64_t first, std::int64_t count,
              std::span<const std::int64_t> skipped) override;
  void watched_by(const Watch& watch) override { watch_ = watch; }
  bool answers_ahead() const override { return true; }
  /// Answers a case. A case that was not announced becomes a block of its own.
  void answer(const Case& c, Answer& answer) override;
  std::map<std::string, std::string> versions() const override { return versions_; }
  std::vector<std::string> programs() const override { return programs_; }
  const Manifest* manifest() const override { return &manifest_; }
  /// Whether the plug-in has infer(), so that NAME with device=meta is a side too.
  bool infers() const { return infers_; }
  std::optional<std::int64_t> bytes_in_use() override;

 private:
  struct Child;

  /// Starts a child. If a signal from outside kills it before its hello, starts another one, three
  /// in all.
  void start();
  /// Gives the child the plan if it has another one, and waits until it has made that of a
  /// grid. If a signal from outside ends the child meanwhile, starts another one, three in all.
  void give_plan();
  /// Sends the child the rest of the block.
  void announce();
  /// The bytes of the answer to the next case. Throws SideDied if the child ends or is silent, and
  /// DamagedRing.
  std::string_view next_message();
  /// Ends the child, which died or is silent over the current case, and throws SideDied. If the
  /// case is not to blame yet, it returns after it has started another child.
  void replace();
  /// Whether a signal from outside ended the child. Kills a child that is silent.
  bool ended_from_outside();
  /// What the ended child printed last; if nothing, why it ended.
  std::string last_words(const ExitStatus& status);

  std::string name_;
  Watch watch_;
  const Plan* plan_ = nullptr;
  Plan own_plan_;  // the plan of one case, for a case that was not announced
  std::unique_ptr<Child> child_;
  std::map<std::string, std::string> versions_;
  std::vector<std::string> programs_;
  Manifest manifest_;
  bool infers_ = false;
  // The first case of the block without an answer; the last one is before end_.
  std::int64_t next_ = 0;
  std::int64_t end_ = 0;
  std::set<std::int64_t> skipped_;
  int kills_ = 0;  // how many children a signal from outside has killed since the last answer
};

/// Makes "plugin:..." known to make_subject(). main() must call it once.
void register_remote_plugin();

}  // namespace upcast
