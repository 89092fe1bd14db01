// Witnesses: sides other than subject and oracle, which are asked if the truth did not decide.
// Makes the question to them, finds the side that each agrees with, and tells who stands alone.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/judge.h"
#include "oracle/subject.h"

namespace upcast {

/// What witnesses are asked about a case: what the truth left open.
struct Question {
  /// The first open place, with the texts of subject and oracle there. Its `what` is kRefusal,
  /// kDType, kShape, kStrides or kElement.
  Difference place{};
  std::vector<std::size_t> elements{};  // for kElement: all open elements, ascending
};

/// The question about two answers, which follows from their verdict. If they agree, it is about
/// elements that the truth leaves open. Nothing if the truth decides, or if a side died or cannot
/// say.
std::optional<Question> question_about(const Case& c, const Verdict& verdict, const Answer& subject,
                                       const Answer& oracle, Sides sides, Gaps gaps);

/// Which side a witness agrees with. `sides` are subject and oracle. A witness is held to the
/// bounds of foreign sides.
Vote vote(const Case& c, const Question& question, const Answer& witness, const Answer& subject,
          const Answer& oracle, Sides sides);

/// Which sides stand alone. More than half of the witnesses that say something decide. If they
/// agree with the subject, the oracle stands alone, and the reverse. `alike`: the size of the
/// largest group that agrees with neither side but with each other. If that is more than half, both
/// sides stand alone.
Alone who_stands_alone(std::span<const Vote> votes, int alike);

/// The witnesses of a run.
class Witnesses {
 public:
  struct Named {
    std::string name;
    std::unique_ptr<Subject>
        subject;  // must survive whatever its process does, and throw SideDied then
  };
  Witnesses(std::vector<Named> sides, Gaps gaps) : sides_(std::move(sides)), gaps_(gaps) {}

  const std::vector<Named>& sides() const { return sides_; }
  /// Asks all witnesses about a case, if there is a question. Puts their answers into `verdict`;
  /// the death of a witness is its answer. Returns whether there was a question. `between` is
  /// called after each witness.
  bool ask(const Case& c, const Reply& subject, const Reply& oracle, Sides sides, Verdict& verdict,
           const std::function<void()>& between);

 private:
  std::vector<Named> sides_;
  Gaps gaps_ = nullptr;
};

}  // namespace upcast
