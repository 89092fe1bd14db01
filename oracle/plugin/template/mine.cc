// A plug-in with two ops over float32 and int32. Replace `kOps` by calls of your own library.
#include <upcast/oracle/plugin/plugin.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace {

int32_t wrapped(uint32_t value) { return static_cast<int32_t>(value); }

// The ops of this plug-in, one in each row: PyTorch's name of the op, and the functions that
// compute one element.
struct Op {
  const char* name;
  float (*of_float32)(float, float);
  int32_t (*of_int32)(int32_t, int32_t);
};
const Op kOps[] = {{"add.Tensor", [](float a, float b) { return a + b; },
                    [](int32_t a, int32_t b) { return wrapped(uint32_t(a) + uint32_t(b)); }},
                   {"mul.Tensor", [](float a, float b) { return a * b; },
                    [](int32_t a, int32_t b) { return wrapped(uint32_t(a) * uint32_t(b)); }}};

constexpr const char* kManifest = R"({"name": "mine", "version": "1.0",
  "ops": ["add.Tensor", "mul.Tensor"], "forms": ["functional"], "dtypes": ["float32", "int32"]})";

const Op* find(const UpcastCall* call) {
  for (const Op& op : kOps)
    if (std::strcmp(op.name, call->op->callable) == 0) return &op;
  return nullptr;
}

// Why this plug-in does not answer the call; null if it answers. A call that is not supported is
// not judged, so it does not count as wrong.
const char* supports(const UpcastCall* call) {
  for (uint32_t i = 0; i < 2; ++i)
    if (call->arguments[i]->kind != UPCAST_TENSOR) return "numbers are not supported yet";
  if (call->argument_count > 2 && call->arguments[2]->kind != UPCAST_ABSENT)
    return "alpha is not supported yet";
  const DLTensor& a = *call->arguments[0]->tensor;
  const DLTensor& b = *call->arguments[1]->tensor;
  if (a.ndim != b.ndim || !std::equal(a.shape, a.shape + a.ndim, b.shape))
    return "broadcasting is not supported yet";
  if (a.dtype.code != b.dtype.code) return "mixed dtypes are not supported yet";
  int64_t stride = 1;  // the stride that a tensor without gaps has
  for (int d = a.ndim; d-- > 0; stride *= a.shape[d])
    if (a.shape[d] != 1 && (a.strides[d] != stride || b.strides[d] != stride))
      return "strides are not supported yet";
  return nullptr;
}

// The memory that a reply points to until release().
struct Result {
  DLTensor tensor{};
  const DLTensor* pointer = &tensor;
  std::vector<int64_t> shape;
  std::vector<char> data;
};

template <class T>
void compute(T (*op)(T, T), const DLTensor& a, const DLTensor& b, std::vector<char>& out) {
  const T* x = reinterpret_cast<const T*>(static_cast<const char*>(a.data) + a.byte_offset);
  const T* y = reinterpret_cast<const T*>(static_cast<const char*>(b.data) + b.byte_offset);
  T* to = reinterpret_cast<T*>(out.data());
  for (size_t i = 0; i < out.size() / sizeof(T); ++i) to[i] = op(x[i], y[i]);
}

void run(const UpcastCall* call, UpcastReply* reply) {
  const DLTensor& a = *call->arguments[0]->tensor;
  const DLTensor& b = *call->arguments[1]->tensor;
  auto result = std::make_unique<Result>();
  result->shape.assign(a.shape, a.shape + a.ndim);
  int64_t count = 1;
  for (const int64_t size : result->shape) count *= size;
  // The buffer has one byte more than the elements, because `data` must not be null even without
  // elements.
  result->data.resize(static_cast<size_t>(count) * 4 + 1);
  result->tensor.data = result->data.data();
  result->tensor.device = {kDLCPU, 0};
  result->tensor.ndim = a.ndim;
  result->tensor.dtype = a.dtype;
  result->tensor.shape = result->shape.data();  // strides stay null, which means without gaps
  const Op* op = find(call);
  if (a.dtype.code == kDLFloat)
    compute(op->of_float32, a, b, result->data);
  else
    compute(op->of_int32, a, b, result->data);
  reply->status = UPCAST_OK;
  reply->results = &result->pointer;
  reply->result_count = 1;
  reply->context = result.release();
}

void release(UpcastReply* reply) { delete static_cast<Result*>(reply->context); }

}  // namespace

const UpcastPlugin* upcast_plugin(uint32_t host_abi) {
  static const UpcastPlugin plugin = [] {
    UpcastPlugin made{};
    made.size = sizeof made;
    made.abi = UPCAST_PLUGIN_ABI;
    made.describe = [] { return kManifest; };
    made.run = run;
    made.release = release;
    made.supports = supports;
    return made;
  }();
  return host_abi == plugin.abi ? &plugin : nullptr;
}
