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

/// Gathers cases into one request. What several of them have in common (a call, an operand, the
/// bytes of a storage) stands in it once.
class RequestWriter {
 public:
  /// `area` may be null: every tensor travels in the line.
  explicit RequestWriter(SharedArea* area) : area_(area) {}

  /// Starts the request with this number. Two of them are under way at a time, no more.
  void start(std::int64_t seq);
  /// Adds a case to the request. `id` comes back with its answer.
  void add(const Case& c, std::int64_t id);
  /// Calls that feed each other: one item, whose answer is that of the last call. What a call takes
  /// has the dtype and shape of the result before it.
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
  /// The tensors of a call; those that it writes become written_.
  std::vector<Tensor> make(const Case& c);
  void start_item(std::int64_t id);
  /// Adds a call: "call":0,"args":[0,1] and further keys. The operand at `taken`, if any, is the
  /// result of the call `before`.
  void add_call(const Case& c, int taken, std::size_t before, const std::vector<Tensor>& tensors);

  SharedArea* area_;
  std::size_t area_used_ = 0;
  std::int64_t seq_ = 0;
  int count_ = 0;
  CaseCall maker_;
  std::string calls_, storages_, operands_, items_;
  std::unordered_map<std::string, int> call_indices_;
  std::vector<const Storage*> written_;                   // written storages of the current item
  std::unordered_map<std::string, int> storage_indices_;  // by role and bytes
  std::unordered_map<std::string, int> operand_indices_;  // by text
};

/// The "hello" line: the first line that a process of this protocol gets.
std::string hello_line(const SharedArea* area);
/// The line that asks for a default dtype.
std::string configure_line(DType default_dtype);

/// A JSON string, quotes included.
std::string json_string(std::string_view text);

}  // namespace upcast::protocol
