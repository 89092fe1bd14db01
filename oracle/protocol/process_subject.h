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

/// Asks a process in batches. Two batches are under way at a time. Their size follows the time that
/// they take; a process may want larger ones (Hello::batch).
///
/// If the process dies, falls silent or breaks the protocol, a new process is started. It is asked
/// one by one the cases of that batch that have no answer yet. If that happens again at a case, the
/// case's verdict comes from a SideDied. The other cases go on in batches.
class ProcessSubject : public Subject {
 public:
  /// Starts the process and waits for its hello. `name` names it in messages. Throws UsageError if
  /// that fails.
  ProcessSubject(std::string name, std::string command);
  ~ProcessSubject() override;

  void expect(const Plan& plan, std::int64_t first, std::int64_t count,
              std::span<const std::int64_t> skipped) override;
  void watched_by(const Watch& watch) override { watch_ = watch; }
  bool answers_ahead() const override { return true; }
  /// Answers a case. A case that was not announced becomes a batch of its own.
  void answer(const Case& c, Answer& answer) override;
  std::map<std::string, std::string> versions() const override;
  /// The files that the command's words name. The first word may be a program of the PATH.
  std::vector<std::string> programs() const override;
  const Manifest* manifest() const override { return &hello_.manifest; }

  /// Whether the process answers chains, and how. If kNone, it must not be asked about one.
  Chains chains() const { return hello_.chains; }
  /// The answers to the last calls of chains, in order. All chains must have one default dtype.
  /// They are asked together. If the process does not survive, those without an answer are asked
  /// one by one.
  std::vector<Reply> answer(std::span<const Chain> chains);

 private:
  struct Death : SideDied {
    bool from_outside = false;  // ExitStatus::from_outside()
  };
  using Told = std::variant<Answer, Death>;
  struct Batch {
    std::int64_t seq = 0;
    std::deque<std::int64_t> unanswered;
    double began = 0;  // when the batch was sent, in seconds of the steady clock
  };

  /// Starts the process. If a signal from outside kills it before its hello, starts it again, three
  /// times in all.
  void start();
  void start_once();
  /// The next line of the process. Throws SideDied after `limit` seconds of silence, and if the
  /// output has ended.
  std::string hear(double limit);
  /// Ends a process that has died or has broken the protocol. Throws SideDied with its last words,
  /// and with `fault`, or else with how the process ended.
  [[noreturn]] void fail(const std::string& fault);
  /// Whether the case asked last may not have caused the death: a signal came from outside, or the
  /// process had answered an earlier question twice.
  static bool may_be_innocent(const Death& death);
  /// Why the process is not asked about a case; "" if it is asked.
  std::string_view declines(const Case& c) const;
  std::string_view declines(const Chain& chain) const;
  const Case& decode(std::int64_t index);
  /// The numbers of the announced cases in the order in which they are sent. Cases of one default
  /// dtype come together, because a request has only one.
  std::deque<std::int64_t> asked_by_default();
  bool set_default(DType dtype);

  void send_batches();
  void send_batch();
  void take_answers();
  void recover(const Death& death);
  /// Asks one item while nothing else is under way. If the process dies for a reason that may not
  /// be the item's, asks once more.
  Told ask_suspect(const Chain& chain);
  /// Asks one item while nothing else is under way. Returns the answer, or how the process died.
  Told ask_alone(const Chain& chain);
  /// Asks those of `items` that have the first one's default dtype, in one request. Keeps the
  /// answers by the items' numbers.
  void ask_together(std::span<const Chain> chains, const std::vector<std::int64_t>& items);
  void tune(double seconds, std::size_t cases);

  std::string name_;
  std::string command_;
  Watch watch_;
  SharedArea area_;
  std::optional<LineChild> process_;
  Hello hello_;
  std::optional<DType> default_;  // the default dtype that the process was given
  std::set<DType> not_defaults_;  // default dtypes that the process has refused

  const Plan* plan_ = nullptr;
  const GridRow* row_ = nullptr;
  Case decoded_;  // of row_
  // Numbers of announced cases, in the order in which answers are taken.
  std::deque<std::int64_t> asked_;
  std::deque<std::int64_t> unsent_;  // those of asked_ that were not sent yet
  std::deque<Batch> under_way_;
  std::unordered_map<std::int64_t, Told> told_;

  RequestWriter writer_;
  std::int64_t seq_ = 0;
  int batch_size_ = 1;
};

/// Makes "process:CMD". Throws UsageError if its process cannot be used.
std::unique_ptr<Subject> make_process_subject(const Side& side);

}  // namespace upcast::protocol
