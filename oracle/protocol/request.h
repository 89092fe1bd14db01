// Writes a request to run cases, a line of JSON (docs/process_protocol.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cases/chain.h"
#include "oracle/case_call.h"
#include "oracle/protocol/shared_area.h"

namespace upcast::protocol {

/// Gathers cases into one request. What several cases have in common (a call, an operand, the bytes
/// of a storage) is written once.
class RequestWriter {
 public:
  /// `area`: the shared memory for large tensors; null if every tensor goes into the line.
  explicit RequestWriter(SharedArea* area) : area_(area) {}

  /// Starts the request with this number. At most two requests may be under way, because each uses
  /// half of the shared area.
  void start(std::int64_t seq);
  /// Adds a case to the request. `id` is the number by which its answer is recognised.
  void add(const Case& c, std::int64_t id);
  /// Adds calls that feed each other as one item. Its answer is that of the last call. An operand
  /// that a call takes from the call before it has the dtype and shape of that call's result.
  void add(const Chain& chain, std::int64_t id);
  int count() const { return count_; }
  /// About how many bytes the line has so far.
  std::size_t size() const { return storages_.size() + operands_.size() + items_.size(); }
  /// Ends the request and returns its line.
  std::string finish();

 private:
  int call_index(const Case& c);
  int storage_index(const Storage& storage);
  /// The role of a storage: 0 if the calls only read it, else which of the written storages it is.
  char role_of(const Storage& storage) const;
  int operand_index(const Case& c, const Operand& operand, const Tensor& tensor);
  int tensor_index(const Case& c, const Operand& operand, const Tensor& tensor);
  int add_operand(std::string text);
  /// Makes the tensors of a call. The storages that the call writes are added to written_.
  std::vector<Tensor> make(const Case& c);
  void start_item(std::int64_t id);
  /// Adds a call to the current item: "call":0,"args":[0,1] and further keys. The operand at
  /// position `taken`, if any, is the result of the call with number `before`.
  void add_call(const Case& c, int taken, std::size_t before, const std::vector<Tensor>& tensors);

  SharedArea* area_;
  std::size_t area_used_ = 0;
  std::int64_t seq_ = 0;
  int count_ = 0;
  CaseCall maker_;
  std::string calls_, storages_, operands_, items_;
  std::unordered_map<std::string, int> call_indices_;
  // The storages that calls of the current item write.
  std::vector<const Storage*> written_;
  // {role and bytes: the storage's number in the request}.
  std::unordered_map<std::string, int> storage_indices_;
  // {text: the operand's number in the request}.
  std::unordered_map<std::string, int> operand_indices_;
};

/// The "hello" line: the first line that a process of this protocol gets.
std::string hello_line(const SharedArea* area);
/// The line that sets a default dtype.
std::string configure_line(DType default_dtype);

/// A JSON string, quotes included.
std::string json_string(std::string_view text);

}  // namespace upcast::protocol
