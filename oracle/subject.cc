#include "oracle/subject.h"

#include <vector>

#include "impl/core/error.h"
#include "oracle/impl_subject.h"
#include "oracle/loaded_file.h"

namespace upcast {
namespace {

struct Row {
  std::string prefix;
  SubjectFactory factory;
};

/// The kinds of subject that this program can make. The list is filled before any subject is made.
std::vector<Row>& registry() {
  static std::vector<Row> rows{{"impl:cpu", &make_cpu_subject}, {"impl:meta", &make_meta_subject}};
  return rows;
}

}  // namespace

std::vector<std::string> Subject::programs() const {
  return {loaded_file(reinterpret_cast<const void*>(&register_subject))};
}

void register_subject(std::string_view prefix, SubjectFactory factory) {
  registry().push_back({std::string(prefix), factory});
}

std::unique_ptr<Subject> make_subject(const Side& side) {
  const std::string name = to_string(side);
  const std::string_view prefix = std::string_view(name).substr(0, name.find('?'));
  std::string known;
  for (const Row& row : registry()) {
    const bool is_open = row.prefix.ends_with(':') || row.prefix.ends_with('@');
    if (row.prefix == prefix || (is_open && name.starts_with(row.prefix))) return row.factory(side);
    known += (known.empty() ? "" : ", ") + row.prefix;
  }
  throw UsageError("unknown subject or oracle '" + name + "'; this build has " + known);
}

std::unique_ptr<Subject> make_subject(std::string_view name) {
  return make_subject(parse_side(name));
}

}  // namespace upcast
