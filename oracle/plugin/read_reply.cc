#include "oracle/plugin/read_reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "cases/counted.h"
#include "cases/limits.h"
#include "cases/text_cursor.h"
#include "cases/visible.h"
#include "impl/tensor/for_each_offset.h"
#include "impl/tensor/memory_format.h"
#include "oracle/plugin/dlpack_dtype.h"

namespace upcast {
namespace {

// The most dimensions of a result. No case has nearly as many, so a larger number is a fault in the
// reply.
constexpr int kMaxDimensions = 1024;
/// The most bytes of an answer with more elements than the broadcast shape of its operands. Some
/// ops repeat their operands, so that such an answer may be right.
constexpr std::int64_t kLargeAnswer = std::int64_t{64} << 20;

constexpr std::uint32_t kKnownFlags = UPCAST_STRIDES_NOT_JUDGED;

/// Thrown for a fault in a reply; `why` says what is wrong.
struct Broken {
  std::string why;
};

/// The text of a reply; `otherwise` if the reply has none.
std::string text_of(const UpcastReply& reply, std::string_view otherwise) {
  if (reply.text == nullptr) return std::string(otherwise);
  const std::string_view text(reply.text, strnlen(reply.text, kMaxPeerText + 1));
  if (text.size() > kMaxPeerText)
    throw Broken{fmt::format("its text has more than 64 KiB: '{}'", visible(beginning(text)))};
  return visible(text);
}

/// The number of elements of a shape; nothing if that number does not fit 63 bits.
std::optional<std::int64_t> count_of(const Dims& sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes)
    if (__builtin_mul_overflow(count, size, &count)) return std::nullopt;
  return count;
}

/// The number of elements to which the operands and out broadcast, or a larger number.
std::int64_t broadcast_count(const Case& c) {
  Dims largest;
  const auto take = [&largest](const Operand& operand) {
    if (operand.tag != Operand::Tag::kTensor) return;
    if (operand.sizes.size() > largest.size())
      largest.insert(largest.begin(), operand.sizes.size() - largest.size(), 1);
    const std::size_t first = largest.size() - operand.sizes.size();
    for (std::size_t d = 0; d < operand.sizes.size(); ++d)
      largest[first + d] = std::max(largest[first + d], operand.sizes[d]);
  };
  for (const Operand& argument : c.arguments) take(argument);
  take(c.out);
  return count_of(largest).value_or(0);
}

/// Precondition: the tensor has elements. An empty one may have null as its data.
const std::byte* first_element(const DLTensor& tensor) {
  return static_cast<const std::byte*>(tensor.data) + tensor.byte_offset;
}

/// Copies the elements of a tensor to the answer, in logical order.
void copy_elements(const DLTensor& tensor, const Answer& shape, std::vector<std::byte>& bytes) {
  const auto size = static_cast<std::size_t>(itemsize(shape.dtype));
  const std::int64_t count = numel(shape.sizes);
  bytes.resize(static_cast<std::size_t>(count) * size);
  if (count == 0) return;
  const std::byte* const data = first_element(tensor);
  if (is_contiguous(shape.sizes, shape.strides)) {
    std::memcpy(bytes.data(), data, bytes.size());
    return;
  }
  for_each_offset(shape.sizes, shape.strides, [&](std::int64_t i, std::int64_t at) {
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * size,
                data + at * static_cast<std::int64_t>(size), size);
  });
}

/// Reads dtype, sizes and strides of a tensor. Throws Broken if one of them is impossible in
/// itself.
void read_shape(const DLTensor& tensor, Answer& answer) {
  const std::optional<DType> dtype = from_dlpack(tensor.dtype);
  if (!dtype || *dtype == DType::kUndefined)
    throw Broken{
        fmt::format("its result has the dtype {{code {}, bits {}, lanes {}}}, which does not exist",
                    tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes)};
  if (tensor.ndim < 0 || tensor.ndim > kMaxDimensions)
    throw Broken{fmt::format("its result has {} dimensions", tensor.ndim)};
  if (tensor.ndim > 0 && tensor.shape == nullptr)
    throw Broken{"its result has dimensions, but its shape is null"};
  answer.dtype = *dtype;
  answer.sizes.assign(tensor.shape, tensor.shape + tensor.ndim);
  for (const std::int64_t size : answer.sizes)
    if (size < 0) throw Broken{fmt::format("its result has a size of {}", size)};
  if (!count_of(answer.sizes)) throw Broken{"its result has more elements than memory can hold"};
  if (tensor.strides == nullptr)
    answer.strides = contiguous_strides(answer.sizes);
  else
    answer.strides.assign(tensor.strides, tensor.strides + tensor.ndim);
}

void check_size(const Case& c, const Answer& answer) {
  const std::int64_t count = numel(answer.sizes);
  if (count > kLargeAnswer / std::max(itemsize(answer.dtype), 1) && count > broadcast_count(c))
    throw Broken{fmt::format("its result has {}, its operands broadcast to {}",
                             counted(count, "element"), grouped(broadcast_count(c)))};
}

/// Checks that a result which must be an argument, self in place or out, is that argument.
void check_written(const DLTensor& given, const DLTensor& result, const Answer& answer) {
  if (!std::equal(answer.sizes.begin(), answer.sizes.end(), given.shape, given.shape + given.ndim))
    return;  // a resized output may lie in other memory
  if (numel(answer.sizes) > 0 && first_element(result) != first_element(given))
    throw Broken{"it returned another tensor than the one that it was to write"};
  for (std::size_t d = 0; d < answer.sizes.size(); ++d)
    if (answer.sizes[d] > 1 && answer.strides[d] != given.strides[d])
      throw Broken{"it returned the tensor that it was to write with other strides"};
}

/// Whether the functional form may return a view of an operand. It may if the schema says so
/// (real). A composition may too, because it may return an operand itself (conj_physical of real
/// numbers).
bool may_alias(const Case& c) {
  return c.op->compose != nullptr || c.schema().returns.find("(a)") != std::string_view::npos;
}

void read_result(const Case& c, const PluginCall& call, const UpcastReply& reply, int output,
                 bool inferred, Answer& answer) {
  const DLTensor* result = reply.results[output];
  if (result == nullptr) throw Broken{fmt::format("its result {} is null", output)};
  answer.tag = Answer::Tag::kTensor;
  answer.without_values = inferred;
  answer.without_strides = (reply.flags & UPCAST_STRIDES_NOT_JUDGED) != 0;
  answer.leeway.clear();
  answer.bytes.clear();
  read_shape(*result, answer);
  if (inferred) return;
  check_size(c, answer);
  // Reads the device as an int, because a plug-in may have written a number that is none of the
  // enum's.
  std::int32_t device = 0;
  std::memcpy(&device, &result->device.device_type, sizeof device);
  if (device != kDLCPU)
    throw Broken{
        fmt::format("its result is on a device of DLPack's type {}, not on the CPU", device)};
  if (result->data == nullptr && numel(answer.sizes) > 0)
    throw Broken{"its result has elements, but its data is null"};
  if (const DLTensor* given = call.written(output)) {
    check_written(*given, *result, answer);
  } else if (numel(answer.sizes) > 0 && !may_alias(c)) {
    if (const auto name = call.argument_at(first_element(*result)); !name.empty())
      throw Broken{fmt::format("its result is in the memory of '{}', and not a new tensor", name)};
  }
  copy_elements(*result, answer, answer.bytes);
}

void read_results(const Case& c, const PluginCall& call, const UpcastReply& reply, bool inferred,
                  Answer& answer) {
  const auto expected = static_cast<std::uint32_t>(c.op->output_count());
  if (reply.result_count != expected || reply.results == nullptr)
    throw Broken{fmt::format("it returned {}{}, not {}", counted(reply.result_count, "result"),
                             reply.results == nullptr ? " at null" : "", expected)};
  read_result(c, call, reply, 0, inferred, answer);
  answer.further.resize(expected - 1);
  for (std::uint32_t i = 1; i < expected; ++i)
    read_result(c, call, reply, static_cast<int>(i), inferred, answer.further[i - 1]);
}

void read_ok(const Case& c, const PluginCall& call, const UpcastReply& reply, bool inferred,
             Answer& answer) {
  if ((reply.flags & ~kKnownFlags) != 0)
    throw Broken{fmt::format("its flags are {:#x}, but this upcast knows only {:#x}", reply.flags,
                             kKnownFlags)};
  answer.detail.clear();
  answer.further.clear();
  if (c.schema().returns != "ScalarType") return read_results(c, call, reply, inferred, answer);
  const std::optional<DType> dtype = from_dlpack(reply.dtype);
  if (!dtype)
    throw Broken{
        fmt::format("it answers the dtype {{code {}, bits {}, lanes {}}}, which does not exist",
                    reply.dtype.code, reply.dtype.bits, reply.dtype.lanes)};
  answer.tag = Answer::Tag::kDType;
  answer.dtype = *dtype;
}

}  // namespace

void read_reply(const Case& c, const PluginCall& call, const UpcastReply& reply, bool inferred,
                Answer& answer) try {
  answer.without_values = false;
  answer.without_strides = false;
  switch (reply.status) {
    case UPCAST_OK:
      return read_ok(c, call, reply, inferred, answer);
    case UPCAST_REFUSED:
      answer.tag = Answer::Tag::kRefusal;
      answer.rejection = rejection_of(reply.rejection == nullptr ? "" : reply.rejection);
      answer.detail = text_of(reply, "");
      return;
    case UPCAST_NOT_JUDGED:
      return decline(text_of(reply, "no reason given"), answer);
    default:
      throw Broken{fmt::format("its status is {}, which does not exist", reply.status)};
  }
} catch (Broken& broken) {
  answer = {};  // drops sizes that may be broken, because answer_codec would reject them
  answer.tag = Answer::Tag::kBroken;
  answer.detail = std::move(broken.why);
}

}  // namespace upcast
