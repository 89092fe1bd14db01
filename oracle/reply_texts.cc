#include "oracle/reply_texts.h"

namespace upcast {

ReplyTexts reply_texts(const Reply& subject, const Reply& oracle, const Verdict& verdict) {
  const auto& found = verdict.difference;
  const bool elements_differ = found && found->what == Difference::What::kElement &&
                               found->result == 0 && !subject.died() && !oracle.died();
  if (!elements_differ) return {subject.text(), oracle.text()};
  const Elements elements =
      differing_elements(subject.answer, oracle.answer, static_cast<std::size_t>(found->element));
  return {to_text(subject.answer, elements), to_text(oracle.answer, elements)};
}

}  // namespace upcast
