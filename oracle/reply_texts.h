// Both replies of a case, in words.
#pragma once

#include <string>

#include "oracle/answer.h"
#include "oracle/verdict.h"

namespace upcast {

struct ReplyTexts {
  std::string subject, oracle;
};

/// As Reply::text(); where elements of long tensors differ, both texts show these, from the one
/// that the verdict tells.
ReplyTexts reply_texts(const Reply& subject, const Reply& oracle, const Verdict& verdict);

}  // namespace upcast
