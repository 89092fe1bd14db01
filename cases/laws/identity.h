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
    std::string keyword{};             // "" where positional
    std::string text{};                // a variable (x, y, m), or a literal of case notation
    std::vector<Expression> nested{};  // one element, if the argument is a call
  };
  std::string callable{};  // with or without overload: "pow"
  std::vector<Argument> arguments{};

  bool uses(std::string_view variable) const;
};

enum class Relation : std::uint8_t {
  kSame,     // =
  kAnswers,  // ~
  kOwes      // <-: the left side must answer if the right one does
};

struct Identity {
  std::string text;  // as it is written, without its categories
  Expression left, right;
  Relation relation = Relation::kSame;
  DTypeSet dtypes{};  // the dtypes of x and y
};

/// Reads identities. Throws UsageError with file, line and column.
std::vector<Identity> parse_identities(std::string_view text, std::string_view file_name);

/// The identities of cases/laws/identities.txt, as it was at build time.
const std::vector<Identity>& identities();

}  // namespace upcast
