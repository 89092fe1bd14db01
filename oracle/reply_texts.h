// Writes both replies of a case in words.
#pragma once

#include <string>

#include "oracle/answer.h"
#include "oracle/verdict.h"

namespace upcast {

struct ReplyTexts {
  std::string subject, oracle;
};

/// As Reply::text(). If elements of long tensors have different texts, both texts show these
/// elements, from `first` on.
ReplyTexts reply_texts(const Reply& subject, const Reply& oracle, std::size_t first);

/// As above. If the verdict is about values, the texts start with the element that it names.
ReplyTexts reply_texts(const Reply& subject, const Reply& oracle, const Verdict& verdict);

}  // namespace upcast
