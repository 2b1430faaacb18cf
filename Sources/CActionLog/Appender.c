#include "CActionLog.h"
#include "Internal.h"

#include <pthread.h>
#include <sched.h>

// MARK: Frames

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static uint32_t portable_frame_crc(uint32_t seed, uint32_t length, uint64_t meta,
                                   const void *body, size_t count) {
  uint32_t crc = al_crc32c_portable(seed, &length, 4);
  crc = al_crc32c_portable(crc, &meta, 8);
  return al_crc32c_portable(crc, body, count);
}

#if AL_CRC_INSTRUCTION
AL_CRC_TARGET static inline uint32_t frame_crc_inline(uint32_t seed, uint32_t length,
                                                      uint64_t meta, const void *body,
                                                      size_t count) {
  uint32_t crc = AL_CRC32(~seed, length);
  crc = AL_CRC64(crc, meta);
  return al_crc32c_inline(~crc, body, count);
}

AL_CRC_TARGET static uint32_t frame_crc_instruction(uint32_t seed, uint32_t length, uint64_t meta,
                                                    const void *body, size_t count) {
  return frame_crc_inline(seed, length, meta, body, count);
}
#endif

uint32_t al_frame_crc(uint32_t seed, uint32_t length, uint64_t meta, const void *body,
                      size_t count) {
#if AL_CRC_INSTRUCTION
  if (__builtin_expect(al_has_crc_instruction, 1))
    return frame_crc_instruction(seed, length, meta, body, count);
#endif
  return portable_frame_crc(seed, length, meta, body, count);
}

ALWAYS_INLINE size_t padded(size_t count) { return (count + 7) & ~(size_t)7; }

ALWAYS_INLINE uint64_t frame_meta(uint8_t kind, uint16_t stream, uint64_t delta) {
  return (uint64_t)kind | (uint64_t)stream << 8 | delta << 24;
}

/// Fills a body up to a multiple of eight bytes with zeros: the checksum covers them.
ALWAYS_INLINE void pad(uint8_t *body, size_t count) {
  size_t part = count & 7;
  if (part == 0) return;
  uint64_t word;
  memcpy(&word, body + count - part, 8);
  word &= ~0ull >> (64 - 8 * part);
  memcpy(body + count - part, &word, 8);
}

/// Writes the header of the frame at `position` and publishes it. The lock is held.
ALWAYS_INLINE void publish(al_appender *a, uint8_t *frame, size_t count, uint64_t meta,
                           uint32_t crc) {
  uint8_t *next = frame + AL_FRAME_HEADER + padded(count);
  // Whatever an encoder left behind this frame must not be taken for the next one's header.
  if (next + AL_FRAME_HEADER <= a->limit) {
    __atomic_store_n((uint64_t *)next, 0, __ATOMIC_RELAXED);
    __atomic_store_n((uint64_t *)next + 1, 0, __ATOMIC_RELAXED);
  }
  memcpy(frame + 4, &crc, 4);
  memcpy(frame + 8, &meta, 8);
  __atomic_store_n((uint32_t *)frame, (uint32_t)(AL_FRAME_HEADER + count), __ATOMIC_RELEASE);
  __atomic_store_n(&a->position, next, __ATOMIC_RELAXED);
}

ALWAYS_INLINE uint64_t count_record(al_appender *a, size_t count, uint8_t kind) {
  uint8_t slot = kind < AL_COUNTED_KINDS ? kind : 0;
  __atomic_store_n(&a->counts[slot], a->counts[slot] + 1, __ATOMIC_RELAXED);
  __atomic_store_n(&a->bytes[slot], a->bytes[slot] + count, __ATOMIC_RELAXED);
  uint64_t sequence = a->next_sequence;
  __atomic_store_n(&a->next_sequence, sequence + 1, __ATOMIC_RELEASE);
  return sequence;
}

// MARK: In place

/// What a commit computes before it takes the lock.
struct draft {
  uint64_t meta;
  uint32_t length;
  uint32_t seed;
};

/// Base and seed are read while the claim may already be gone: then the exchange fails, and
/// nothing that was computed from stale ones is used.
ALWAYS_INLINE bool begin_draft(al_appender *a, uint8_t *frame, size_t count, uint8_t kind,
                               uint16_t stream, struct draft *draft) {
  uint64_t base = __atomic_load_n(&a->base_time, __ATOMIC_RELAXED);
  draft->seed = __atomic_load_n(&a->seed, __ATOMIC_RELAXED);
  uint64_t delta = al_clock_now_inline(&a->clock) - base;
  draft->meta = frame_meta(kind, stream, delta);
  draft->length = (uint32_t)(AL_FRAME_HEADER + count);
  pad(frame + AL_FRAME_HEADER, count);
  return __builtin_expect(delta >> 40 == 0, 1);
}

ALWAYS_INLINE enum al_outcome commit_draft(al_appender *a, uint64_t ticket, uint8_t *frame,
                                           size_t count, uint8_t kind, const struct draft *draft,
                                           uint32_t crc, uint64_t *sequence) {
  uint64_t expected = ticket;
  if (!__atomic_compare_exchange_n(&a->word, &expected, ticket - AL_ENCODING + AL_LOCKED, false,
                                   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return AL_LOST;
  publish(a, frame, count, draft->meta, crc);
  *sequence = count_record(a, count, kind);
  __atomic_store_n(&a->word, ticket - AL_ENCODING, __ATOMIC_RELEASE);
  return AL_DONE;
}

#if AL_CRC_INSTRUCTION
AL_CRC_TARGET static enum al_outcome commit_instruction(al_appender *a, uint64_t ticket,
                                                        uint8_t *frame, size_t count,
                                                        uint8_t kind, uint16_t stream,
                                                        uint64_t *sequence) {
  struct draft draft;
  if (!begin_draft(a, frame, count, kind, stream, &draft)) return AL_NO_TIME;
  uint32_t crc = frame_crc_inline(draft.seed, draft.length, draft.meta, frame + AL_FRAME_HEADER,
                                  padded(count));
  return commit_draft(a, ticket, frame, count, kind, &draft, crc, sequence);
}
#endif

enum al_outcome al_commit(al_appender *a, uint64_t ticket, uint8_t *frame, size_t count,
                          uint8_t kind, uint16_t stream, uint64_t *sequence) {
#if AL_CRC_INSTRUCTION
  if (__builtin_expect(al_has_crc_instruction, 1))
    return commit_instruction(a, ticket, frame, count, kind, stream, sequence);
#endif
  struct draft draft;
  if (!begin_draft(a, frame, count, kind, stream, &draft)) return AL_NO_TIME;
  uint32_t crc = portable_frame_crc(draft.seed, draft.length, draft.meta, frame + AL_FRAME_HEADER,
                                    padded(count));
  return commit_draft(a, ticket, frame, count, kind, &draft, crc, sequence);
}

void al_cancel(al_appender *a, uint64_t ticket) {
  uint64_t expected = ticket;
  if (!__atomic_compare_exchange_n(&a->word, &expected, ticket - AL_ENCODING, false,
                                   __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    al_forget(a);
}

void al_forget(al_appender *a) { __atomic_fetch_sub(&a->outstanding, 1, __ATOMIC_RELEASE); }

// MARK: Under the lock

bool al_lock(al_appender *a) {
  for (unsigned spins = 0;; spins++) {
    uint64_t word = __atomic_load_n(&a->word, __ATOMIC_RELAXED);
    switch (word & 3) {
    case AL_CLOSED:
      return false;
    case AL_LOCKED:
      break;
    default: {
      uint64_t locked = (word & ~3ull) + AL_LOCKED;
      if (!__atomic_compare_exchange_n(&a->word, &word, locked, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED))
        break;
      if ((word & 3) == AL_IDLE) return true;
      // The claim is taken away. What the encoder may have written is skipped: a frame of kind 0
      // covers its window, and its checksum covers only its header.
      // Nothing that follows may be seen by one who does not see that the claim is gone.
      __atomic_thread_fence(__ATOMIC_RELEASE);
      uint8_t *frame = a->position;
      size_t window = al_window(frame, a->limit) & ~(size_t)7;
      __atomic_fetch_add(&a->outstanding, 1, __ATOMIC_RELAXED);
      if ((size_t)(a->limit - frame) >= AL_FRAME_HEADER) {
        uint32_t length = (uint32_t)(AL_FRAME_HEADER + window);
        uint32_t crc = al_frame_crc(a->seed, length, 0, NULL, 0);
        publish(a, frame, window, 0, crc);
      }
      return true;
    }
    }
    if (spins < 64) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    } else {
      sched_yield();
    }
  }
}

void al_unlock(al_appender *a) {
  // The ticket moves on, so that a claim that was taken away can never be used.
  uint64_t word = __atomic_load_n(&a->word, __ATOMIC_RELAXED);
  __atomic_store_n(&a->word, (word & ~3ull) + 4, __ATOMIC_RELEASE);
}

void al_close_locked(al_appender *a) {
  uint64_t word = __atomic_load_n(&a->word, __ATOMIC_RELAXED);
  __atomic_store_n(&a->word, (word & ~3ull) + 4 + AL_CLOSED, __ATOMIC_RELEASE);
}

bool al_is_closed(const al_appender *a) {
  return (__atomic_load_n(&a->word, __ATOMIC_ACQUIRE) & 3) == AL_CLOSED;
}

enum al_outcome al_put(al_appender *a, const void *body, size_t count, uint8_t kind,
                       uint16_t stream, uint64_t *sequence) {
  uint64_t now = al_clock_now(&a->clock);
  if (!al_lock(a)) return AL_SHUT;
  uint8_t *frame = a->position;
  enum al_outcome outcome = AL_DONE;
  uint64_t delta = now - a->base_time;
  if ((size_t)(a->limit - frame) < AL_FRAME_HEADER + padded(count)) {
    outcome = AL_NO_ROOM;
  } else if (delta >> 40 != 0) {
    outcome = AL_NO_TIME;
  } else {
    uint64_t meta = frame_meta(kind, stream, delta);
    uint32_t length = (uint32_t)(AL_FRAME_HEADER + count);
    if (count) memcpy(frame + AL_FRAME_HEADER, body, count);
    pad(frame + AL_FRAME_HEADER, count);
    uint32_t crc = al_frame_crc(a->seed, length, meta, frame + AL_FRAME_HEADER, padded(count));
    publish(a, frame, count, meta, crc);
    *sequence = count_record(a, count, kind);
  }
  al_unlock(a);
  return outcome;
}

bool al_mark(al_appender *a, uint64_t durable) {
  uint64_t word = __atomic_load_n(&a->word, __ATOMIC_RELAXED);
  // No claim is taken away for it: that would cost the tail a whole window.
  if ((word & 3) != AL_IDLE ||
      !__atomic_compare_exchange_n(&a->word, &word, word + AL_LOCKED, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return false;
  bool fits = (size_t)(a->limit - a->position) >= AL_FRAME_HEADER;
  // What the tail's header says needs no mark.
  if (fits && durable >= a->tail_sequence) {
    uint64_t meta = frame_meta(0, AL_MARK_STREAM, durable - a->tail_sequence + 1);
    uint32_t crc = al_frame_crc(a->seed, AL_FRAME_HEADER, meta, NULL, 0);
    publish(a, a->position, 0, meta, crc);
  }
  al_unlock(a);
  return fits;
}

void al_enter_tail(al_appender *a, uint8_t *first, uint8_t *limit, uint32_t seed,
                   uint64_t base_time) {
  a->tail_sequence = a->next_sequence;
  __atomic_store_n(&a->position, first, __ATOMIC_RELAXED);
  __atomic_store_n(&a->limit, limit, __ATOMIC_RELAXED);
  __atomic_store_n(&a->seed, seed, __ATOMIC_RELAXED);
  __atomic_store_n(&a->base_time, base_time, __ATOMIC_RELAXED);
  // The first record here asks for the next tail.
  __atomic_store_n(&a->wake_at, first, __ATOMIC_RELAXED);
}

void al_set_wake(al_appender *a, const uint8_t *at) {
  __atomic_store_n(&a->wake_at, (uint8_t *)at, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

uint32_t al_outstanding(const al_appender *a) {
  return __atomic_load_n(&a->outstanding, __ATOMIC_ACQUIRE);
}

void al_drop(al_appender *a) { __atomic_fetch_add(&a->dropped, 1, __ATOMIC_RELAXED); }

// MARK: Fork

static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER;
static al_appender *registry;
static pthread_once_t registry_once = PTHREAD_ONCE_INIT;

static void before_fork(void) { pthread_mutex_lock(&registry_mutex); }
static void after_fork(void) { pthread_mutex_unlock(&registry_mutex); }

// The tail is not mapped in a child, and the log is the parent's.
static void in_child(void) {
  for (al_appender *a = registry; a; a = a->next_registered) al_close_locked(a);
  pthread_mutex_unlock(&registry_mutex);
}

static void install(void) { pthread_atfork(before_fork, after_fork, in_child); }

void al_register(al_appender *a) {
  pthread_once(&registry_once, install);
  pthread_mutex_lock(&registry_mutex);
  a->next_registered = registry;
  registry = a;
  pthread_mutex_unlock(&registry_mutex);
}

void al_unregister(al_appender *a) {
  pthread_mutex_lock(&registry_mutex);
  for (al_appender **link = &registry; *link; link = &(*link)->next_registered) {
    if (*link == a) {
      *link = a->next_registered;
      break;
    }
  }
  pthread_mutex_unlock(&registry_mutex);
}
