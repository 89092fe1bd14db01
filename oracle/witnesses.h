// Witnesses are sides other than subject and oracle, asked if the truth did not decide. This file
// has the question to them, the side each agrees with, and who stands alone.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/judge.h"
#include "oracle/subject.h"

namespace upcast {

/// The question to witnesses: what the truth left open about a case.
struct Question {
  /// The first open place, with the subject's and the oracle's text there. Its `what` is kRefusal,
  /// kDType, kShape, kStrides or kElement.
  Difference place{};
  std::vector<std::size_t> elements{};  // for kElement: all open elements, ascending
};

/// The question about two answers, by their verdict. Nothing if the truth decides, or if a side
/// died or cannot say. For answers that agree, it asks about what the truth leaves open.
std::optional<Question> question_about(const Case& c, const Verdict& verdict, const Answer& subject,
                                       const Answer& oracle, Sides sides, Gaps gaps);

/// Which side a witness agrees with. `sides`: those of the comparison; a witness is held to the
/// bounds for foreign sides.
Vote vote(const Case& c, const Question& question, const Answer& witness, const Answer& subject,
          const Answer& oracle, Sides sides);

/// More than half of the witnesses that say something decide. If they are with the subject, the
/// oracle stands alone, and the reverse. `alike`: how many witnesses, at most, agree with neither
/// and give the same answer; if these are more than half, both stand alone.
Alone who_stands_alone(std::span<const Vote> votes, int alike);

/// The witnesses of a run.
class Witnesses {
 public:
  struct Named {
    std::string name;
    std::unique_ptr<Subject>
        subject;  // one that survives whatever its process does: throws SideDied
  };
  Witnesses(std::vector<Named> sides, Gaps gaps) : sides_(std::move(sides)), gaps_(gaps) {}

  const std::vector<Named>& sides() const { return sides_; }
  /// Asks all witnesses about a case, if there is a question; `verdict` gets their answers. Returns
  /// whether there was one. The death of a witness is its answer. `between` is called after each.
  bool ask(const Case& c, const Reply& subject, const Reply& oracle, Sides sides, Verdict& verdict,
           const std::function<void()>& between);

 private:
  std::vector<Named> sides_;
  Gaps gaps_ = nullptr;
};

}  // namespace upcast
