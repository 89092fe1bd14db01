// Property tests of packed columns: unpacking gives the columns back, and bytes that are no packed
// block are refused. They are not in the table of properties/, because this layer is above that
// one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reports/block_codec.h"

namespace upcast::reports {
namespace {

rc::Gen<AnswerByte> answer_bytes() {
  return rc::gen::suchThat(rc::gen::arbitrary<AnswerByte>(), &is_answer);
}

/// Draws the columns of a block, all of one length. Some blocks have rulings for some cases, others
/// have none.
BlockResult draw_block() {
  BlockResult block;
  const int count = *rc::gen::inRange(0, 300);
  block.count = count;
  const auto column = [count](auto gen) {
    return *rc::gen::container<std::vector<decltype(*gen)>>(static_cast<std::size_t>(count), gen);
  };
  for (const int verdict : column(rc::gen::inRange(0, static_cast<int>(kVerdictNames.size()))))
    block.verdict.push_back(static_cast<VerdictCode>(verdict));
  if (*rc::gen::arbitrary<bool>() && count > 0) {
    for (const int outcome : column(rc::gen::inRange(0, static_cast<int>(kOutcomeNames.size()))))
      block.ruling.push_back(static_cast<Ruling::Outcome>(outcome));
    block.ruling.back() = Ruling::Outcome::kSubjectIsOff;
  }
  block.known = column(rc::gen::arbitrary<std::uint8_t>());
  block.subject = column(answer_bytes());
  block.oracle = column(answer_bytes());
  return block;
}

BlockResult empty_block(std::int64_t count) {
  BlockResult block;
  block.count = count;
  return block;
}

bool same_columns(const BlockResult& a, const BlockResult& b) {
  return a.verdict == b.verdict && a.known == b.known && a.subject == b.subject &&
         a.oracle == b.oracle && a.ruling == b.ruling;
}

RC_GTEST_PROP(BlockCodec, UnpacksWhatItPacked, ()) {
  const BlockResult block = draw_block();
  BlockResult read = empty_block(block.count);
  RC_ASSERT(unpack_columns(pack_columns(block), read).empty());
  RC_ASSERT(same_columns(block, read));
}

RC_GTEST_PROP(BlockCodec, RefusesAFlippedBit, ()) {
  const BlockResult block = draw_block();
  std::string blob = pack_columns(block);
  const auto at = *rc::gen::inRange<std::size_t>(0, blob.size());
  blob[at] = static_cast<char>(blob[at] ^ (1 << *rc::gen::inRange(0, 8)));
  BlockResult read = empty_block(block.count);
  const std::string why = unpack_columns(blob, read);
  // Flipping a bit without a meaning may go unnoticed, but then the columns must be the same.
  RC_ASSERT(!why.empty() || same_columns(block, read));
  RC_CLASSIFY(!why.empty(), "refused");
}

RC_GTEST_PROP(BlockCodec, RefusesAnotherLength, ()) {
  const BlockResult block = draw_block();
  BlockResult read = empty_block(block.count + *rc::gen::inRange(1, 5));
  RC_ASSERT(!unpack_columns(pack_columns(block), read).empty());
}

RC_GTEST_PROP(BlockCodec, RefusesAnyBytes, (const std::string& bytes)) {
  BlockResult read = empty_block(7);
  RC_ASSERT(!unpack_columns(bytes, read).empty());
}

}  // namespace
}  // namespace upcast::reports
