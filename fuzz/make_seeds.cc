// fuzz-make-seeds FOLDER: gives each callable of the catalogue that has no id a new one, appended
// to FOLDER/callable_ids.txt. It also appends a case line of it, which our side answers, to
// FOLDER/seeds/callables.cases. Lines that are in the files stay.
#include <cstdio>
#include <fstream>
#include <set>

#include "cases/notation.h"
#include "cases/operands.h"
#include "fuzz/callable_ids.h"
#include "fuzz/codec.h"
#include "fuzz/random_case.h"
#include "oracle/impl_subject.h"

namespace {

using namespace upcast;

/// A short line of a random call that our side answers; "" if none of many calls is such a one.
std::string answered_line(Random& random, const FoundOp& callable, bool has_id) {
  constexpr int kTries = 5000;
  constexpr std::size_t kLongest = 100;
  ImplSubject ours;
  Answer answer;
  for (int i = 0; i < kTries; ++i) {
    const Case c = fuzz::random_call(random, callable);
    if (has_id && !fuzz::encode_case(c)) continue;
    ours.answer(c, answer);
    if (answer.tag == Answer::Tag::kRefusal) continue;
    if (std::string text = print_case(c); text.size() < kLongest) return text;
  }
  return "";
}

std::set<std::string, std::less<>> callables_of_lines(const std::string& file) {
  std::set<std::string, std::less<>> callables;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) callables.insert(line.substr(0, line.find('(')));
  return callables;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: fuzz-make-seeds FOLDER\n"), 2;
  const std::string folder = argv[1];
  const auto seeded = callables_of_lines(folder + "/seeds/callables.cases");
  std::ofstream ids(folder + "/callable_ids.txt", std::ios::app);
  std::ofstream seeds(folder + "/seeds/callables.cases", std::ios::app);
  if (seeded.empty() || !ids || !seeds)
    return std::fprintf(stderr, "%s: is not the folder fuzz\n", folder.c_str()), 2;
  Random random(2026);
  std::size_t next_id = fuzz::callable_names().size();
  bool all_found = true;
  for_each_callable([&](const Op& op, int overload, Form form) {
    const std::string_view name = op.callable(overload, form);
    const bool has_id = fuzz::id_of(name).has_value();
    if (!has_id) ids << next_id++ << ' ' << name << '\n';
    if (seeded.contains(name)) return;
    const std::string line = answered_line(random, {&op, overload, form}, has_id);
    if (!line.empty()) seeds << line << '\n';
    all_found = all_found && !line.empty();
  });
  if (!ids.flush() || !seeds.flush())
    return std::fprintf(stderr, "%s: cannot be written\n", folder.c_str()), 2;
  return all_found ? 0 : (std::fprintf(stderr, "a callable has no case\n"), 1);
}
