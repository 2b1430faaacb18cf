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

/// The same for the owner of the place: a lock either comes before the look at the word, and the
/// record is lost, or waits until the phase is quiet.
ALWAYS_INLINE uint64_t commit_owned(al_appender *a, uint64_t ticket, uint8_t *frame,
                                    size_t count, uint64_t meta, uint32_t crc) {
  uint64_t phase = __atomic_load_n(&a->phase, __ATOMIC_RELAXED) & ~3ull;
  __atomic_store_n(&a->phase, phase + AL_OWN_COMMITTING, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(__atomic_load_n(&a->word, __ATOMIC_ACQUIRE) != ticket, 0)) {
    __atomic_store_n(&a->phase, phase + AL_OWN_ENCODING, __ATOMIC_RELEASE);
    return AL_NO_SEQUENCE + AL_LOST;
  }
  publish(a, frame, count, meta, crc);
  uint64_t sequence = count_record(a, count, (uint8_t)meta);
  __atomic_store_n(&a->phase, phase, __ATOMIC_RELEASE);
  return sequence;
}

/// What the word is after a record by exchange: from the end of a thread's streak on it is owned.
ALWAYS_INLINE uint64_t after_exchange(al_appender *a, uint64_t idle) {
  uint64_t thread = al_thread();
  if (a->candidate != thread) {
    a->candidate = thread;
    a->streak = 0;
  }
  if (__builtin_expect(++a->streak < AL_STREAK, 1)) return idle;
  a->streak = 0;
  // The phase is one thread's for ever: it may have a store to it under way.
  if ((a->owner != 0 && a->owner != thread) || !al_can_own() || !pass_barrier()) return idle;
  a->credit = 0;
  a->credited_at = a->next_sequence;
  __atomic_store_n(&a->owner, thread, __ATOMIC_RELAXED);
  return idle + AL_OWNED;
}

/// By exchange, where no thread owns the place.
AL_RARE static uint64_t commit_shared(al_appender *a, uint64_t ticket, uint8_t *frame,
                                      size_t count, uint64_t meta, uint32_t crc) {
  uint64_t expected = ticket;
  if (!__atomic_compare_exchange_n(&a->word, &expected, ticket - AL_ENCODING + AL_LOCKED, false,
                                   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return AL_NO_SEQUENCE + AL_LOST;
  publish(a, frame, count, meta, crc);
  uint64_t sequence = count_record(a, count, (uint8_t)meta);
  __atomic_store_n(&a->word, after_exchange(a, ticket - AL_ENCODING), __ATOMIC_RELEASE);
  return sequence;
}

ALWAYS_INLINE uint64_t commit_draft(al_appender *a, uint64_t ticket, uint8_t *frame, size_t count,
                                    uint64_t meta, uint32_t crc) {
  return __builtin_expect(ticket & AL_OWNED, AL_OWNED)
             ? commit_owned(a, ticket, frame, count, meta, crc)
             : commit_shared(a, ticket, frame, count, meta, crc);
}

#if AL_CRC_INSTRUCTION
AL_CRC_TARGET static uint64_t commit_instruction(al_appender *a, uint64_t ticket, uint8_t *frame,
                                                 size_t count, uint8_t kind, uint16_t stream) {
  struct draft draft;
  if (!begin_draft(a, frame, count, kind, stream, &draft)) return AL_NO_SEQUENCE + AL_NO_TIME;
  uint32_t crc = frame_crc_inline(draft.seed, draft.length, draft.meta, frame + AL_FRAME_HEADER,
                                  padded(count));
  return commit_draft(a, ticket, frame, count, draft.meta, crc);
}
#endif

static uint64_t commit_portable(al_appender *a, uint64_t ticket, uint8_t *frame, size_t count,
                                uint8_t kind, uint16_t stream) {
  struct draft draft;
  if (!begin_draft(a, frame, count, kind, stream, &draft)) return AL_NO_SEQUENCE + AL_NO_TIME;
  uint32_t crc = portable_frame_crc(draft.seed, draft.length, draft.meta, frame + AL_FRAME_HEADER,
                                    padded(count));
  return commit_draft(a, ticket, frame, count, draft.meta, crc);
}

uint64_t al_commit(al_appender *a, uint64_t ticket, uint8_t *frame, size_t count, uint8_t kind,
                   uint16_t stream) {
#if AL_CRC_INSTRUCTION
  if (__builtin_expect(al_has_crc_instruction, 1))
    return commit_instruction(a, ticket, frame, count, kind, stream);
#endif
  return commit_portable(a, ticket, frame, count, kind, stream);
}

uint8_t *al_begin_shared(al_appender *a, uint64_t word, uint64_t *ticket, size_t *window) {
  if (word & 3) return NULL;
  uint64_t claimed = word + AL_TICKET + AL_ENCODING;
  if (!__atomic_compare_exchange_n(&a->word, &word, claimed, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return NULL;
  uint8_t *frame = __atomic_load_n(&a->position, __ATOMIC_RELAXED);
  uint8_t *limit = __atomic_load_n(&a->limit, __ATOMIC_RELAXED);
  // Whoever takes the claim away moves both on: a thread that was held up before it read them would
  // write into another's record. They belong to this claim only if it stands after they were read.
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (__atomic_load_n(&a->word, __ATOMIC_RELAXED) != claimed) {
    al_forget(a, claimed);
    return NULL;
  }
  *ticket = claimed;
  *window = al_window(frame, limit);
  return frame;
}

/// The owner is done with its claim, whether it still has it or not.
static void be_quiet(al_appender *a) {
  uint64_t phase = __atomic_load_n(&a->phase, __ATOMIC_RELAXED);
  __atomic_store_n(&a->phase, phase & ~3ull, __ATOMIC_RELEASE);
}

void al_cancel(al_appender *a, uint64_t ticket) {
  if (ticket & AL_OWNED) return be_quiet(a);
  uint64_t expected = ticket;
  if (!__atomic_compare_exchange_n(&a->word, &expected, ticket - AL_ENCODING, false,
                                   __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    al_forget(a, ticket);
}

void al_forget(al_appender *a, uint64_t ticket) {
  if (ticket & AL_OWNED) return be_quiet(a);
  __atomic_fetch_sub(&a->outstanding, 1, __ATOMIC_RELEASE);
}

uint32_t al_outstanding(const al_appender *a) {
  uint32_t others = __atomic_load_n(&a->outstanding, __ATOMIC_ACQUIRE);
  uint64_t phase = __atomic_load_n(&a->phase, __ATOMIC_ACQUIRE);
  uint64_t taken = __atomic_load_n(&a->taken, __ATOMIC_RELAXED);
  return others + ((phase & 3) != AL_QUIET && (phase & ~3ull) == taken);
}

// MARK: Under the lock

ALWAYS_INLINE void let_others_go(unsigned spins) {
  if (spins < 64) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  } else {
    sched_yield();
  }
}

/// Skips what the encoder whose claim is taken away may have written: a frame of kind 0 covers its
/// window, and its checksum covers only its header.
static void skip_window(al_appender *a) {
  // Nothing that follows may be seen by one who does not see that the claim is gone.
  __atomic_thread_fence(__ATOMIC_RELEASE);
  uint8_t *frame = a->position;
  if ((size_t)(a->limit - frame) < AL_FRAME_HEADER) return;
  size_t window = al_window(frame, a->limit) & ~(size_t)7;
  uint32_t length = (uint32_t)(AL_FRAME_HEADER + window);
  publish(a, frame, window, 0, al_frame_crc(a->seed, length, 0, NULL, 0));
}

/// What the owner does, now that it sees the lock or its claim can be seen: quiet or encoding.
static uint64_t phase_of_owner(al_appender *a) {
  if (a->owner != al_thread()) {
    if (!pass_barrier()) {
      wait_for_stores();
      // So that it ends, and does not begin again.
      a->credit = -2 * 4096;
    }
    // The publishing of one record, which calls nothing.
    for (unsigned spins = 0;; spins++) {
      uint64_t phase = __atomic_load_n(&a->phase, __ATOMIC_ACQUIRE);
      if ((phase & 3) != AL_OWN_COMMITTING) return phase;
      let_others_go(spins);
    }
  }
  return __atomic_load_n(&a->phase, __ATOMIC_RELAXED);
}

/// Ends the ownership when others come so often that it saves nothing: the barrier costs them
/// about as much as it saves on so many records.
static void reckon(al_appender *a, uint64_t word) {
  if (a->owner == al_thread()) return;
  uint64_t since = a->next_sequence - a->credited_at;
  a->credited_at = a->next_sequence;
  a->credit = (int32_t)(since < 4096 ? since : 4096) + (a->credit < 4096 ? a->credit : 4096) - 64;
  if (a->credit < 0) __atomic_store_n(&a->word, (word & ~7ull) + AL_LOCKED, __ATOMIC_RELAXED);
}

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
      if ((word & 3) == AL_ENCODING) {
        __atomic_fetch_add(&a->outstanding, 1, __ATOMIC_RELAXED);
        skip_window(a);
      } else if (word & AL_OWNED) {
        uint64_t phase = phase_of_owner(a);
        if ((phase & 3) != AL_QUIET && (phase & ~3ull) != a->taken) {
          __atomic_store_n(&a->taken, phase & ~3ull, __ATOMIC_RELAXED);
          skip_window(a);
        }
        reckon(a, locked);
      }
      return true;
    }
    }
    let_others_go(spins);
  }
}

void al_unlock(al_appender *a) {
  // The ticket moves on, so that a claim that was taken away can never be used.
  uint64_t word = __atomic_load_n(&a->word, __ATOMIC_RELAXED);
  __atomic_store_n(&a->word, (word & ~3ull) + AL_TICKET, __ATOMIC_RELEASE);
}

void al_close_locked(al_appender *a) {
  uint64_t word = __atomic_load_n(&a->word, __ATOMIC_RELAXED);
  // Without an owner: whoever wants the place is refused in one way.
  __atomic_store_n(&a->word, (word & ~7ull) + AL_TICKET + AL_CLOSED, __ATOMIC_RELEASE);
}

enum al_outcome al_put(al_appender *a, const void *body, size_t count, uint8_t kind,
                       uint16_t stream, uint64_t *sequence) {
  uint64_t now = al_clock_now(&a->clock);
  if (!al_lock(a)) return AL_SHUT;
  if (a->candidate != al_thread()) a->streak = 0;
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
  if ((word & AL_OWNED) && (phase_of_owner(a) & 3) != AL_QUIET) {
    // Nothing has changed: the owner's claim is as good as before, if it did not look just now.
    __atomic_store_n(&a->word, word, __ATOMIC_RELEASE);
    return false;
  }
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
  prepare_barrier();
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
