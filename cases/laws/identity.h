// Identities between ops (cases/laws/identities.txt), from which the law `siblings` makes its
// pairs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "impl/core/dtype_set.h"

namespace upcast {

/// A call whose arguments are variables, literals, or calls.
struct Expression {
  struct Argument {
    std::string keyword{};             // "" for an argument by position
    std::string text{};                // a variable (x, y, m), or a literal of case notation
    std::vector<Expression> nested{};  // the inner call, if the argument is a call; else empty
  };
  std::string callable{};  // a name with or without overload: "pow.Scalar", "pow"
  std::vector<Argument> arguments{};

  bool uses(std::string_view variable) const;
};

enum class Relation : std::uint8_t {
  kSame,     // =
  kAnswers,  // ~
  kOwes      // <-: the left side must answer if the right one does
};

struct Identity {
  std::string text;  // the line of the file, without its categories
  Expression left, right;
  Relation relation = Relation::kSame;
  DTypeSet dtypes{};  // the dtypes of x and y
};

/// Reads a text of identities, one a line. Throws UsageError with file, line and column.
std::vector<Identity> parse_identities(std::string_view text, std::string_view file_name);

/// The identities of cases/laws/identities.txt, as it was at build time.
const std::vector<Identity>& identities();

}  // namespace upcast
