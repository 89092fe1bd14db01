// A library for LD_PRELOAD that makes the time of day jump a day forward and a day back. Each jump
// comes after some readings, so that a program sees both. Clocks that only go forward are not
// changed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

static time_t jump(void) {
  static atomic_uint readings;
  const unsigned turn = atomic_fetch_add(&readings, 1) / 3 % 3;
  return turn == 0 ? 0 : turn == 1 ? 86400 : -86400;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  int (*real)(clockid_t, struct timespec*) =
      (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const int result = real(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += jump();
  return result;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  (void)zone;
  struct timespec time;
  const int result = clock_gettime(CLOCK_REALTIME, &time);
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return result;
}

time_t time(time_t* result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}
