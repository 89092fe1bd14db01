/* A plug-in with one thing wrong: DEED, a function of the call. C11, as a plug-in may be. Compiled
   once for each, with -DUPCAST_DEED_<NAME>. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <xmmintrin.h>

#include "oracle/plugin/testing/tiny_plugin.h"

/* Wrong for four elements alone, so that the other cases of a run show that it goes on. */
static int is_bad_case(const UpcastCall* call) {
  return tiny_count(call->arguments[0]->tensor) == 4;
}

#if defined(DEED_writes_over_shared_memory) || defined(DEED_writes_over_shared_memory_when_loaded)
/* All of it that is shared with another process and writable. */
static void write_over_shared_memory(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long from = 0, to = 0;
    if (sscanf(line, "%lx-%lx rw-s", &from, &to) == 2 && strstr(line, "rw-s") != NULL)
      memset((void*)from, 0xff, to - from);
  }
  fclose(maps);
}
#endif

#if defined(DEED_starts_threads) || defined(DEED_starts_threads_when_loaded)
static void* thread(void* nothing) {
  for (;;) sleep(1);
  return nothing;
}
#elif defined(DEED_is_killed_soon)
/* As by the kernel, short of memory. Loading takes some milliseconds, making the plan of a large
   grid half a second. */
static void* thread(void* nothing) {
  usleep(100000);
  kill(getpid(), SIGKILL);
  return nothing;
}
#elif defined(DEED_writes_later)
/* Over the operand of a call that has returned, while later calls are at work. */
static void* thread(void* operand) {
  for (int i = 0; i < 100; ++i) {
    usleep(1000);
    memset(operand, 0x7f, 16);
  }
  return NULL;
}
#elif defined(DEED_swallows_signals)
static void swallow(int number) { (void)number; }
#elif defined(DEED_overflows_the_stack)
static int recurse(volatile int* above) {
  volatile int here[1024];
  here[0] = *above + 1;
  return here[0] < 0 ? 0 : recurse(here) + here[0];
}
#elif defined(DEED_throws) || defined(DEED_terminates)
void do_what_only_cxx_does(void); /* only_cxx.cc */
#endif

#if defined(DEED_guards_its_claim) || defined(DEED_guards_and_claims_more)
/* Dies of what the manifest of tiny_describe() does not name. */
static void guard(const UpcastCall* call) {
  if (strcmp(call->op->name, "add") != 0 || strcmp(call->op->overload, "Tensor") != 0) abort();
  if (call->default_dtype.code != kDLFloat || call->default_dtype.bits != 32) abort();
  for (uint32_t i = 0; i < call->argument_count; ++i) {
    const UpcastArgument* argument = call->arguments[i];
    if (argument->kind == UPCAST_TENSOR &&
        (argument->dtype.code != kDLFloat || argument->dtype.bits != 32))
      abort();
  }
}
#endif

#if defined(DEED_blocks_signals) || defined(DEED_blocks_signals_when_loaded)
static void block_signals(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
}
#endif

static void run(const UpcastCall* call, UpcastReply* reply) {
#if defined(DEED_writes_later)
  usleep(5000); /* so that what is written meanwhile would change the answer */
#endif
  float* to = tiny_run(call, reply);
  (void)to;
#if defined(DEED_leaks)
  reply->context = NULL; /* release() then frees nothing */
#endif
  if (!is_bad_case(call)) return;
#if defined(DEED_segfault)
  volatile int* volatile nowhere = NULL;
  *nowhere = 1;
#elif defined(DEED_abort)
  fputs("the plug-in gives up\n", stderr);
  abort();
#elif defined(DEED_endless_loop)
  for (;;) sleep(1);
#elif defined(DEED_exit)
  exit(3);
#elif defined(DEED_exit_with_success)
  exit(0);
#elif defined(DEED_wrong_dtype)
  TINY_RESULT(reply)->tensor.dtype.code = 99;
#elif defined(DEED_other_dtype)
  TINY_RESULT(reply)->tensor.dtype.code = kDLInt;
#elif defined(DEED_wrong_shape)
  TINY_RESULT(reply)->shape[0] = 2;
#elif defined(DEED_negative_shape)
  TINY_RESULT(reply)->shape[0] = -3;
#elif defined(DEED_many_dimensions)
  TINY_RESULT(reply)->tensor.ndim = 2000;
#elif defined(DEED_null_shape)
  TINY_RESULT(reply)->tensor.shape = NULL;
#elif defined(DEED_huge_shape)
  TINY_RESULT(reply)->tensor.ndim = 2;
  TINY_RESULT(reply)->shape[0] = INT64_MAX;
  TINY_RESULT(reply)->shape[1] = INT64_MAX;
#elif defined(DEED_gigabyte)
  TINY_RESULT(reply)->shape[0] = 1 << 28;
  free(TINY_RESULT(reply)->data);
  TINY_RESULT(reply)->data = malloc((size_t)1 << 30);
  TINY_RESULT(reply)->tensor.data = TINY_RESULT(reply)->data;
#elif defined(DEED_other_strides) || \
    defined(DEED_strides_not_judged) /* the same elements, by columns */
  if (call->arguments[0]->tensor->ndim == 2) {
    const float second = to[1];
    to[1] = to[2];
    to[2] = second;
    TINY_RESULT(reply)->strides[0] = 1;
    TINY_RESULT(reply)->strides[1] = 2;
  }
#if defined(DEED_strides_not_judged)
  reply->flags = UPCAST_STRIDES_NOT_JUDGED;
#endif
#elif defined(DEED_no_such_flag)
  reply->flags = 6;
#elif defined(DEED_wrong_value)
  to[1] += 1;
#elif defined(DEED_writes_after_out)
  if (call->op->form == UPCAST_OUT) to[4] = 1;
#elif defined(DEED_writes_before_out)
  if (call->op->form == UPCAST_OUT) to[-1] = 1;
#elif defined(DEED_writes_an_input)
  ((float*)call->arguments[1]->tensor->data)[0] = 7;
#elif defined(DEED_returns_null)
  reply->results = NULL;
#elif defined(DEED_null_result)
  TINY_RESULT(reply)->pointer = NULL;
#elif defined(DEED_null_data)
  TINY_RESULT(reply)->tensor.data = NULL;
#elif defined(DEED_no_results)
  reply->result_count = 0;
#elif defined(DEED_aliases_input)
  TINY_RESULT(reply)->tensor.data = call->arguments[0]->tensor->data;
#elif defined(DEED_other_tensor_for_out)
  if (call->op->form == UPCAST_OUT) {
    TINY_RESULT(reply)->data = malloc(64);
    TINY_RESULT(reply)->tensor.data = TINY_RESULT(reply)->data;
  }
#elif defined(DEED_other_device)
  TINY_RESULT(reply)->tensor.device.device_type = kDLCUDA;
#elif defined(DEED_no_such_status)
  reply->status = 7;
#elif defined(DEED_hoards)
  enum { kBytes = 600 << 20, kPage = 4096 };
  /* volatile: the compiler would remove stores that are never read. A byte of each page is enough
     to hold it, and quick under sanitizers. */
  static volatile char* volatile hoard[64];
  static int count = 0;
  volatile char* memory = hoard[count++ % 64] = malloc(kBytes);
  for (size_t at = 0; at < kBytes; at += kPage) memory[at] = 1;
#elif defined(DEED_grows_without_end)
  for (;;) memset(malloc((size_t)16 << 20), 1, (size_t)16 << 20);
#elif defined(DEED_asks_for_too_much)
  volatile char* volatile huge = malloc((size_t)1 << 44);
  huge[0] = 1;
#elif defined(DEED_starts_threads) || defined(DEED_writes_later)
  pthread_t started;
  pthread_create(&started, NULL, thread, call->arguments[0]->tensor->data);
  pthread_detach(started);
#elif defined(DEED_swallows_signals)
  for (int number = 1; number < 32; ++number) signal(number, swallow);
  volatile int* volatile nowhere = NULL;
  *nowhere = 1;
#elif defined(DEED_lowers_limits)
  const struct rlimit nothing = {0, 0};
  setrlimit(RLIMIT_NOFILE, &nothing);
  setrlimit(RLIMIT_FSIZE, &nothing);
  setrlimit(RLIMIT_NPROC, &nothing);
#elif defined(DEED_changes_folder)
  if (chdir("/") == 0) umask(0777);
#elif defined(DEED_leaves_timers)
  const struct itimerval soon = {{0, 1000}, {0, 1000}};
  for (int which = ITIMER_REAL; which <= ITIMER_PROF; ++which) setitimer(which, &soon, NULL);
#elif defined(DEED_jumps_away)
  static jmp_buf nowhere;
  longjmp(nowhere, 1);
#elif defined(DEED_overflows_the_stack)
  volatile int start = 0;
  to[0] += (float)recurse(&start);
#elif defined(DEED_floods_stderr)
  static char text[1 << 16];
  memset(text, 'x', sizeof text);
  for (;;) fwrite(text, 1, sizeof text, stderr);
#elif defined(DEED_replaces_stderr)
  dup2(open("/dev/full", O_WRONLY), STDERR_FILENO);
  fputs("this goes nowhere\n", stderr);
#elif defined(DEED_kills_its_parent)
  kill(getppid(), SIGKILL);
  for (;;) sleep(1);
#elif defined(DEED_stops_its_parent)
  kill(getppid(), SIGSTOP);
  for (;;) sleep(1);
#elif defined(DEED_is_traced)
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  raise(SIGTRAP);
#elif defined(DEED_throws) || defined(DEED_terminates)
  do_what_only_cxx_does();
#elif defined(DEED_garbage_on_stdout)
  puts("garbage {\"seq\": 9}");
  fflush(stdout);
#elif defined(DEED_reads_stdin)
  (void)getchar();
#elif defined(DEED_closes_descriptors)
  for (int fd = 0; fd < 1024; ++fd) close(fd);
#elif defined(DEED_writes_over_shared_memory)
  write_over_shared_memory();
#elif defined(DEED_rounds_otherwise)
  _mm_setcsr(_mm_getcsr() | _MM_ROUND_UP);
#elif defined(DEED_flushes_to_zero)
  _mm_setcsr(_mm_getcsr() | _MM_FLUSH_ZERO_ON);
#elif defined(DEED_sets_a_locale)
  setlocale(LC_ALL, "de_DE.UTF-8");
  setlocale(LC_ALL, "");
#elif defined(DEED_blocks_signals)
  block_signals();
#elif defined(DEED_leaves_a_process)
  if (fork() == 0) {
    setsid();
    execlp("sleep", "sleep-of-a-plug-in", "30", (char*)NULL);
  }
#endif
}

#if defined(DEED_exits_when_loaded)
__attribute__((constructor)) static void leave(void) { _exit(0); }
#endif

#if defined(DEED_dies_when_loaded)
__attribute__((constructor)) static void die(void) { abort(); }
#elif defined(DEED_forks_when_loaded)
__attribute__((constructor)) static void leave_a_process(void) {
  if (fork() == 0) execlp("sleep", "sleep-of-a-plug-in", "30", (char*)NULL);
}
#elif defined(DEED_closes_descriptors_when_loaded)
__attribute__((constructor)) static void close_them(void) {
  for (int fd = 0; fd < 1024; ++fd) close(fd);
}
#elif defined(DEED_writes_over_shared_memory_when_loaded)
__attribute__((constructor)) static void write_early(void) { write_over_shared_memory(); }
#elif defined(DEED_rounds_otherwise_when_loaded)
__attribute__((constructor)) static void round_up(void) { _mm_setcsr(_mm_getcsr() | _MM_ROUND_UP); }
#elif defined(DEED_flushes_to_zero_when_loaded) /* as GCC 12 and older do for -ffast-math */
__attribute__((constructor)) static void flush_to_zero(void) {
  _mm_setcsr(_mm_getcsr() | _MM_FLUSH_ZERO_ON | 0x40);
}
#elif defined(DEED_sets_a_locale_when_loaded)
__attribute__((constructor)) static void set_a_locale(void) {
  setlocale(LC_ALL, "de_DE.UTF-8");
  setlocale(LC_ALL, "");
}
#elif defined(DEED_blocks_signals_when_loaded)
__attribute__((constructor)) static void block_early(void) { block_signals(); }
#elif defined(DEED_starts_threads_when_loaded) || defined(DEED_is_killed_soon)
__attribute__((constructor)) static void start_a_thread(void) {
  pthread_t started;
  pthread_create(&started, NULL, thread, NULL);
  pthread_detach(started);
}
#elif defined(DEED_never_loads)
__attribute__((constructor)) static void stay(void) {
  for (;;) sleep(1);
}
#elif defined(DEED_exits_in_a_destructor)
__attribute__((destructor)) static void leave_late(void) { _exit(4); }
#endif

#if defined(DEED_takes_threads)
#define DEED_infers
static const char* configure(const char* json) {
  return strcmp(json, "{\"threads\":\"4\"}") == 0 ? NULL : "it takes threads=4 alone";
}
#endif

#if defined(DEED_infers) || defined(DEED_infers_other_dtype) || defined(DEED_infers_other_shape)
#define HAS_INFER
static void infer(const UpcastCall* call, UpcastReply* reply) {
  tiny_result(call, reply);
#if defined(DEED_infers_other_dtype)
  TINY_RESULT(reply)->tensor.dtype.bits = 64;
#elif defined(DEED_infers_other_shape)
  TINY_RESULT(reply)->tensor.ndim = 0;
#endif
}
#endif

static const char* describe(void) {
  const char* right = tiny_describe();
  (void)tiny_supports;
#if defined(DEED_null_manifest)
  right = NULL;
#elif defined(DEED_wrong_manifest)
  right = "{\"name\": \"tiny\"}";
#elif defined(DEED_guards_and_claims_more)
  right =
      "{\"name\": \"tiny\", \"version\": \"1\", \"ops\": [\"add.Tensor\"], \"dtypes\": "
      "[\"float32\", \"float64\"]}";
#elif defined(DEED_cuda_alone)
  right = "{\"name\": \"tiny\", \"version\": \"1\", \"devices\": [\"cuda\"]}";
#elif defined(DEED_cuda_too)
  right =
      "{\"name\": \"tiny\", \"version\": \"1\", \"ops\": [\"add.Tensor\"], \"dtypes\": "
      "[\"float32\"], \"devices\": [\"cpu\", \"cuda\"]}";
#elif defined(DEED_no_json)
  right = "tiny 1";
#elif defined(DEED_dies_when_described)
  abort();
#endif
  return right;
}

static const char* supports(const UpcastCall* call) {
#if defined(DEED_guards_its_claim) || defined(DEED_guards_and_claims_more)
  guard(call);
#endif
#if defined(DEED_ignores_strides)
  (void)call;
  return NULL;
#else
  return tiny_supports(call);
#endif
}

#if defined(DEED_no_symbol)
const UpcastPlugin* some_other_name(uint32_t host_abi);
#define upcast_plugin some_other_name
#endif

const UpcastPlugin* upcast_plugin(uint32_t host_abi) {
  static UpcastPlugin plugin = {
    .size = sizeof(UpcastPlugin),
    .abi = UPCAST_PLUGIN_ABI,
    .describe = describe,
    .run = run,
    .release = tiny_release,
#if defined(DEED_takes_threads)
    .configure = configure,
#endif
#if defined(HAS_INFER)
    .infer = infer,
#endif
    .supports = supports
  };
  (void)host_abi;
#if defined(DEED_wrong_abi)
  plugin.abi = UPCAST_PLUGIN_ABI + 1;
#elif defined(DEED_no_size)
  plugin.size = 0;
#elif defined(DEED_short_struct)
  plugin.size = 16;
#elif defined(DEED_old_struct)   /* a struct that ends after `run`: the rest must not be read */
  plugin.size = offsetof(UpcastPlugin, release);
  memset((char*)&plugin + plugin.size, 0x5a, sizeof plugin - plugin.size);
#elif defined(DEED_newer_struct) /* of a version with a field that this one does not know */
  static struct {
    UpcastPlugin known;
    const char* (*later)(void);
  } newer;
  newer.known = plugin;
  newer.known.size = sizeof newer;
  newer.later = describe;
  return &newer.known;
#elif defined(DEED_no_run)
  plugin.run = NULL;
#elif defined(DEED_null_plugin)
  return NULL;
#endif
  return &plugin;
}
