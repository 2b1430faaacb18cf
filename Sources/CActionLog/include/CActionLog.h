/// What the log needs from C: a checksum, a cheap clock, atomic words in mapped memory, and the
/// appender, which publishes records in a mapped tail without a system call.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Checksum

/// Extends a CRC32C (Castagnoli) over `count` bytes. Start from a seed, or from 0.
///
/// The processor's instruction is used where there is one; the result is the same without.
uint32_t al_crc32c(uint32_t crc, const void *_Nullable bytes, size_t count);

/// The same by tables alone, so that a test can hold one against the other.
uint32_t al_crc32c_portable(uint32_t crc, const void *_Nullable bytes, size_t count);

// MARK: Clock

/// A clock that costs a counter read: anchored on the system's clock, and again each 100 ms.
typedef struct al_clock {
  uint64_t version; // odd while an anchor is being set
  uint64_t anchor_ticks;
  uint64_t anchor_time;  // microseconds since 1970
  uint64_t scale;        // microseconds a tick, 2^-40
  uint64_t valid_ticks;  // how far the anchor reaches; 0 means the system's clock is read
  uint64_t first_ticks;  // where calibration began
  uint64_t first_steady; // nanoseconds of the steady clock there
} al_clock;

void al_clock_start(al_clock *_Nonnull clock);

/// Microseconds since 1970.
uint64_t al_clock_now(al_clock *_Nonnull clock);

// MARK: Words in mapped memory

static inline uint32_t al_load32(const void *_Nonnull word) {
  return __atomic_load_n((const uint32_t *)word, __ATOMIC_ACQUIRE);
}

static inline uint64_t al_load64(const void *_Nonnull word) {
  return __atomic_load_n((const uint64_t *)word, __ATOMIC_RELAXED);
}

static inline void al_store64(void *_Nonnull word, uint64_t value) {
  __atomic_store_n((uint64_t *)word, value, __ATOMIC_RELAXED);
}

// MARK: Appender

/// Bytes of a frame's header in a tail.
#define AL_FRAME_HEADER 16

/// The most a body may take when it is encoded in place. Longer ones go through scratch, so that
/// an interrupted encoder never takes more than this of the tail with it.
#define AL_WINDOW 4096

/// The least memory that a body is offered, so that short ones need no second try.
#define AL_LEAST_WINDOW 256

/// The stream of a skip that is a sync mark.
#define AL_MARK_STREAM 1

/// Kinds that are counted one by one; the others share the first counter.
#define AL_COUNTED_KINDS 16

/// Where the next record goes, and who may put it there.
///
/// The low two bits of `word` are the state; the rest is a ticket that makes each encoder's claim
/// its own. A claim by an encoder can be taken away by anyone who has a finished record; the
/// short lock can not, and never spans code of the application.
typedef struct al_appender {
  uint64_t word;
  uint8_t *_Nullable position;
  uint8_t *_Nullable limit;
  uint64_t next_sequence;
  uint64_t tail_sequence; // the number of the tail's first record
  uint64_t base_time;
  uint32_t seed;
  uint32_t outstanding; // encoders that lost their claim and are not done yet
  uint8_t *_Nullable wake_at;
  uint64_t counts[AL_COUNTED_KINDS];
  uint64_t bytes[AL_COUNTED_KINDS];
  uint64_t dropped;
  al_clock clock;
  struct al_appender *_Nullable next_registered;
} al_appender;

enum al_state { AL_IDLE = 0, AL_LOCKED = 1, AL_ENCODING = 2, AL_CLOSED = 3 };

/// What became of a record.
enum al_outcome {
  AL_DONE = 0,     // published
  AL_LOST = 1,     // the claim was taken away: copy what was encoded, then tell with al_forget
  AL_NO_ROOM = 2,  // the tail has no room for it
  AL_NO_TIME = 3,  // the time does not fit the tail's base
  AL_SHUT = 4      // the appender is closed
};

/// Says that an encoder which lost its claim is done with the memory that it had.
void al_forget(al_appender *_Nonnull a);

/// How many bytes of body a frame that begins at `frame` may take.
static inline size_t al_window(const uint8_t *_Nonnull frame, const uint8_t *_Nonnull limit) {
  size_t left = (size_t)(limit - frame);
  if (left <= AL_FRAME_HEADER) return 0;
  left -= AL_FRAME_HEADER;
  return left < AL_WINDOW ? left : AL_WINDOW;
}

/// Claims the place of the next record for an encoder, with room for `window` bytes of body; nil
/// when it is not free.
static inline uint8_t *_Nullable al_begin(al_appender *_Nonnull a, uint64_t *_Nonnull ticket,
                                          size_t *_Nonnull window) {
  uint64_t word = __atomic_load_n(&a->word, __ATOMIC_RELAXED);
  if (word & 3) return NULL;
  uint64_t claimed = word + 4 + AL_ENCODING;
  if (!__atomic_compare_exchange_n(&a->word, &word, claimed, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return NULL;
  uint8_t *frame = __atomic_load_n(&a->position, __ATOMIC_RELAXED);
  uint8_t *limit = __atomic_load_n(&a->limit, __ATOMIC_RELAXED);
  // Whoever takes the claim away moves both on: a thread that was held up before it read them would
  // write into another's record. They belong to this claim only if it stands after they were read.
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (__atomic_load_n(&a->word, __ATOMIC_RELAXED) != claimed) {
    al_forget(a);
    return NULL;
  }
  *ticket = claimed;
  *window = al_window(frame, limit);
  return frame;
}

/// Publishes the body that the holder of `ticket` encoded behind `frame`'s header.
enum al_outcome al_commit(al_appender *_Nonnull a, uint64_t ticket, uint8_t *_Nonnull frame,
                          size_t count, uint8_t kind, uint16_t stream,
                          uint64_t *_Nonnull sequence);

/// Gives a claim back.
void al_cancel(al_appender *_Nonnull a, uint64_t ticket);

/// Publishes a finished body by copying it. Takes a claim away if there is one.
enum al_outcome al_put(al_appender *_Nonnull a, const void *_Nullable body, size_t count,
                       uint8_t kind, uint16_t stream, uint64_t *_Nonnull sequence);

/// Whether the background has been asked for, by the position or for the first record.
static inline bool al_is_due(const al_appender *_Nonnull a) {
  return __atomic_load_n(&a->position, __ATOMIC_RELAXED) >=
         __atomic_load_n(&a->wake_at, __ATOMIC_RELAXED);
}

/// Asks to be told when the position reaches `at`.
void al_set_wake(al_appender *_Nonnull a, const uint8_t *_Nullable at);

/// Where the next record goes.
static inline uint8_t *_Nullable al_position(const al_appender *_Nonnull a) {
  return __atomic_load_n(&a->position, __ATOMIC_RELAXED);
}

/// Where the tail ends.
static inline uint8_t *_Nullable al_limit(const al_appender *_Nonnull a) {
  return __atomic_load_n(&a->limit, __ATOMIC_RELAXED);
}

static inline uint64_t al_base_time(const al_appender *_Nonnull a) {
  return __atomic_load_n(&a->base_time, __ATOMIC_RELAXED);
}

/// Records of a kind so far, and bytes of their payloads; kinds that are not counted one by one
/// share the first.
static inline uint64_t al_count(const al_appender *_Nonnull a, size_t kind) {
  return __atomic_load_n(&a->counts[kind < AL_COUNTED_KINDS ? kind : 0], __ATOMIC_RELAXED);
}
static inline uint64_t al_bytes(const al_appender *_Nonnull a, size_t kind) {
  return __atomic_load_n(&a->bytes[kind < AL_COUNTED_KINDS ? kind : 0], __ATOMIC_RELAXED);
}

/// Records that were not taken.
static inline uint64_t al_dropped(const al_appender *_Nonnull a) {
  return __atomic_load_n(&a->dropped, __ATOMIC_RELAXED);
}

/// The number of the next record; every one before it stands before the position that is read
/// afterwards, or in an earlier tail.
static inline uint64_t al_next_sequence(const al_appender *_Nonnull a) {
  return __atomic_load_n(&a->next_sequence, __ATOMIC_ACQUIRE);
}

/// Puts a sync mark: says in the tail that every record up to `durable` is safe against a loss of
/// power. False when the place is not free just now, or the tail has no room for it.
bool al_mark(al_appender *_Nonnull a, uint64_t durable);

/// Takes the short lock, and a claim away if there is one; false when the appender is closed.
bool al_lock(al_appender *_Nonnull a);
void al_unlock(al_appender *_Nonnull a);

/// Closes the appender: whatever comes later is refused. The lock must be held.
void al_close_locked(al_appender *_Nonnull a);

bool al_is_closed(const al_appender *_Nonnull a);

/// Makes room in a new tail. The lock must be held.
void al_enter_tail(al_appender *_Nonnull a, uint8_t *_Nonnull first, uint8_t *_Nonnull limit,
                   uint32_t seed, uint64_t base_time);

/// Moves the end of the room, so that records no longer fit, or do again. The lock must be held.
static inline void al_set_limit(al_appender *_Nonnull a, uint8_t *_Nonnull limit) {
  __atomic_store_n(&a->limit, limit, __ATOMIC_RELAXED);
}

/// Encoders that lost their claim and may still write into the window they had.
uint32_t al_outstanding(const al_appender *_Nonnull a);

/// Adds to the number of records that were not taken.
void al_drop(al_appender *_Nonnull a);

/// From now on a forked child finds this appender closed.
void al_register(al_appender *_Nonnull a);
void al_unregister(al_appender *_Nonnull a);

/// The checksum of a frame: of its length, its kind, stream and time, and its body with the zeros
/// that fill it up to a multiple of eight bytes.
uint32_t al_frame_crc(uint32_t seed, uint32_t length, uint64_t meta, const void *_Nullable body,
                      size_t count);

// MARK: Columns

/// The numbers that `al_scatter` and `al_gather` need room for.
static inline size_t al_places(uint32_t columns) { return 256 * ((size_t)columns + 1); }

/// Lays bodies that stand side by side out in columns: ordered by kind, and for each kind first
/// the first bytes of all its bodies, then the second bytes, and so on; behind the last column
/// what is left of each body. The sizes must add up to at most 4 GiB.
void al_scatter(const uint8_t *_Nullable bodies, const uint8_t *_Nonnull kinds,
                const uint32_t *_Nonnull sizes, size_t count, uint32_t columns,
                uint32_t *_Nonnull places, uint8_t *_Nullable target);

/// Bytes of the room that `al_gather` needs for each of 256 kinds.
#define AL_HEADS_OF_KIND 256

/// Puts bodies side by side that `al_scatter` laid out, `total` bytes that the sizes add up to.
/// `heads` is room for all kinds.
void al_gather(const uint8_t *_Nullable source, const uint8_t *_Nonnull kinds,
               const uint32_t *_Nonnull sizes, size_t count, uint32_t columns, size_t total,
               uint32_t *_Nonnull places, uint8_t *_Nonnull heads, uint8_t *_Nullable bodies);

// MARK: Threads and files

/// A thread's bell: rung by anyone, heard by one.
typedef struct al_bell al_bell;
al_bell *_Nonnull al_bell_make(void);
void al_bell_free(al_bell *_Nonnull bell);
void al_bell_ring(al_bell *_Nonnull bell);
/// Waits for the bell, at most `microseconds` (for ever when negative).
void al_bell_wait(al_bell *_Nonnull bell, int64_t microseconds);

/// Starts a detached thread with every signal blocked; returns an errno.
int al_thread_start(void (*_Nonnull run)(void *_Nullable), void *_Nullable context);

/// Lets all other threads go first from now on, where the system can do that for one thread.
void al_thread_be_patient(void);

/// Microseconds of a clock that is never set.
uint64_t al_steady_microseconds(void);

/// Microseconds since 1970 by the system's clock.
uint64_t al_system_microseconds(void);

/// The number that says what kind of file system a path is on; 0 when the system cannot tell.
uint32_t al_file_system_type(const char *_Nonnull path);

/// Takes a lock that a reader can ask for without taking it; 0 or an errno.
int al_mark_writer(int descriptor);
/// Gives that lock up, and the one of flock, for all who share the descriptor.
void al_unmark_writer(int descriptor);
/// Whether a writer holds that lock: 1, 0, or -1 when the system cannot tell.
int al_has_writer(int descriptor);
