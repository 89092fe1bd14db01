/* The C ABI of a plug-in: any implementation of elementwise ops, as upcast asks it for answers.
 *
 * A plug-in is a shared library with one exported symbol, upcast_plugin(). upcast loads it into a
 * process of its own, so that it may crash, hang or print without harm, and judges its answers:
 *
 *   upcast run --grid promotion --subject plugin:./libmine.so --oracle libtorch:cpu
 *
 * C11, and DLPack's header of any version. Tensors are DLTensors: `data` is where the storage
 * begins, `byte_offset` where the first element is, strides (never null from upcast) count
 * elements. Tensors that share storage have equal `data`. All tensors lie on the CPU, and so must
 * results; a backend on a GPU copies a storage (`storage_size` bytes at `data`) there, and back
 * what the call writes.
 *
 * Every struct begins with its size in the writer's version. Fields are only ever added at an end;
 * a field beyond the size is not there. UPCAST_PLUGIN_ABI goes up where that is not enough.
 *
 * Calls come one at a time, from one thread. What the host passes lives until the call returns;
 * what a reply points to lives until release().
 */
#ifndef UPCAST_ORACLE_PLUGIN_PLUGIN_H_
#define UPCAST_ORACLE_PLUGIN_PLUGIN_H_

#include <dlpack/dlpack.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UPCAST_PLUGIN_ABI 1u

/* DLDataType::code, after DLPack's first (kDLInt, kDLUInt, kDLFloat, kDLBfloat, kDLComplex).
 */
enum UpcastTypeCode {
  /* Those of DLPack 1.1, which older headers lack. One lane, but float4_e2m1fn_x2 has two. */
  UPCAST_TYPE_BOOL = 6,
  UPCAST_TYPE_FLOAT8_E4M3FN = 10,
  UPCAST_TYPE_FLOAT8_E4M3FNUZ = 11,
  UPCAST_TYPE_FLOAT8_E5M2 = 12,
  UPCAST_TYPE_FLOAT8_E5M2FNUZ = 13,
  UPCAST_TYPE_FLOAT8_E8M0FNU = 14,
  UPCAST_TYPE_FLOAT4_E2M1FN = 17,
  /* What DLPack has no code for (bcomplex32, quantized, sub-byte, bits): `bits` holds the number
     of the c10::ScalarType. */
  UPCAST_TYPE_C10 = 128
};

enum UpcastForm {
  UPCAST_FUNCTIONAL = 0, /* returns new tensors */
  UPCAST_IN_PLACE = 1,   /* writes its first tensor argument, and returns it */
  UPCAST_OUT = 2         /* writes `out`, and returns it; resizes it where its shape differs */
};

/* An overload in a form. The same pointer and id for the same one as long as the process lives.
   An alias is an op of its own: name "multiply" for multiply.Tensor, and a manifest with "mul"
   alone is not asked it. */
typedef struct UpcastOp {
  uint32_t size;
  uint32_t id;          /* 0, 1, 2, ...: for a table that the plug-in may keep */
  uint32_t form;        /* UpcastForm */
  const char* name;     /* "add" */
  const char* overload; /* "Tensor", may be "" */
  const char* callable; /* "add.Tensor", "add_.Tensor", "add.out" */
  const char*
      schema; /* functional: "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor" */
} UpcastOp;

enum UpcastKind {
  UPCAST_ABSENT = 0, /* left to the schema's default */
  UPCAST_TENSOR = 1,
  UPCAST_NUMBER = 2,   /* a wrapped number where the parameter is a Tensor, else an attribute */
  UPCAST_DTYPE = 3,    /* promote_types(int8, float32) */
  UPCAST_TEXT = 4,     /* rounding_mode="trunc" */
  UPCAST_NONE = 5,     /* None */
  UPCAST_UNDEFINED = 6 /* an undefined tensor */
};

enum UpcastArgumentFlags {
  UPCAST_WRAPPED = 1,  /* a number in a Tensor slot */
  UPCAST_READ_ONLY = 2 /* a tensor that the call must not write; upcast looks */
};

/* One argument. dtype: of the number (bool, int64, uint64, float64, complex128), or the dtype
   itself. */
typedef struct UpcastArgument {
  uint32_t size;
  uint32_t kind;  /* UpcastKind */
  uint32_t flags; /* UpcastArgumentFlags */
  DLDataType dtype;
  const char* name;       /* the schema's: "self", "alpha"; "out" */
  const DLTensor* tensor; /* UPCAST_TENSOR */
  uint64_t storage_size;  /* bytes of the storage that begins at tensor->data */
  union {
    uint8_t b;
    int64_t i;
    uint64_t u;
    double f[2]; /* complex128: real, imaginary */
  } number;
  const char* text; /* UPCAST_TEXT */
} UpcastArgument;

typedef struct UpcastCall {
  uint32_t size;
  uint32_t argument_count; /* one for each parameter of the schema, in its order */
  const UpcastOp* op;
  const UpcastArgument* const* arguments;
  const UpcastArgument* out;        /* UPCAST_OUT, else null */
  const UpcastArgument* second_out; /* of an op with two results (frexp) */
  DLDataType default_dtype;         /* the floating one: float32, float64, float16, bfloat16 */
} UpcastCall;

enum UpcastStatus {
  UPCAST_OK = 0,
  UPCAST_REFUSED = 1,   /* the operator does not take these operands: a normal answer */
  UPCAST_NOT_JUDGED = 2 /* this implementation cannot say; `text` tells why ("no such op") */
};

enum UpcastReplyFlags {
  UPCAST_STRIDES_NOT_JUDGED = 1 /* strides say where the elements are, and are not compared */
};

/* What a call yields. The host sets size, zeroes the rest, and calls release() once after run() or
   infer(), whatever the status. */
typedef struct UpcastReply {
  uint32_t size;
  uint32_t status;  /* UpcastStatus */
  const char* text; /* of a refusal, or why not judged; may be null */
  const char*
      rejection;                  /* of a refusal: "unsupported_dtype", "promotion", "result_cast",
                                     "dtype_mismatch", "shape_mismatch", "bad_attribute", "attribute_overflow",
                                     "zero_division", "memory_overlap", "undefined_operand", "device_mismatch",
                                     "other"; shown, not judged; may be null */
  const DLTensor* const* results; /* in place and out=: over the storage of what was written */
  uint32_t result_count;
  DLDataType dtype; /* the answer of an op that returns a dtype (promote_types) */
  void* context;    /* the plug-in's own, for release() */
  uint32_t flags;   /* UpcastReplyFlags. Upcast 0.1.0 and before lack the field: set it only where
                       size >= offsetof(UpcastReply, flags) + sizeof(uint32_t) */
} UpcastReply;

typedef struct UpcastPlugin {
  uint32_t size;
  uint32_t abi; /* UPCAST_PLUGIN_ABI */
  /* The manifest as JSON: {"name": "mine", "version": "1.2", "dtypes": [...], "ops": [...],
     "forms": [...], "devices": ["cpu"]} (docs/schemas/manifest.schema.json). Lives on. "devices" is
     where tensors of a call may lie, not where it computes: "cpu", and "meta" for infer. */
  const char* (*describe)(void);
  void (*run)(const UpcastCall* call, UpcastReply* reply);
  /* Frees what a reply points to. May be null. */
  void (*release)(UpcastReply* reply);
  /* As run, for dtype, shape and strides alone: data pointers are null, in both directions. Asked
     by plugin:FILE?device=meta. May be null. */
  void (*infer)(const UpcastCall* call, UpcastReply* reply);
  /* Null where it answers the call, else why not: "no such dtype: int8". Asked before run and
     infer, for what the manifest does not say. May be null. */
  const char* (*supports)(const UpcastCall* call);
  /* The settings after plugin:FILE?, as JSON: {"threads": "4"}. Null, or what is wrong with them.
     May be null: then there are none. */
  const char* (*configure)(const char* json);
} UpcastPlugin;

#if defined(_WIN32)
#define UPCAST_PLUGIN_EXPORT __declspec(dllexport)
#else
#define UPCAST_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

/* The one exported symbol. `host_abi`: the UPCAST_PLUGIN_ABI of the host. Null where the plug-in
   cannot serve it. */
UPCAST_PLUGIN_EXPORT const UpcastPlugin* upcast_plugin(uint32_t host_abi);

#ifdef __cplusplus
}
#endif

#endif /* UPCAST_ORACLE_PLUGIN_PLUGIN_H_ */
