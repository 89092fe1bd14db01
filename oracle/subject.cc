#include "oracle/subject.h"

#include <vector>

#include "impl/core/error.h"
#include "oracle/impl_subject.h"

namespace upcast {
namespace {

struct Row {
  std::string prefix;
  SubjectFactory factory;
};

/// The kinds of subject that this program holds. Filled once, before any subject is made.
std::vector<Row>& registry() {
  static std::vector<Row> rows{{"impl:cpu", &make_cpu_subject}, {"impl:meta", &make_meta_subject}};
  return rows;
}

}  // namespace

void register_subject(std::string_view prefix, SubjectFactory factory) {
  registry().push_back({std::string(prefix), factory});
}

std::unique_ptr<Subject> make_subject(std::string_view name) {
  const std::string_view prefix = name.substr(0, name.find('?'));
  std::string known;
  for (const Row& row : registry()) {
    const bool is_open = row.prefix.ends_with(':') || row.prefix.ends_with('@');
    if (row.prefix == prefix || (is_open && name.starts_with(row.prefix))) return row.factory(name);
    known += (known.empty() ? "" : ", ") + row.prefix;
  }
  throw UsageError("unknown subject or oracle '" + std::string(name) + "'; this build has " +
                   known);
}

}  // namespace upcast
