// Both replies of a case, in words.
#pragma once

#include <string>

#include "oracle/answer.h"
#include "oracle/verdict.h"

namespace upcast {

struct ReplyTexts {
  std::string subject, oracle;
};

/// As Reply::text(); where elements of long tensors do not print alike, both texts show these, from
/// the element `first` on.
ReplyTexts reply_texts(const Reply& subject, const Reply& oracle, std::size_t first);

/// The same where values are what the verdict is about: from the element that it tells.
ReplyTexts reply_texts(const Reply& subject, const Reply& oracle, const Verdict& verdict);

}  // namespace upcast
