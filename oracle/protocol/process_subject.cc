#include "oracle/protocol/process_subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "impl/core/error.h"
#include "oracle/protocol/command_files.h"

namespace upcast::protocol {
namespace {

constexpr double kHelloLimit = 300;  // seconds until hello, because a disk may be slow
constexpr double kAim = 0.1;         // seconds that one batch should take
constexpr int kFirstBatch = 16;
constexpr std::size_t kMaxRequest = std::size_t{4} << 20;
constexpr std::size_t kBatchesUnderWay = 2;
/// SideDied::how of a process that lives but breaks the protocol.
constexpr std::string_view kNoProtocol = "crash(no protocol)";

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ProcessSubject::ProcessSubject(std::string name, std::string command)
    : name_(std::move(name)), command_(std::move(command)), writer_(nullptr) {
  try {
    start();
  } catch (const Death& death) {
    throw UsageError(fmt::format("{} ended before it said hello ({}){}{}", name_, death.how,
                                 death.why.empty() ? "" : ": ", death.why));
  }
}

ProcessSubject::~ProcessSubject() {
  if (!process_) return;
  process_->send(R"({"cmd":"stop"})");
  process_->end(kPatience);
}

void ProcessSubject::start() {
  for (int left = kStarts;;) {
    try {
      return start_once();
    } catch (const Death& death) {
      if (--left == 0 || !death.from_outside) throw;
    }
  }
}

void ProcessSubject::start_once() {
  default_.reset();
  process_.emplace(shell_process(command_));
  process_->send(hello_line(&area_));
  hello_ = read_hello(hear(kHelloLimit), name_);
  writer_ = RequestWriter(hello_.maps_memory ? &area_ : nullptr);
  batch_size_ = std::max(kFirstBatch, hello_.batch);
}

bool ProcessSubject::may_be_innocent(const Death& death) {
  return death.from_outside || death.how == kNoProtocol;
}

std::string ProcessSubject::hear(double limit) {
  try {
    if (auto line = process_->hear(limit, watch_.alive)) return *std::move(line);
  } catch (const UsageError& error) {
    fail(error.what());
  }
  if (!process_->is_open()) fail("it closed its standard output");
  const std::string how = process_->end_after_silence().text();
  const std::string words = with_memory_limit(process_->last_words(kLastWords));
  process_.reset();
  throw Death{{true, how, words}};
}

void ProcessSubject::fail(const std::string& fault) {
  const ExitStatus status = process_->end(kPatience);
  const std::string words = with_memory_limit(process_->last_words(kLastWords));
  process_.reset();
  if (!status.killed && !status.exited_with(0))
    throw Death{{false, status.text(), words}, status.from_outside()};
  throw Death{{false, std::string(kNoProtocol), fault + (words.empty() ? "" : "; " + words)}};
}

std::map<std::string, std::string> ProcessSubject::versions() const {
  std::map<std::string, std::string> versions = hello_.versions;
  versions[hello_.manifest.name()] = hello_.manifest.version();
  return versions;
}

std::vector<std::string> ProcessSubject::programs() const {
  std::vector<std::string> files = Subject::programs();
  for (std::string& file : files_of_command(command_)) files.push_back(std::move(file));
  return files;
}

std::string_view ProcessSubject::declines(const Case& c) const {
  if (not_defaults_.contains(c.defaults.floating)) return "its default dtype cannot be set";
  return hello_.manifest.why_not(c);
}

std::string_view ProcessSubject::declines(const Chain& chain) const {
  for (const ChainCall& call : chain)
    if (const std::string_view why = declines(call.c); !why.empty()) return why;
  return "";
}

const Case& ProcessSubject::decode(std::int64_t index) {
  if (row_ == nullptr || index < row_->first || index >= row_->first + row_->count) {
    row_ = &plan_->row_of(index);
    decoded_ = row_->prototype;
  }
  row_->decode(index - row_->first, decoded_);
  return decoded_;
}

void ProcessSubject::expect(const Plan& plan, std::int64_t first, std::int64_t count,
                            std::span<const std::int64_t> skipped) {
  check(asked_.empty() && under_way_.empty(), "a block is answered whole before the next one");
  plan_ = &plan;
  row_ = nullptr;
  for (std::int64_t index = first; index < first + count; ++index)
    if (std::find(skipped.begin(), skipped.end(), index) == skipped.end()) asked_.push_back(index);
  unsent_ = asked_by_default();
  told_.clear();
}

std::deque<std::int64_t> ProcessSubject::asked_by_default() {
  std::map<DType, std::deque<std::int64_t>> indices;
  for (const std::int64_t index : asked_) indices[decode(index).defaults.floating].push_back(index);
  std::deque<std::int64_t> all;
  for (const auto& [dtype, some] : indices) all.insert(all.end(), some.begin(), some.end());
  return all;
}

bool ProcessSubject::set_default(DType dtype) {
  process_->send(configure_line(dtype));
  bool taken = false;
  try {
    taken = read_configured(hear(watch_.time_limit));
  } catch (const UsageError& error) {
    fail(error.what());
  }
  if (taken)
    default_ = dtype;
  else
    not_defaults_.insert(dtype);
  return taken;
}

void ProcessSubject::send_batches() {
  while (under_way_.size() < kBatchesUnderWay && !unsent_.empty()) {
    const std::size_t before = unsent_.size();
    send_batch();
    if (unsent_.size() == before) return;  // the next case has another default dtype, and must wait
  }
}

void ProcessSubject::send_batch() {
  Batch batch{.seq = seq_ + 1, .unanswered = {}, .began = now()};
  writer_.start(batch.seq);
  while (!unsent_.empty() && writer_.count() < batch_size_ && writer_.size() < kMaxRequest) {
    const Case& c = decode(unsent_.front());
    if (declines(c).empty()) {
      if (default_ != c.defaults.floating) {
        // A default dtype holds for all later requests, and decides what may be asked. So it is set
        // only when no request is under way.
        if (writer_.count() > 0 || !under_way_.empty()) break;
        if (!set_default(c.defaults.floating)) continue;
      }
      writer_.add(c, unsent_.front());
      batch.unanswered.push_back(unsent_.front());
    }
    unsent_.pop_front();
  }
  if (writer_.count() == 0) return;
  // The two batches under way have an even and an odd number, and each has its half of the shared
  // memory.
  ++seq_;
  // memory
  process_->send(writer_.finish());
  under_way_.push_back(std::move(batch));
}

void ProcessSubject::take_answers() {
  Batch& batch = under_way_.front();
  const std::size_t asked = batch.unanswered.size();
  const std::string line = hear(watch_.time_limit);
  try {
    for (auto& [id, told] : read_answers(line, batch.seq, area_.bytes())) {
      if (batch.unanswered.empty() || batch.unanswered.front() != id)
        throw UsageError(fmt::format("answers item {} out of order", id));
      batch.unanswered.pop_front();
      told_.insert_or_assign(id, std::move(told));
    }
  } catch (const UsageError& error) {
    fail(error.what());
  }
  if (!batch.unanswered.empty()) {
    if (batch.unanswered.size() == asked) fail("an answer without items");
    return;
  }
  const double ended = now();
  tune(ended - batch.began, asked);
  under_way_.pop_front();
  if (!under_way_.empty()) under_way_.front().began = ended;
}

void ProcessSubject::tune(double seconds, std::size_t cases) {
  if (seconds < kAim / 2 && static_cast<int>(cases) == batch_size_)
    batch_size_ = std::min(2 * batch_size_, kMaxBatch);
  if (seconds > 2 * kAim) batch_size_ = std::max(batch_size_ / 2, hello_.batch);
}

ProcessSubject::Told ProcessSubject::ask_alone(const Chain& chain) try {
  if (!process_) start();
  const DType floating = chain.front().c.defaults.floating;
  if (default_ != floating && !set_default(floating)) {
    Answer answer;
    decline(declines(chain), answer);
    return answer;
  }
  const std::int64_t seq = ++seq_;
  writer_.start(seq);
  writer_.add(chain, 0);
  process_->send(writer_.finish());
  const std::string line = hear(watch_.time_limit);
  std::string fault = "an answer without items";
  try {
    auto answers = read_answers(line, seq, area_.bytes());
    if (answers.size() == 1 && answers[0].first == 0) return std::move(answers[0].second);
    if (!answers.empty()) fault = "other answers than the one that was asked";
  } catch (const UsageError& error) {
    fault = error.what();
  }
  fail(fault);
} catch (const Death& death) {
  return death;
  // Another process cannot be started, although the first one could.
} catch (const UsageError& error) {
  process_.reset();
  return Death{{false, std::string(kNoProtocol), error.what()}};
}

ProcessSubject::Told ProcessSubject::ask_suspect(const Chain& chain) {
  Told told = ask_alone(chain);
  const auto* death = std::get_if<Death>(&told);
  if (death != nullptr && !process_ && may_be_innocent(*death)) return ask_alone(chain);
  return told;
}

void ProcessSubject::ask_together(std::span<const Chain> chains,
                                  const std::vector<std::int64_t>& items) try {
  if (!process_) start();
  const DType floating =
      chains[static_cast<std::size_t>(items.front())].front().c.defaults.floating;
  if (default_ != floating && !set_default(floating)) return;
  Batch batch{.seq = ++seq_, .unanswered = {items.begin(), items.end()}, .began = now()};
  writer_.start(batch.seq);
  for (const std::int64_t item : items) writer_.add(chains[static_cast<std::size_t>(item)], item);
  process_->send(writer_.finish());
  under_way_.push_back(std::move(batch));
  while (!under_way_.empty()) take_answers();
} catch (const Death&) {
  under_way_.clear();
} catch (const UsageError&) {  // another process cannot be started, although the first one could
  under_way_.clear();
  process_.reset();
}

std::vector<Reply> ProcessSubject::answer(std::span<const Chain> chains) {
  check(asked_.empty() && under_way_.empty(), "nothing else is asked meanwhile");
  told_.clear();
  std::map<DType, std::vector<std::int64_t>> by_default;
  for (std::size_t i = 0; i < chains.size(); ++i)
    if (declines(chains[i]).empty())
      by_default[chains[i].front().c.defaults.floating].push_back(static_cast<std::int64_t>(i));
  for (const auto& [floating, items] : by_default) ask_together(chains, items);
  std::vector<Reply> replies(chains.size());
  for (std::size_t i = 0; i < chains.size(); ++i) {
    if (const std::string_view why = declines(chains[i]); !why.empty()) {
      decline(why, replies[i].answer);
      continue;
    }
    auto found = told_.extract(static_cast<std::int64_t>(i));
    Told told = found ? std::move(found.mapped()) : ask_suspect(chains[i]);
    if (const auto* death = std::get_if<Death>(&told))
      replies[i] = {.answer = {}, .death = death->how, .why = death->why};
    else
      replies[i].answer = std::get<Answer>(std::move(told));
  }
  return replies;
}

void ProcessSubject::recover(const Death& death) {
  std::deque<std::int64_t> suspects;
  if (!under_way_.empty()) suspects = std::move(under_way_.front().unanswered);
  // The process had not begun the cases of the second batch, so they cannot be what killed it.
  for (auto batch = under_way_.rbegin(); batch + 1 < under_way_.rend(); ++batch)
    unsent_.insert(unsent_.begin(), batch->unanswered.begin(), batch->unanswered.end());
  under_way_.clear();
  batch_size_ = std::max(kFirstBatch, hello_.batch);
  if (suspects.size() == 1 && !may_be_innocent(death)) {
    told_.insert_or_assign(suspects.front(), death);
    suspects.clear();
    // The process died between two requests: the next case is suspect.
  } else if (suspects.empty() && !unsent_.empty()) {
    suspects.push_back(unsent_.front());
    unsent_.pop_front();
  }
  bool died = false;
  while (!suspects.empty() && !died) {
    const Case& c = decode(suspects.front());
    Told told = ask_suspect({{c, 0}});
    died = std::holds_alternative<Death>(told) && !process_;
    told_.insert_or_assign(suspects.front(), std::move(told));
    suspects.pop_front();
  }
  unsent_.insert(unsent_.begin(), suspects.begin(), suspects.end());
}

void ProcessSubject::answer(const Case& c, Answer& answer) {
  const bool announced = !asked_.empty();
  const std::int64_t index = announced ? asked_.front() : 0;
  if (announced) asked_.pop_front();
  std::optional<Told> told;
  if (!announced && declines(c).empty()) told = ask_suspect({{c, 0}});
  while (announced && declines(c).empty() && !told) {
    if (auto found = told_.extract(index)) {
      told = std::move(found.mapped());
      break;
    }
    try {
      if (!process_) start();
      send_batches();
      if (!under_way_.empty()) take_answers();
      send_batches();  // so that the process works while the other side and the judge do
    } catch (const Death& death) {
      recover(death);
    } catch (const UsageError& error) {
      process_.reset();
      recover({{false, std::string(kNoProtocol), error.what()}});
    }
  }
  if (!told) {
    answer = Answer{};
    return decline(declines(c), answer);
  }
  if (const auto* death = std::get_if<Death>(&*told)) throw *death;
  answer = std::get<Answer>(std::move(*told));
  if (answer.tag == Answer::Tag::kBroken) answer.detail = with_memory_limit(answer.detail);
}

std::unique_ptr<Subject> make_process_subject(const Side& side) {
  return std::make_unique<ProcessSubject>(to_string(side), side.target);
}

}  // namespace upcast::protocol
