// Writes both replies of a case in words.
#pragma once

#include <string>

#include "oracle/answer.h"
#include "oracle/verdict.h"

namespace upcast {

struct ReplyTexts {
  std::string subject, oracle;
};

/// The texts of both replies, each as Reply::text() writes it. If elements of long tensors have
/// different texts, both texts show these elements, from element `first` on.
ReplyTexts reply_texts(const Reply& subject, const Reply& oracle, std::size_t first);

/// The texts of both replies. If the verdict is about values, they begin with the element that the
/// verdict names.
ReplyTexts reply_texts(const Reply& subject, const Reply& oracle, const Verdict& verdict);

}  // namespace upcast
