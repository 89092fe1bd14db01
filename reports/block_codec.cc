#include "reports/block_codec.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

#include "impl/core/error.h"

namespace upcast::reports {
namespace {

constexpr int kCompressionLevel = 3;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

/// How many low bits of a verdict's byte hold the verdict's code. The bits above them hold the
/// outcome of a ruling.
constexpr int kOutcomeShift = 5;
constexpr uint8_t kCodeMask = (1 << kOutcomeShift) - 1;
static_assert(kVerdictNames.size() <= kCodeMask + 1u && kOutcomeNames.size() <= 8);

void append_verdicts(std::string& bytes, const BlockResult& block) {
  for (size_t i = 0; i < block.verdict.size(); ++i) {
    const int outcome = block.ruling.empty() ? 0 : static_cast<int>(block.ruling[i]);
    bytes += static_cast<char>(static_cast<int>(block.verdict[i]) | outcome << kOutcomeShift);
  }
}

void assign_verdicts(std::string_view bytes, BlockResult& block) {
  block.verdict.clear();
  block.ruling.clear();
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    block.verdict.push_back(static_cast<VerdictCode>(byte & kCodeMask));
    if (byte <= kCodeMask) continue;
    block.ruling.resize(bytes.size());
    block.ruling[i] = static_cast<Ruling::Outcome>(byte >> kOutcomeShift);
  }
}

template <class Byte>
void append(std::string& bytes, const std::vector<Byte>& column) {
  bytes.append(reinterpret_cast<const char*>(column.data()), column.size());
}

template <class Byte>
void assign(std::vector<Byte>& column, std::string_view bytes) {
  const auto* data = reinterpret_cast<const Byte*>(bytes.data());
  column.assign(data, data + bytes.size());
}

}  // namespace

std::string pack_columns(const BlockResult& block) {
  std::string bytes;
  bytes.reserve(4 * block.count);
  append_verdicts(bytes, block);
  append(bytes, block.known);
  append(bytes, block.subject);
  append(bytes, block.oracle);
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompressionLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string blob(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size =
      ZSTD_compress2(context.get(), blob.data(), blob.size(), bytes.data(), bytes.size());
  check(ZSTD_isError(size) == 0, "the buffer has zstd's own bound");
  blob.resize(size);
  return blob;
}

std::string unpack_columns(std::string_view blob, BlockResult& block) {
  const auto count = static_cast<size_t>(block.count);
  std::string bytes(4 * count, '\0');
  const size_t size = ZSTD_decompress(bytes.data(), bytes.size(), blob.data(), blob.size());
  if (ZSTD_isError(size) != 0)
    return fmt::format("block {}: {}", block.id, ZSTD_getErrorName(size));
  if (size != bytes.size()) {
    return fmt::format("block {}: {} bytes of columns instead of {}", block.id, size, 4 * count);
  }
  const std::string_view columns = bytes;
  assign_verdicts(columns.substr(0, count), block);
  assign(block.known, columns.substr(count, count));
  assign(block.subject, columns.substr(2 * count, count));
  assign(block.oracle, columns.substr(3 * count, count));
  const auto is_verdict = [](VerdictCode v) {
    return static_cast<size_t>(v) < kVerdictNames.size();
  };
  const auto is_outcome = [](Ruling::Outcome outcome) {
    return static_cast<size_t>(outcome) < kOutcomeNames.size();
  };
  if (!std::all_of(block.verdict.begin(), block.verdict.end(), is_verdict) ||
      !std::all_of(block.ruling.begin(), block.ruling.end(), is_outcome) ||
      !std::all_of(block.subject.begin(), block.subject.end(), is_answer) ||
      !std::all_of(block.oracle.begin(), block.oracle.end(), is_answer)) {
    return fmt::format("block {}: a byte that stands for nothing", block.id);
  }
  return "";
}

}  // namespace upcast::reports
