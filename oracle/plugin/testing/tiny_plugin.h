/* A plug-in that adds contiguous float32 tensors of equal shapes, for test plug-ins in C that each
   do one thing wrong. It includes nothing of upcast but the ABI. */
#ifndef UPCAST_ORACLE_PLUGIN_TESTING_TINY_PLUGIN_H_
#define UPCAST_ORACLE_PLUGIN_TESTING_TINY_PLUGIN_H_

#include <stdlib.h>
#include <string.h>

#include "oracle/plugin/plugin.h"

typedef struct TinyResult {
  DLTensor tensor;
  const DLTensor* pointer;
  int64_t shape[8];
  int64_t strides[8];
  float* data;
} TinyResult;

static const char* tiny_describe(void) {
  return "{\"name\": \"tiny\", \"version\": \"1\",\n \"ops\": [\"add.Tensor\"], \"dtypes\": "
         "[\"float32\"]}";
}

static const float* tiny_data(const UpcastArgument* argument) {
  return (const float*)((const char*)argument->tensor->data + argument->tensor->byte_offset);
}

static int64_t tiny_count(const DLTensor* tensor) {
  int64_t count = 1;
  for (int d = 0; d < tensor->ndim; ++d) count *= tensor->shape[d];
  return count;
}

/* A result like the first argument; its own memory, or that of the tensor that the call writes. */
static TinyResult* tiny_result(const UpcastCall* call, UpcastReply* reply) {
  const DLTensor* like = call->arguments[0]->tensor;
  TinyResult* result = calloc(1, sizeof *result);
  result->tensor = *like;
  memcpy(result->shape, like->shape, (size_t)like->ndim * sizeof *like->shape);
  memcpy(result->strides, like->strides, (size_t)like->ndim * sizeof *like->strides);
  result->tensor.shape = result->shape;
  result->tensor.strides = result->strides;
  if (call->op->form == UPCAST_OUT) {
    result->tensor.data = call->out->tensor->data;
    result->tensor.byte_offset = call->out->tensor->byte_offset;
  } else if (call->op->form == UPCAST_FUNCTIONAL) {
    result->data = malloc((size_t)tiny_count(like) * sizeof(float) + 1);
    result->tensor.data = result->data;
    result->tensor.byte_offset = 0;
  }
  result->pointer = &result->tensor;
  reply->results = &result->pointer;
  reply->result_count = 1;
  reply->context = result;
  return result;
}

static int tiny_is_dense(const UpcastArgument* argument) {
  const DLTensor* tensor = argument->tensor;
  int64_t stride = 1;
  for (int d = tensor->ndim; d-- > 0; stride *= tensor->shape[d])
    if (tensor->shape[d] == 0 || (tensor->shape[d] != 1 && tensor->strides[d] != stride)) return 0;
  /* an inferred call has no storage */
  return tensor->data == NULL || argument->storage_size == (uint64_t)stride * sizeof(float);
}

static int tiny_same_shape(const UpcastArgument* a, const UpcastArgument* b) {
  return a->tensor->ndim == b->tensor->ndim &&
         memcmp(a->tensor->shape, b->tensor->shape, (size_t)a->tensor->ndim * sizeof(int64_t)) == 0;
}

static const char* tiny_supports(const UpcastCall* call) {
  const UpcastArgument* self = call->arguments[0];
  const UpcastArgument* other = call->arguments[1];
  if (self->kind != UPCAST_TENSOR || other->kind != UPCAST_TENSOR ||
      call->arguments[2]->kind != UPCAST_ABSENT)
    return "only tensors, and no alpha";
  if (!tiny_same_shape(self, other) || (call->out != NULL && !tiny_same_shape(self, call->out)))
    return "only equal shapes";
  if (!tiny_is_dense(self) || !tiny_is_dense(other) ||
      (call->out != NULL && !tiny_is_dense(call->out)))
    return "only dense tensors";
  return NULL;
}

static float* tiny_run(const UpcastCall* call, UpcastReply* reply) {
  TinyResult* result = tiny_result(call, reply);
  float* to = (float*)((char*)result->tensor.data + result->tensor.byte_offset);
  const int64_t count = tiny_count(&result->tensor);
  for (int64_t i = 0; i < count; ++i)
    to[i] = tiny_data(call->arguments[0])[i] + tiny_data(call->arguments[1])[i];
  return to;
}

static void tiny_release(UpcastReply* reply) {
  TinyResult* result = reply->context;
  if (result != NULL) free(result->data);
  free(result);
}

#define TINY_RESULT(reply) ((TinyResult*)(reply)->context)

#endif /* UPCAST_ORACLE_PLUGIN_TESTING_TINY_PLUGIN_H_ */
