// Writes a measured finding as an object of cases/measured_findings.json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/findings/short_program.h"
#include "fuzz/findings/strongest.h"

namespace upcast::tools {

/// The text of a reply. Every NaN in it is written as `nan`, whatever its bits are.
std::string plain_text(Reply reply);

struct ShortPrograms {
  fuzz::ShortProgram python, cpp;
};

/// Without "versions".
nlohmann::ordered_json measured_json(const KnownDifference& entry, const fuzz::Reach& reach,
                                     const std::string& right, const ShortPrograms& programs);

/// Whether the finding `a` is worse than `b`. Both are objects that measured_json() made.
bool is_worse(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b);

}  // namespace upcast::tools
