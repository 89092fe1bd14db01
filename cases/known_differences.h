// Known differences: accepted ones, each declared with its exact wrong answer, in
// cases/known_differences.toml:
//
//   [[difference]]
//   id = "div-trunc-min-by-minus-one"
//   cause = "division-traps"  # a name that all entries of one cause share; absent if there is one
//   select = 'div{,_}.Tensor_mode(*, *, rounding_mode="trunc")'   # or a list; see selector.h
//   kind = "crash"            # dtype, shape, strides, refusal, accepts, value, alias, ...; a list
//                             # if one cause shows in several kinds, that of `case` first. The kind
//                             # is said of the wrong side: `refusal` if that side refuses,
//                             # `accepts` if it answers a call that must be refused
//   oracle = "crash(SIGFPE)"  # refuses, answers, a dtype, a value, {values}, crash, timeout,
//                             # model:NAME
//   class = "bug"             # bug, by_design, host_defined, ambiguous
//   witness = "truth"         # what makes a bug one, or a list of such; see DeclaredWitness
//   libtorch = ">=2.15,<2.16"
//   reason = "INT_MIN / -1 traps"
//   found = "2026-11-21"      # the day on which the entry came into the file
//   link = "https://..."      # optional: a thread or page about exactly this, or a list
//   related = "https://..."   # optional: threads that may be about the same, or a list
//   place = "aten/src/ATen/native/x.h: function"   # optional: the cause in PyTorch's sources
//   mend = "Divide first."    # how to mend the cause, in a sentence; only together with `place`
//   case = 'div.Tensor_mode(int32[1]{-2147483648}, int32[1]{-1}, rounding_mode="trunc")'
//   truth = 'int32[1]{-2147483648}'   # the right answer to the case
//   ours_ulp = 0.48           # for a bug in values: the error of ours, and the error of the wrong
//   wrong_ulp = 1.7e6         # side, in the first element that differs; inf: a wrong special value
//   no_truth = "..."          # instead of these errors: why oracle/truth has no answer
//   both_off = 'airy*(*)'     # optional: cases in which ours may be wrong as well
//   general = true            # a cause in many ops: matched last, since it may name others' cases
//   python = "..."            # optional: why torch in Python does not show the difference
//
// An entry is about the oracle unless it has `subject`. With `subject` it has `answer` instead of
// `oracle`.
//
// - `subject = "libtorch:cpu?capability=native"`: `answer` is what this subject answers wrongly.
//   Each element may also be the oracle's, because a vector's body may be wrong while its tail is
//   right. The entry is also about runs with that side as oracle, and then says what the oracle
//   answers.
// - An entry about capability=native also holds for capability=avx2 and for onednn=on. An entry
//   about capability=native&onednn=on holds for oneDNN alone.
// - If paths of LibTorch contradict each other in kind, only a bug explains that. Such an entry may
//   stand after one of another class with the same `answer`.
// - Without `subject`, an entry also explains elements of a vector's tail if the oracle has vector
//   paths, because the tail is scalar code. It explains a run of another path of LibTorch only if
//   that path is right.
// - `subject = "python:torch?via=compile"` is about this way to call a framework, whatever further
//   settings a run gives it. `also = "python:torch?via=decomp"`, or a list, names other subjects
//   with the same wrong answer.
// - `subject = "impl:emulated?device=cuda"`: `answer` is what a GPU does, and what its oracle, the
//   meta device, cannot do.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "cases/selector.h"

namespace upcast {

/// What makes a difference a bug. Without a witness, a difference is at most ambiguous. In the
/// file:
///   truth                         the exact value of an element of the case is known, and the
///                                 answer is wrong
///   path: CALL                    LibTorch contradicts itself: CALL (on SIDE) has to answer like
///                                 the
///   path: CALL on SIDE            case. But one of them answers, and the other is a refusal or a
///                                 crash; or one is finite, and the other infinite or NaN
///   documentation: https://... THE SENTENCE
///   majority: numpy, jax          independent libraries that agree against LibTorch
struct DeclaredWitness {
  enum class Kind : std::uint8_t { kTruth, kPath, kDocumentation, kMajority };

  Kind kind = Kind::kTruth;
  std::string text{};  // what follows the colon in the file
  std::string side{};  // only of kPath: the side that is asked; "": the entry's own
};
inline constexpr std::array<std::string_view, 4> kWitnessNames{"truth", "path", "documentation",
                                                               "majority"};
constexpr std::string_view name(DeclaredWitness::Kind kind) {
  return kWitnessNames[static_cast<std::size_t>(kind)];
}

struct KnownDifference {
  std::string id;
  std::string cause;          // the entry's id if no other entry has the same cause
  std::string selector_text;  // the selector as in the file, alternatives joined by " | "
  std::shared_ptr<const Selector> selector;
  std::shared_ptr<const Selector> both_off;  // null: ours is right in all selected cases
  bool is_general = false;
  std::vector<std::string> kinds;  // kinds of difference; the kind of `case` stands first
  std::string subject;             // the side that answers wrongly; "": the oracle
  std::vector<std::string> also;   // further subjects that give the same wrong answer
  std::string wrong_answer;        // the wrong answer; see oracle/known/declared_answer.h
  std::string difference_class;
  std::vector<DeclaredWitness> witnesses;  // why a bug is one; what says that a by_design is meant
  std::string versions;
  std::string reason;
  std::string found;  // "2026-11-21"
  std::vector<std::string> links;
  std::string place, mend;           // the cause in PyTorch's sources, and how to mend it
  std::vector<std::string> related;  // threads that may be about the same cause
  std::string python;                // why torch in Python shows no difference; "": it shows one
  std::string case_line;             // a minimal case with the difference; the selector matches it
  std::string truth;                 // the right answer, in case notation (from oracle.impl)
  /// For a bug in values: the errors of our result and of the wrong one, in ulp from the exact
  /// value. If the exact value is not known, `no_truth` says why.
  double ours_ulp = 0, wrong_ulp = 0;
  std::string no_truth;

  bool is_of(std::string_view kind) const {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  }
  bool has_witness(DeclaredWitness::Kind kind) const;
  /// The entry's witnesses as they stand in the file, with "; " between them.
  std::string witness_text() const;
};

/// A reason without its last sentence if that sentence says who found the difference. The reader of
/// a bug report does not need it.
std::string without_finder(const std::string& reason);

/// The entries in file order; none in an empty file. Throws UsageError with file and line for: a
/// text that is not TOML, an unknown or missing key, an empty value, an unknown class or kind, a
/// day that does not exist, a link that is no https address, a bug without a witness, a bad
/// selector, case or witness, a case that its selector does not match, an id that is used twice, a
/// cause that only one entry has or that is another entry's id.
std::vector<KnownDifference> parse_known_differences(std::string_view toml,
                                                     std::string_view file_name);
/// Like parse_known_differences, for the file at `path`. A file that cannot be read is a UsageError
/// too.
std::vector<KnownDifference> load_known_differences(const std::string& path);

/// All entries of a kind of difference that select a case. More than one means that entries
/// overlap.
std::vector<const KnownDifference*> find_all(const std::vector<KnownDifference>& entries,
                                             const Case& c, std::string_view kind);
/// The first entry of a kind of difference that selects a case; null if there is none.
const KnownDifference* find_first(const std::vector<KnownDifference>& entries, const Case& c,
                                  std::string_view kind);

}  // namespace upcast
