#include "oracle/witnesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "cases/literal.h"
#include "impl/core/error.h"
#include "oracle/host_defined.h"
#include "oracle/judge.h"

namespace upcast {
namespace {

using What = Difference::What;

std::size_t elements_of(const Answer& answer) {
  const auto size = static_cast<std::size_t>(itemsize(answer.dtype));
  return size == 0 ? 0 : answer.bytes.size() / size;
}

std::string element_text(const Answer& answer, std::size_t element) {
  return print_element(answer.dtype, answer.bytes.data() + element * static_cast<std::size_t>(
                                                                         itemsize(answer.dtype)));
}

bool is_tensor(const Answer& answer) { return answer.tag == Answer::Tag::kTensor; }
bool is_refusal(const Answer& answer) { return answer.tag == Answer::Tag::kRefusal; }

/// Whether an answer says something about the question. An answer with another dtype or shape says
/// nothing about values.
bool says(const Answer& answer, What what, const Answer& oracle) {
  if (is_refusal(answer) || what == What::kRefusal || what == What::kDType)
    return is_refusal(answer) || is_tensor(answer) || answer.tag == Answer::Tag::kDType;
  if (!is_tensor(answer)) return false;
  if (what == What::kStrides) return !answer.without_strides;
  return what != What::kElement ||
         (!answer.without_values && answer.dtype == oracle.dtype && answer.sizes == oracle.sizes);
}

/// The part of an answer at the place in question, as text.
std::string text_at(const Answer& answer, const Difference& place) {
  if (is_refusal(answer)) return "refuses";
  switch (place.what) {
    case What::kRefusal:
      return "answers";
    case What::kDType:
      return std::string(name(answer.dtype));
    case What::kShape:
      return fmt::format("[{}]", fmt::join(answer.sizes, ","));
    case What::kStrides:
      return fmt::format("[{}]", fmt::join(answer.strides, ","));
    default:
      break;
  }
  return element_text(answer, static_cast<std::size_t>(place.element));
}

/// The answer reduced to the open elements, so that only these are judged.
Answer open_part(const Answer& answer, const std::vector<std::size_t>& open) {
  Answer part = answer;
  part.further.clear();
  part.rest.clear();
  part.leeway.assign(elements_of(answer), std::numeric_limits<double>::infinity());
  for (const std::size_t element : open) part.leeway[element] = 0;
  return part;
}

bool is_with(const Case& c, const Question& question, const Answer& witness, const Answer& side,
             Implementation bounds, bool on_gpu) {
  if (is_refusal(witness) || is_refusal(side) || question.place.what == What::kRefusal)
    return is_refusal(witness) == is_refusal(side);
  if (question.place.what != What::kElement)
    return text_at(witness, question.place) == text_at(side, question.place);
  Answer alone = witness;
  alone.further.clear();
  alone.without_strides = true;
  return judge(c, alone, open_part(side, question.elements),
               {.subject = Implementation::kForeign, .oracle = bounds, .on_gpu = on_gpu})
             .code == VerdictCode::kAgree;
}

/// The question about values: those of `candidates` that the truth leaves open. Nothing if there
/// are none.
std::optional<Question> question_of_values(const std::vector<std::size_t>& candidates,
                                           const Case& c, const Answer& subject,
                                           const Answer& oracle, Gaps gaps) {
  Question question{.elements = candidates};
  if (gaps != nullptr && !candidates.empty()) {
    const std::vector<std::size_t> open = gaps(c, oracle);
    std::erase_if(question.elements, [&](std::size_t element) {
      return !std::binary_search(open.begin(), open.end(), element);
    });
  }
  if (question.elements.empty()) return std::nullopt;
  const std::size_t first = question.elements.front();
  question.place = {.what = What::kElement,
                    .element = static_cast<std::int64_t>(first),
                    .dtype = oracle.dtype,
                    .subject = element_text(subject, first),
                    .oracle = element_text(oracle, first)};
  return question;
}

std::optional<Question> question_of_agreement(const Case& c, const Answer& subject,
                                              const Answer& oracle, bool on_gpu, Gaps gaps) {
  if (is_refusal(subject))
    return Question{.place = {.what = What::kRefusal, .subject = "refuses", .oracle = "refuses"}};
  if (!is_tensor(subject) || subject.without_values || oracle.without_values) return std::nullopt;
  const std::vector<bool> host_defined =
      host_defined_elements(c, oracle,
                            on_gpu ? HostDefined::Where::kOnGpu : HostDefined::Where::kEverywhere)
          .elements;
  std::vector<std::size_t> judged;
  for (std::size_t i = 0; i < elements_of(oracle); ++i)
    if (host_defined.empty() || !host_defined[i]) judged.push_back(i);
  return question_of_values(judged, c, subject, oracle, gaps);
}

/// The size of the largest group of witnesses that agree with neither side, but with each other.
int largest_group(const Case& c, const Question& question, const std::vector<Answer>& answers,
                  const std::vector<Vote>& votes, bool on_gpu) {
  int largest = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (votes[i] != Vote::kNeither) continue;
    int alike = 0;
    for (std::size_t k = 0; k < answers.size(); ++k)
      alike += votes[k] == Vote::kNeither &&
               is_with(c, question, answers[k], answers[i], Implementation::kForeign, on_gpu);
    largest = std::max(largest, alike);
  }
  return largest;
}

/// The place to show. For values it is the first open element in which the most witnesses differ
/// from the oracle. For other questions it is the place that was asked about.
Difference telling_place(const Case& c, const Question& question,
                         const std::vector<Answer>& answers, const std::vector<Vote>& votes,
                         const Answer& subject, const Answer& oracle, Sides sides) {
  Difference place = question.place;
  if (place.what != What::kElement) return place;
  std::map<std::size_t, int> differing;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (votes[i] == Vote::kSilent || is_refusal(answers[i])) continue;
    for (const std::size_t element :
         differing_elements(c, answers[i], oracle, {Implementation::kForeign, sides.oracle}))
      if (std::binary_search(question.elements.begin(), question.elements.end(), element))
        ++differing[element];
  }
  const auto most = std::max_element(differing.begin(), differing.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  if (most == differing.end()) return place;
  place.element = static_cast<std::int64_t>(most->first);
  place.subject = element_text(subject, most->first);
  place.oracle = element_text(oracle, most->first);
  return place;
}

Reply reply_of(Subject& side, const Case& c) {
  Reply reply;
  try {
    side.answer(c, reply.answer);
  } catch (const SideDied& death) {
    reply.death = death.how;
    reply.why = death.why;
    // The witness's process has died before and cannot be started again.
  } catch (const UsageError& error) {
    reply.death = "crash(does not start)";
    reply.why = error.what();
  }
  return reply;
}

}  // namespace

std::optional<Question> question_about(const Case& c, const Verdict& verdict, const Answer& subject,
                                       const Answer& oracle, Sides sides, Gaps gaps) {
  switch (verdict.found) {
    case VerdictCode::kAgree:
      return question_of_agreement(c, subject, oracle, sides.on_gpu, gaps);
    case VerdictCode::kDifferValue:
      if (verdict.difference->result != 0 || verdict.difference->what != What::kElement)
        return std::nullopt;
      return question_of_values(differing_elements(c, subject, oracle, sides), c, subject, oracle,
                                gaps);
    case VerdictCode::kDifferDType:
    case VerdictCode::kDifferShape:
    case VerdictCode::kDifferStrides:
    case VerdictCode::kDifferRefusal:
    case VerdictCode::kDifferAccepts:
      if (verdict.difference->what == What::kTyping || verdict.difference->what == What::kResults)
        return std::nullopt;
      return Question{.place = *verdict.difference};
    default:
      return std::nullopt;
  }
}

Vote vote(const Case& c, const Question& question, const Answer& witness, const Answer& subject,
          const Answer& oracle, Sides sides) {
  if (!says(witness, question.place.what, oracle)) return Vote::kSilent;
  const bool with_subject = is_with(c, question, witness, subject, sides.subject, sides.on_gpu);
  const bool with_oracle = is_with(c, question, witness, oracle, sides.oracle, sides.on_gpu);
  return with_subject  ? with_oracle ? Vote::kBoth : Vote::kSubject
         : with_oracle ? Vote::kOracle
                       : Vote::kNeither;
}

Alone who_stands_alone(std::span<const Vote> votes, int alike) {
  const auto count = [&](Vote wanted) { return std::count(votes.begin(), votes.end(), wanted); };
  const auto is_majority = [saying = std::ssize(votes) - count(Vote::kSilent)](std::int64_t of) {
    return 2 * of > saying;
  };
  if (is_majority(count(Vote::kSubject))) return Alone::kOracle;
  if (is_majority(count(Vote::kOracle))) return Alone::kSubject;
  return is_majority(alike) ? Alone::kBoth : Alone::kNeither;
}

bool Witnesses::ask(const Case& c, const Reply& subject, const Reply& oracle, Sides sides,
                    Verdict& verdict, const std::function<void()>& between) {
  if (sides_.empty() || subject.died() || oracle.died()) return false;
  const std::optional<Question> question =
      question_about(c, verdict, subject.answer, oracle.answer, sides, gaps_);
  if (!question) return false;
  std::vector<Answer> answers;
  std::vector<Vote> votes;
  for (const Named& side : sides_) {
    Reply reply = reply_of(*side.subject, c);
    between();
    Witness witness{.side = side.name, .answer = reply.text()};
    if (!reply.died())
      witness.with = vote(c, *question, reply.answer, subject.answer, oracle.answer, sides);
    else if (!reply.why.empty())
      witness.answer += ", " + reply.why;
    votes.push_back(witness.with);
    answers.push_back(std::move(reply.answer));
    verdict.witnesses.push_back(std::move(witness));
  }
  verdict.alone =
      who_stands_alone(votes, largest_group(c, *question, answers, votes, sides.on_gpu));
  verdict.asked = telling_place(c, *question, answers, votes, subject.answer, oracle.answer, sides);
  for (std::size_t i = 0; i < votes.size(); ++i)
    if (votes[i] != Vote::kSilent) verdict.witnesses[i].has = text_at(answers[i], *verdict.asked);
  return true;
}

}  // namespace upcast
