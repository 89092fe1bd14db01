#include "oracle/reply_texts.h"

namespace upcast {

ReplyTexts reply_texts(const Reply& subject, const Reply& oracle, std::size_t first) {
  if (subject.died() || oracle.died()) return {subject.text(), oracle.text()};
  const Elements shown = differing_elements(subject.answer, oracle.answer, first);
  return {to_text(subject.answer, shown), to_text(oracle.answer, shown)};
}

ReplyTexts reply_texts(const Reply& subject, const Reply& oracle, const Verdict& verdict) {
  const auto& found = verdict.difference;
  const bool elements_differ =
      found && found->what == Difference::What::kElement && found->result == 0;
  if (!elements_differ) return {subject.text(), oracle.text()};
  return reply_texts(subject, oracle, static_cast<std::size_t>(found->element));
}

}  // namespace upcast
