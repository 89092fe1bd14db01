#include "fuzz/chains/minimize_chain.h"

#include <algorithm>

#include "cases/operands.h"
#include "cases/simplify.h"
#include "fuzz/findings/minimize.h"
#include "oracle/case_call.h"

namespace upcast::fuzz {
namespace {

constexpr std::int64_t kFewElements = 32;
constexpr std::size_t kMostAtOnce = 48;

/// The difference that a finding shows. The subject counts as wrong, since a process has to answer
/// as the oracle does.
Shown shown_by(const ChainExaminer& examiner, const ChainFinding& finding) {
  return {.signature = finding.signature,
          .known = finding.known,
          .errors = element_errors(finding.asked.last(), finding.subject.answer,
                                   finding.asked.reply().answer, examiner.sides(), Role::kSubject)};
}

/// The simpler chains to try: all parts with fewer calls, the shortest first, then the chain
/// without one of its middle calls.
std::vector<Chain> parts_of(const AskedChain& asked) {
  const std::size_t calls = asked.chain.size();
  std::vector<Chain> parts;
  for (std::size_t count = 1; count < calls; ++count)
    for (std::size_t first = 0; first + count <= calls; ++first)
      parts.push_back(asked.part(first, count));
  for (std::size_t left_out = 1; left_out + 1 < calls; ++left_out) {
    parts.push_back(asked.chain);
    parts.back().erase(parts.back().begin() + static_cast<std::ptrdiff_t>(left_out));
  }
  return parts;
}

/// The finding of each chain that the oracle answers as one whole chain; nothing for a chain that
/// falls apart.
std::vector<std::optional<ChainFinding>> examine_whole(ChainExaminer& examiner,
                                                       const std::vector<Chain>& chains) {
  std::vector<AskedChain> asked;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    std::vector<AskedChain> made = examiner.by_calls(chains[i]);
    if (made.size() != 1 || made[0].chain.size() != chains[i].size()) continue;
    asked.push_back(std::move(made[0]));
    which.push_back(i);
  }
  std::vector<std::optional<ChainFinding>> found(chains.size());
  std::vector<ChainFinding> findings = examiner.examine(std::move(asked));
  for (std::size_t i = 0; i < which.size(); ++i) found[which[i]] = std::move(findings[i]);
  return found;
}

/// The index of the element of a shape `from` that is broadcast to element `i` of the shape `to`.
/// Nothing if the shape does not broadcast.
std::optional<std::int64_t> element_of(const Dims& from, const Dims& to, std::int64_t i) {
  if (from.size() > to.size()) return std::nullopt;
  std::int64_t element = 0, stride = 1;
  for (std::size_t d = 1; d <= to.size(); ++d) {
    const std::int64_t size = to[to.size() - d], at = i % std::max<std::int64_t>(1, size);
    i /= std::max<std::int64_t>(1, size);
    if (d > from.size()) continue;
    const std::int64_t own = from[from.size() - d];
    if (own != 1 && own != size) return std::nullopt;
    if (own != 1) element += at * stride;
    stride *= own;
  }
  return element;
}

/// A call in which each tensor has `copies` copies of one element: the one that is broadcast to
/// element `element` of `whole`.
std::optional<Case> of_one_element(const Case& c, int taken, const Dims& whole,
                                   std::int64_t element, std::int64_t copies) {
  const std::optional<Dims> shape = broadcast_shape(c);
  const std::optional<std::int64_t> at = shape ? element_of(*shape, whole, element) : std::nullopt;
  if (!at) return std::nullopt;
  Case one = c;
  for (const int i : tensor_arguments(c)) {
    Operand& operand = one.operand(i);
    if (operand.shares != kOwnStorage) return std::nullopt;
    const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
    const std::vector<std::byte> bytes = broadcast_values(c, i, *shape);
    if (bytes.size() < (static_cast<std::size_t>(*at) + 1) * size) return std::nullopt;
    const bool is_zero_dim = operand.sizes.empty();
    operand = tensor(operand.dtype, is_zero_dim ? Dims{} : Dims{copies});
    if (i == taken) continue;
    const auto* const first = bytes.data() + static_cast<std::size_t>(*at) * size;
    for (std::int64_t k = 0; k < (is_zero_dim ? 1 : copies); ++k)
      operand.values.insert(operand.values.end(), first, first + size);
  }
  for (const int i : {kOutPosition, kSecondOutPosition}) {
    Operand& out = one.operand(i);
    if (out.tag != Operand::Tag::kTensor) continue;
    if (out.shares != kOwnStorage) return std::nullopt;
    out = tensor(out.dtype, shape->empty() ? Dims{} : Dims{copies});
  }
  return one;
}

/// The chain over vectors of a few copies of one element, the fewest copies first. A lone element
/// takes other paths than one in a vector's body.
std::vector<Chain> of_few_elements(const ChainFinding& finding) {
  const AskedChain& asked = finding.asked;
  const auto& difference = finding.verdict.difference;
  const bool is_element = difference && difference->what == Difference::What::kElement;
  const std::optional<Dims> whole = broadcast_shape(asked.last());
  std::vector<Chain> chains;
  if (!whole || numel(*whole) == 0) return chains;
  for (const std::int64_t copies : {1, 16, 33}) {
    Chain chain;
    for (std::size_t i = 0; i < asked.cases.size(); ++i) {
      const int taken = i == 0 ? kOutPosition : taken_position(asked.chain[i]);
      const auto one = of_one_element(asked.cases[i], taken, *whole,
                                      is_element ? difference->element : 0, copies);
      if (!one) return {};
      chain.push_back({*one, asked.chain[i].takes});
    }
    if (!(chain == asked.chain)) chains.push_back(std::move(chain));
  }
  return chains;
}

/// Copies of the chain in which one call is simpler by one step of kind `how`.
std::vector<Chain> with_simpler_calls(const AskedChain& asked, Simplification how) {
  std::vector<Chain> chains;
  for (std::size_t i = 0; i < asked.chain.size(); ++i) {
    for (const Case& simpler : simpler_cases(asked.chain[i].c, how, nullptr, kFewElements)) {
      Chain chain = asked.chain;
      chain[i].c = simpler;
      if (i > 0 && taken_position(chain[i]) == kOutPosition) continue;
      chains.push_back(std::move(chain));
    }
  }
  return chains;
}

/// Replaces the minimal chain by the first simpler one that shows the same difference. Returns
/// false if none does.
bool accept_one(ChainExaminer& examiner, std::vector<Chain> simpler, int most, const Shown& first,
                MinimalChain& minimal) {
  const ElementError* const first_error = worst_of_its_kind(first.errors);
  simpler.resize(std::min(
      {simpler.size(), kMostAtOnce, static_cast<std::size_t>(std::max(0, most - minimal.asked))}));
  if (simpler.empty()) return false;
  minimal.asked += static_cast<int>(simpler.size());
  for (std::optional<ChainFinding>& found : examine_whole(examiner, simpler)) {
    if (!found || !why_not_the_same(shown_by(examiner, *found), first, first_error).empty())
      continue;
    minimal.finding = *std::move(found);
    ++minimal.steps;
    return true;
  }
  return false;
}

}  // namespace

std::vector<MinimalChain> with_fewest_calls(ChainExaminer& examiner,
                                            std::vector<ChainFinding> findings) {
  std::vector<Chain> parts;
  std::vector<std::size_t> whose;
  for (std::size_t i = 0; i < findings.size(); ++i)
    for (Chain& part : parts_of(findings[i].asked)) {
      parts.push_back(std::move(part));
      whose.push_back(i);
    }
  std::vector<MinimalChain> minimal;
  for (ChainFinding& finding : findings) minimal.push_back({.finding = std::move(finding)});
  std::vector<std::optional<ChainFinding>> found = examine_whole(examiner, parts);
  for (std::size_t i = 0; i < found.size(); ++i) {
    MinimalChain& mine = minimal[whose[i]];
    ++mine.asked;
    if (!found[i]) continue;
    const bool is_new = found[i]->differs() && mine.steps == 0;
    if (is_new || (!found[i]->known.empty() && mine.finding.known.empty() && mine.steps == 0)) {
      mine.steps += is_new ? 1 : 0;
      mine.finding = *std::move(found[i]);
    }
  }
  return minimal;
}

void simplify_calls(ChainExaminer& examiner, MinimalChain& minimal, int most) {
  const Shown first = shown_by(examiner, minimal.finding);
  accept_one(examiner, of_few_elements(minimal.finding), most, first, minimal);
  for (int before = -1; before != minimal.steps;) {
    before = minimal.steps;
    for (std::size_t i = 0; i < kSimplificationNames.size(); ++i) {
      const auto how = static_cast<Simplification>(i);
      while (accept_one(examiner, with_simpler_calls(minimal.finding.asked, how), most, first,
                        minimal))
        continue;
    }
  }
}

}  // namespace upcast::fuzz
