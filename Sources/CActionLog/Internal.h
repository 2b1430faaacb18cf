#pragma once

#include "CActionLog.h"

#include <string.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/// For what is seldom called from a place where every register counts.
#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
#define AL_RARE __attribute__((noinline, cold, preserve_most))
#else
#define AL_RARE __attribute__((noinline, cold))
#endif

extern bool al_has_crc_instruction;

// MARK: Barrier

/// Sees to it that `pass_barrier` works in a while, where the system has it.
void prepare_barrier(void);

/// Makes every other thread of the process that runs pass a full barrier; false when the system
/// refuses.
bool pass_barrier(void);

/// For a process that was forbidden the barrier after it had worked: waits far longer than a
/// processor keeps stores to itself.
void wait_for_stores(void);

// MARK: Clock

/// Sets a new anchor when the last one is too old, and returns the time.
AL_RARE uint64_t al_clock_anchor(al_clock *clock);

static inline uint64_t al_ticks(void) {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t value;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
  return 0;
#endif
}

static inline uint64_t al_scaled(uint64_t scale, uint64_t elapsed) {
  return (uint64_t)((unsigned __int128)scale * elapsed >> 40);
}

static inline uint64_t al_clock_now_inline(al_clock *clock) {
  uint64_t version = __atomic_load_n(&clock->version, __ATOMIC_ACQUIRE);
  uint64_t at = __atomic_load_n(&clock->anchor_ticks, __ATOMIC_RELAXED);
  uint64_t time = __atomic_load_n(&clock->anchor_time, __ATOMIC_RELAXED);
  uint64_t scale = __atomic_load_n(&clock->scale, __ATOMIC_RELAXED);
  uint64_t valid = __atomic_load_n(&clock->valid_ticks, __ATOMIC_RELAXED);
  uint64_t elapsed = al_ticks() - at;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  bool whole = !(version & 1) && __atomic_load_n(&clock->version, __ATOMIC_RELAXED) == version;
  if (__builtin_expect(whole && elapsed < valid, 1)) return time + al_scaled(scale, elapsed);
  return al_clock_anchor(clock);
}

// MARK: Checksum

#if defined(__x86_64__)
#define AL_CRC_INSTRUCTION 1
#define AL_CRC_TARGET __attribute__((target("sse4.2")))
#define AL_CRC8(crc, x) __builtin_ia32_crc32qi(crc, x)
#define AL_CRC32(crc, x) __builtin_ia32_crc32si(crc, x)
#define AL_CRC64(crc, x) (uint32_t)__builtin_ia32_crc32di(crc, x)
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define AL_CRC_INSTRUCTION 1
#define AL_CRC_TARGET
#define AL_CRC8(crc, x) __crc32cb(crc, x)
#define AL_CRC32(crc, x) __crc32cw(crc, x)
#define AL_CRC64(crc, x) __crc32cd(crc, x)
#else
#define AL_CRC_INSTRUCTION 0
#endif

#if AL_CRC_INSTRUCTION
AL_CRC_TARGET static inline uint32_t al_crc32c_inline(uint32_t crc, const void *bytes,
                                                      size_t count) {
  const uint8_t *p = bytes;
  crc = ~crc;
  while (count >= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    crc = AL_CRC64(crc, word);
    p += 8;
    count -= 8;
  }
  if (count & 4) {
    uint32_t word;
    memcpy(&word, p, 4);
    crc = AL_CRC32(crc, word);
    p += 4;
  }
  for (count &= 3; count; count--) crc = AL_CRC8(crc, *p++);
  return ~crc;
}
#endif
