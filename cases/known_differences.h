// Known differences: accepted ones, each declared with its exact wrong answer, in
// cases/known_differences.toml:
//
//   [[difference]]
//   id = "div-trunc-min-by-minus-one"
//   cause = "division-traps"  # what all entries of one cause share; left out where there is one
//   select = 'div{,_}.Tensor_mode(*, *, rounding_mode="trunc")'   # or a list; see selector.h
//   kind = "crash"            # dtype, shape, strides, refusal, accepts, value, alias, ...; a list
//                             # where one cause shows in several, that of `case` first. It is said
//                             # of the side that is wrong: `refusal` where that refuses, `accepts`
//                             # where it answers what is to be refused
//   oracle = "crash(SIGFPE)"  # refuses, answers, a dtype, a value, {values}, crash, timeout,
//                             # model:NAME
//   class = "bug"             # bug, by_design, host_defined, ambiguous
//   witness = "truth"         # of a bug: what makes it one, or a list; see DeclaredWitness
//   libtorch = ">=2.15,<2.16"
//   reason = "INT_MIN / -1 traps"
//   found = "2026-11-21"      # the day on which the entry came into the file
//   link = "https://..."      # a thread or page about this very thing, or a list; may be left out
//   related = "https://..."   # threads that may be about the same, or a list; mostly left out
//   place = "aten/src/ATen/native/x.h: function"   # where in PyTorch's sources the cause is, and
//   mend = "Divide first."    # what mends it, in a sentence; both or neither
//   case = 'div.Tensor_mode(int32[1]{-2147483648}, int32[1]{-1}, rounding_mode="trunc")'
//   truth = 'int32[1]{-2147483648}'   # the right answer to the case
//   ours_ulp = 0.48           # of a bug in values: how far both sides lie from the exact value
//   wrong_ulp = 1.7e6         # in the first element that differs; inf: a wrong special value
//   no_truth = "..."          # in the place of these two: why oracle/truth has no answer
//   both_off = 'airy*(*)'     # cases in which ours may be off as well: mostly left out
//   general = true            # a cause in many ops: asked last, and may name others' cases
//   python = "..."            # why torch's Python half does not show it; mostly left out
//
// An entry with `subject = "libtorch:cpu?capability=native"` and `answer` in the
// place of `oracle` is about runs of that subject, and declares what the subject
// answers wrongly; each of its elements may also be the oracle's (a vector's body is
// wrong, its tail is right). An entry about capability=native holds for
// capability=avx2 and onednn=on too, one about capability=native&onednn=on for oneDNN
// alone. Where paths contradict each other in kind only a bug explains it, which may
// stand after an entry of another class and the same `answer`. It is about runs with
// that oracle too (libtorch:meta, libtorch:cpu?capability=native), and then declares
// what the oracle answers wrongly. If the oracle has vector paths, an entry without
// `subject` also explains elements of a vector's tail, which is scalar code. With
// `subject = "python:torch?via=compile"` it is about that way of a framework,
// whatever further settings a run gives it; `also = "python:torch?via=decomp"`, or a
// list, names other subjects that err alike. With `subject =
// "impl:emulated?device=cuda"`, `answer` is what a GPU does and its oracle, the meta
// device, cannot. An entry without `subject` explains a run of another path of
// LibTorch only where that is right.
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

/// What makes a difference a bug; without one a difference is no more than ambiguous. In the file:
///   truth                         the exact value of an element of the case is known, and the
///                                 answer is off
///   path: CALL                    LibTorch contradicts itself in kind: CALL, which has to answer
///   path: CALL on SIDE            alike, is an answer where the case is a refusal or a crash (or
///                                 the reverse), finite where it is infinite or NaN (or the
///                                 reverse)
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
  std::string python;                // why torch in Python does not show it; "": it does
  std::string case_line;             // a minimal case that shows it; the selector matches it
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
