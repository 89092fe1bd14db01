#include "impl/ops/call.h"

namespace upcast {

const Argument& Call::argument(std::string_view parameter) const {
  static const Argument kAbsent;
  const int index = schema->find(parameter);
  return index < 0 ? kAbsent : arguments[index];
}

Number Call::number(std::string_view parameter, Number otherwise) const {
  const Argument& found = argument(parameter);
  return found.tag == Argument::Tag::kNumber ? found.number : otherwise;
}

}  // namespace upcast
