// Writes a case line for every callable, one that our side answers: fuzz/seeds/callables.cases.
#include <cstdio>

#include "cases/notation.h"
#include "fuzz/callable_ids.h"
#include "fuzz/codec.h"
#include "fuzz/random_case.h"
#include "oracle/impl_subject.h"

int main() {
  using namespace upcast;
  constexpr int kTries = 5000;
  constexpr std::size_t kLongest = 100;
  std::printf(
      "# A call of every callable, made by fuzz-make-seeds. More lines may follow by hand.\n");
  Random random(2026);
  ImplSubject ours;
  Answer answer;
  for (std::uint16_t id = 0; id < fuzz::callable_names().size(); ++id) {
    std::string line;
    for (int i = 0; i < kTries && line.empty(); ++i) {
      const Case c = fuzz::random_call(random, fuzz::callable_of(id));
      if (!fuzz::encode_case(c)) continue;
      ours.answer(c, answer);
      if (answer.tag == Answer::Tag::kRefusal) continue;
      if (std::string text = print_case(c); text.size() < kLongest) line = std::move(text);
    }
    if (line.empty()) {
      std::fprintf(stderr, "no case found for %s\n",
                   std::string(fuzz::callable_names()[id]).c_str());
      return 1;
    }
    std::printf("%s\n", line.c_str());
  }
  return 0;
}
