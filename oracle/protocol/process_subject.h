// A subject that is a process of its own: process:CMD (docs/process_protocol.md).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>

#include "oracle/protocol/answer_line.h"
#include "oracle/protocol/hello.h"
#include "oracle/protocol/line_process.h"
#include "oracle/protocol/request.h"
#include "oracle/subject.h"

namespace upcast::protocol {

/// Asks in batches, two of them under way, whose size follows the time that they take; a process
/// may want larger ones (Hello::batch). Where the
/// process dies, falls silent or talks nonsense, a new one is asked the cases of that batch that
/// have no answer one by one: the case at which it happens again has a SideDied for a verdict, the
/// others go on in batches.
class ProcessSubject : public Subject {
 public:
  /// Starts the process and waits for its hello. `name` is for messages. Throws UsageError.
  ProcessSubject(std::string name, std::string command);
  ~ProcessSubject() override;

  void expect(const Plan& plan, std::int64_t first, std::int64_t count,
              std::span<const std::int64_t> skipped) override;
  void watched_by(const Watch& watch) override { watch_ = watch; }
  bool answers_ahead() const override { return true; }
  /// Answers a case. One that was not announced is a batch of its own.
  void answer(const Case& c, Answer& answer) override;
  std::map<std::string, std::string> versions() const override;
  const Manifest* manifest() const override { return &hello_.manifest; }

  /// Whether it answers chains. If it does not, it must not be asked.
  Chains chains() const { return hello_.chains; }
  /// Answers of the last calls of chains, in order, asked at once; where the process does not
  /// survive, those that have none are asked one by one. A chain has one default dtype.
  std::vector<Reply> answer(std::span<const Chain> chains);

 private:
  struct Death : SideDied {
    bool from_outside = false;  // ExitStatus::from_outside()
  };
  using Told = std::variant<Answer, Death>;
  struct Batch {
    std::int64_t seq = 0;
    std::deque<std::int64_t> unanswered;
    double began = 0;  // when it began, in seconds of the steady clock
  };

  /// Starts it, and again where a signal from outside kills it before hello, three times in all.
  void start();
  void start_once();
  /// The next line. Throws SideDied after `limit` seconds of silence, and where there is none.
  std::string hear(double limit);
  /// Ends a process that has died or broken the protocol. Throws SideDied with how it ended, or
  /// with `fault`, and its last words.
  [[noreturn]] void fail(const std::string& fault);
  /// Whether the case that was asked may be innocent: a signal from outside came, or an earlier
  /// question was answered twice.
  static bool may_be_innocent(const Death& death);
  /// Why the process is not asked about a case; "" if it is asked.
  std::string_view declines(const Case& c) const;
  std::string_view declines(const Chain& chain) const;
  const Case& decode(std::int64_t index);
  /// The numbers of the cases in the order in which they are sent: a request has one default dtype.
  std::deque<std::int64_t> asked_by_default();
  bool set_default(DType dtype);

  void send_batches();
  void send_batch();
  void take_answers();
  void recover(const Death& death);
  /// Asks one item while no other is under way. If the first death may not be the item's fault, it
  /// is asked once more.
  Told ask_suspect(const Chain& chain);
  /// Asks one item while no other is under way.
  Told ask_alone(const Chain& chain);
  /// Asks those of `items` that have one default dtype, and keeps what comes by their numbers.
  void ask_together(std::span<const Chain> chains, const std::vector<std::int64_t>& items);
  void tune(double seconds, std::size_t cases);

  std::string name_;
  std::string command_;
  Watch watch_;
  SharedArea area_;
  std::optional<LineChild> process_;
  Hello hello_;
  std::optional<DType> default_;  // the default dtype that the process was given
  std::set<DType> not_defaults_;  // default dtypes that the process does not take

  const Plan* plan_ = nullptr;
  const GridRow* row_ = nullptr;
  Case decoded_;                     // of row_
  std::deque<std::int64_t> asked_;   // numbers of cases, in the order in which answers are taken
  std::deque<std::int64_t> unsent_;  // of them
  std::deque<Batch> under_way_;
  std::unordered_map<std::int64_t, Told> told_;

  RequestWriter writer_;
  std::int64_t seq_ = 0;
  int batch_size_ = 1;
};

/// "process:CMD". Throws UsageError.
std::unique_ptr<Subject> make_process_subject(const Side& side);

}  // namespace upcast::protocol
