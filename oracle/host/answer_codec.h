// Encodes an Answer as bytes, for another process on this machine.
#pragma once

#include <string>
#include <string_view>

#include "oracle/answer.h"

namespace upcast {

std::string encode_answer(const Answer& answer);
/// Writes an answer's bytes into a text that may be reused.
void encode_answer(const Answer& answer, std::string& bytes);

/// Reads an answer and sets every field. Returns false if the bytes are not those of an answer.
bool decode_answer(std::string_view bytes, Answer& answer);

}  // namespace upcast
