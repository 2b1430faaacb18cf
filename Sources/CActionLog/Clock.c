#define _GNU_SOURCE
#include "CActionLog.h"
#include "Internal.h"

#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

// A calibration over less than this would be off by more than a microsecond each 100 ms.
#define CALIBRATION_NANOSECONDS 2000000ull
// How long an anchor is believed: the system's clock may be set or slewed meanwhile.
#define ANCHOR_MICROSECONDS 100000ull
// A step back of less than this at a new anchor is the calibration's error, not a clock set back.
#define SLACK_MICROSECONDS 1000ull

static uint64_t system_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000ull + (uint64_t)now.tv_nsec / 1000ull;
}

static uint64_t steady_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

// Whether the counter runs at one rate on every core and in every power state.
static bool has_steady_counter(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

void al_clock_start(al_clock *clock) {
  clock->version = 0;
  clock->anchor_ticks = 0;
  clock->anchor_time = 0;
  clock->scale = 0;
  clock->valid_ticks = 0;
  clock->first_ticks = has_steady_counter() ? al_ticks() : 0;
  clock->first_steady = steady_time();
}

AL_RARE uint64_t al_clock_anchor(al_clock *clock) {
  uint64_t time = system_time();
  if (clock->first_ticks == 0) return time;
  uint64_t version = __atomic_load_n(&clock->version, __ATOMIC_RELAXED);
  if (version & 1) return time;
  uint64_t steady = steady_time();
  uint64_t at = al_ticks();
  if (steady - clock->first_steady < CALIBRATION_NANOSECONDS || at <= clock->first_ticks)
    return time;
  if (!__atomic_compare_exchange_n(&clock->version, &version, version + 1, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return time;
  unsigned __int128 microseconds = (unsigned __int128)(steady - clock->first_steady) << 40;
  uint64_t scale = (uint64_t)(microseconds / 1000 / (at - clock->first_ticks));
  if (clock->valid_ticks != 0) {
    uint64_t expected = clock->anchor_time + al_scaled(clock->scale, at - clock->anchor_ticks);
    if (expected > time && expected - time < SLACK_MICROSECONDS) time = expected;
  }
  uint64_t valid = scale ? (uint64_t)(((unsigned __int128)ANCHOR_MICROSECONDS << 40) / scale) : 0;
  __atomic_store_n(&clock->anchor_ticks, at, __ATOMIC_RELAXED);
  __atomic_store_n(&clock->anchor_time, time, __ATOMIC_RELAXED);
  __atomic_store_n(&clock->scale, scale, __ATOMIC_RELAXED);
  __atomic_store_n(&clock->valid_ticks, valid, __ATOMIC_RELAXED);
  __atomic_store_n(&clock->version, version + 2, __ATOMIC_RELEASE);
  return time;
}

uint64_t al_clock_now(al_clock *clock) { return al_clock_now_inline(clock); }

uint64_t al_steady_microseconds(void) { return steady_time() / 1000; }

uint64_t al_system_microseconds(void) { return system_time(); }
