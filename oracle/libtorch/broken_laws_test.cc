// Tests that each entry of broken_laws.toml is true: LibTorch's answer to the entry's case
// contradicts the witness.
#include "cases/laws/broken_laws.h"

#include <gtest/gtest.h>

#include "cases/notation.h"
#include "oracle/libtorch/register.h"
#include "oracle/subject.h"

namespace upcast {
namespace {

/// The kind of difference between an answer and its witness, as entries name it; "" if the two do
/// not contradict.
std::string contradiction(const Answer& answer, const Answer& witness) {
  if (witness.tag == Answer::Tag::kRefusal) return "";
  if (answer.tag == Answer::Tag::kRefusal) return "refusal";
  return to_text(answer) == to_text(witness) ? "" : "value";
}

TEST(BrokenLaws, ContradictTheirWitnesses) {
  register_libtorch_subjects();
  const std::unique_ptr<Subject> side = make_subject("libtorch:cpu");
  for (const BrokenLaw& broken : broken_laws())
    EXPECT_EQ(contradiction(answer_of(*side, parse_case(broken.case_line)),
                            answer_of(*side, parse_case(broken.witness))),
              broken.kinds.front())
        << broken.id;
  // A control: an answer does not contradict itself.
  const Answer one = answer_of(*side, parse_case("neg(int8[2])"));
  EXPECT_EQ(contradiction(one, one), "");
}

}  // namespace
}  // namespace upcast
