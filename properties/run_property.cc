#include "properties/run_property.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "cases/notation.h"
#include "cases/simplify.h"
#include "impl/core/error.h"
#include "properties/tag_counter.h"

namespace upcast {

void showValue(const Case& c, std::ostream& os) { os << print_case(c); }

}  // namespace upcast

namespace upcast::properties {
namespace {

bool is_excluded(const Property& property, const System& system, const Case& c) {
  for (const std::span<const Exclusion> exclusions :
       {std::span<const Exclusion>(property.exclusions), deadly_cases()})
    for (const Exclusion& exclusion : exclusions)
      if (concerns(exclusion, system) && !exclusion.covers_everything() && exclusion.covers(c))
        return true;
  return false;
}

bool has_dtype(const Operand& operand) {
  return operand.tag == Operand::Tag::kTensor || operand.tag == Operand::Tag::kDType;
}

/// Whether the system has the dtype of every operand.
bool is_known(const Case& c, const Promotion& promotion) {
  return std::all_of(c.arguments.begin(), c.arguments.end(), [&](const Operand& operand) {
    return !has_dtype(operand) || promotion.knows(operand.dtype);
  });
}

/// Draws an example whose dtypes the system has, because it has nothing to say about others. A
/// system may also refuse to mix dtypes, so every fourth example has only one.
Case draw_known(const Generator& generator, const Promotion& promotion, Draw& draw) {
  Case c = generator.draw(draw);
  if (promotion.knows_all()) return c;
  constexpr int kAttempts = 1000;
  for (int i = 0; i < kAttempts && !is_known(c, promotion); ++i) c = generator.draw(draw);
  const auto first = std::find_if(c.arguments.begin(), c.arguments.end(), &has_dtype);
  if (first == c.arguments.end() || !draw.chance(25)) return c;
  for (Operand& operand : c.arguments)
    if (has_dtype(operand)) operand.dtype = first->dtype;
  return c;
}

std::string text_of(const rc::detail::FailureResult& failure) {
  std::string text = failure.description;
  for (const auto& [type, value] : failure.counterExample) {
    static_cast<void>(type);
    text += "\n  case: " + value;
  }
  return text;
}

}  // namespace

RunSettings settings_from_environment() {
  RunSettings settings;
  const char* text = std::getenv("RC_PARAMS");
  std::istringstream words(text == nullptr ? "" : text);
  for (std::string word; words >> word;) {
    const std::string key = word.substr(0, word.find('='));
    const std::string value = word.substr(std::min(word.size(), key.size() + 1));
    const bool number = !value.empty() && value.size() < 10 &&
                        value.find_first_not_of("0123456789") == std::string::npos;
    if (number && key == "seed")
      settings.seed = std::stoull(value);
    else if (number && key == "max_success")
      settings.examples = std::stoi(value);
    else
      throw UsageError("RC_PARAMS: '" + word +
                       "' is not understood; write it as RC_PARAMS=\"seed=7 max_success=100000\"");
  }
  return settings;
}

rc::Gen<Case> examples_of(const Generator& generator, const Promotion& promotion) {
  return [generator, &promotion](const rc::Random& random, int size) {
    Draw draw(random, size);
    return rc::shrinkable::shrinkRecur(
        draw_known(generator, promotion, draw), [generator, &promotion](const Case& c) {
          std::vector<Case> simpler = simpler_cases(c, generator.admits);
          std::erase_if(simpler, [&](const Case& each) { return !is_known(each, promotion); });
          return rc::seq::fromContainer(std::move(simpler));
        });
  };
}

std::optional<std::string> breaks(const Property& property, const System& system, const Case& c) {
  try {
    static_cast<void>(property.check(system, c));
  } catch (const rc::detail::CaseResult& result) {
    return result.description;
  } catch (const std::exception& e) {
    return "an exception: " + std::string(e.what());
  }
  return std::nullopt;
}

PropertyRun run_property(const Property& property, const System& system,
                         const RunSettings& settings) {
  PropertyRun run;
  TagCounter tags;
  const rc::Gen<Case> examples = examples_of(*property.generator, *system.promotion);
  const auto testable = [&property, &system, &examples, &run] {
    const Case c = *examples;
    const bool excluded = is_excluded(property, system, c);
    RC_CLASSIFY(excluded);
    if (excluded) return;
    try {
      const bool held = property.check(system, c) == Finding::kHolds;
      RC_CLASSIFY(held);
      const bool vacuous = !held;
      RC_CLASSIFY(vacuous);
    } catch (...) {
      // Shrinking tries simpler cases, so the last one that fails is the simplest.
      run.counterexample = c;
      throw;
    }
  };
  rc::detail::TestMetadata metadata;
  metadata.id = property.name;
  rc::detail::TestParams params;
  params.seed = settings.seed;
  params.maxSuccess = settings.examples;
  std::unordered_map<std::string, rc::detail::Reproduce> reproduce;
  if (!settings.reproduce.empty()) {
    const auto config = rc::detail::configFromString("reproduce=" + settings.reproduce);
    reproduce = config.reproduce;
  }
  const rc::detail::TestResult result = rc::detail::checkProperty(
      rc::detail::toProperty(testable), metadata, params, tags, reproduce);
  run.held = tags.count("held");
  run.vacuous = tags.count("vacuous");
  run.excluded = tags.count("excluded");
  rc::detail::FailureResult failure;
  if (result.match(failure)) {
    run.failure = text_of(failure);
    rc::detail::Configuration config;
    config.reproduce.emplace(metadata.id, failure.reproduce);
    run.reproduce = rc::detail::configToMinimalString(config);
    run.reproduce.resize(std::min(run.reproduce.size(), run.reproduce.find(' ')));
  } else if (!result.is<rc::detail::SuccessResult>()) {
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    run.failure = text.str();
  }
  return run;
}

}  // namespace upcast::properties
