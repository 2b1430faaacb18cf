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
/// The low two bits of `word` are the state, the third says that one thread owns the place; the
/// rest is a ticket that makes each encoder's claim its own. A claim by an encoder can be taken
/// away by anyone who has a finished record; the short lock can not, and never spans code of the
/// application.
///
/// An exchange of `word` waits until the processor has written everything before it, which costs
/// more than the whole rest of a record. So the thread that appends most owns the place: it claims
/// by a plain store to `phase` and a look at `word` behind it. Whoever else wants the place locks
/// `word`, then makes every running thread pass a barrier by a system call, and looks at `phase`
/// after that: either it sees the claim, or the owner sees the lock.
typedef struct al_appender {
  // What every record touches.
  uint64_t word;
  uint64_t owner; // the thread that owns the place, or owned it; it is never another one
  uint64_t phase; // the owner's alone: what it does in the low two bits, the rest counts its claims
  uint8_t *_Nullable position;
  uint8_t *_Nullable limit;
  uint64_t next_sequence;
  uint64_t base_time;
  uint32_t seed;
  uint32_t outstanding; // encoders that lost their claim and are not done yet, without the owner
  uint8_t *_Nullable wake_at;
  bool wants_cut; // whether the segment is about full
  uint64_t counts[AL_COUNTED_KINDS];
  uint64_t bytes[AL_COUNTED_KINDS];
  al_clock clock;
  // Under the lock.
  uint64_t taken;         // the owner's claim that was taken away last
  uint64_t candidate;     // the thread of the last records in place
  uint32_t streak;        // how many of them it put there, one after the other
  int32_t credit;         // records of the owner that make up for others' coming between
  uint64_t credited_at;   // the next record's number when that was reckoned
  uint64_t tail_sequence; // the number of the tail's first record
  uint64_t dropped;
  struct al_appender *_Nullable next_registered;
} al_appender;

enum al_state { AL_IDLE = 0, AL_LOCKED = 1, AL_ENCODING = 2, AL_CLOSED = 3 };
enum al_phase { AL_QUIET = 0, AL_OWN_ENCODING = 1, AL_OWN_COMMITTING = 2 };

/// Set in `word` while a thread owns the place.
#define AL_OWNED 4
/// What a ticket is counted by.
#define AL_TICKET 8
/// After so many records in place by one thread, no other's among them, it owns the place.
#define AL_STREAK 64

/// What became of a record.
enum al_outcome {
  AL_DONE = 0,     // published
  AL_LOST = 1,     // the claim was taken away: copy what was encoded, then tell with al_forget
  AL_NO_ROOM = 2,  // the tail has no room for it
  AL_NO_TIME = 3,  // the time does not fit the tail's base
  AL_SHUT = 4      // the appender is closed
};

/// What tells the running thread from others; never 0.
#if defined(__x86_64__) || defined(__aarch64__)
static inline uint64_t al_thread(void) { return (uint64_t)__builtin_thread_pointer(); }
#else
uint64_t al_thread(void);
#endif

/// Says that an encoder which lost its claim is done with the memory that it had.
void al_forget(al_appender *_Nonnull a, uint64_t ticket);

/// How many bytes of body a frame that begins at `frame` may take.
static inline size_t al_window(const uint8_t *_Nonnull frame, const uint8_t *_Nonnull limit) {
  size_t left = (size_t)(limit - frame);
  if (left <= AL_FRAME_HEADER) return 0;
  left -= AL_FRAME_HEADER;
  return left < AL_WINDOW ? left : AL_WINDOW;
}

/// Claims the place by an exchange, where no thread owns it.
uint8_t *_Nullable al_begin_shared(al_appender *_Nonnull a, uint64_t word,
                                   uint64_t *_Nonnull ticket, size_t *_Nonnull window);

/// Claims the place of the next record for an encoder, with room for `window` bytes of body; nil
/// when it is not free, or another thread's.
static inline uint8_t *_Nullable al_begin(al_appender *_Nonnull a, uint64_t *_Nonnull ticket,
                                          size_t *_Nonnull window) {
  uint64_t word = __atomic_load_n(&a->word, __ATOMIC_ACQUIRE);
  if (__builtin_expect(!(word & AL_OWNED), 0)) {
    // Variables of their own, so that the caller's can stay in registers.
    uint64_t shared_ticket = 0;
    size_t shared_window = 0;
    uint8_t *frame = al_begin_shared(a, word, &shared_ticket, &shared_window);
    *ticket = shared_ticket;
    *window = shared_window;
    return frame;
  }
  if ((word & 3) || __atomic_load_n(&a->owner, __ATOMIC_RELAXED) != al_thread()) return NULL;
  uint64_t phase = __atomic_load_n(&a->phase, __ATOMIC_RELAXED);
  // An encoder that appends has its claim already.
  if (phase & 3) return NULL;
  phase += 4;
  __atomic_store_n(&a->phase, phase + AL_OWN_ENCODING, __ATOMIC_RELAXED);
  // The processor may still look at the word first; whoever locks it sees to that.
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  uint8_t *frame = __atomic_load_n(&a->position, __ATOMIC_RELAXED);
  uint8_t *limit = __atomic_load_n(&a->limit, __ATOMIC_RELAXED);
  // Whoever locks the word moves both on: they are the claim's if it is as it was after they were
  // read.
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (__builtin_expect(__atomic_load_n(&a->word, __ATOMIC_RELAXED) != word, 0)) {
    __atomic_store_n(&a->phase, phase, __ATOMIC_RELEASE);
    return NULL;
  }
  // The records of the near future, since stores wait for memory as loads do.
  __builtin_prefetch(frame + 1024, 1);
  *ticket = word;
  *window = al_window(frame, limit);
  return frame;
}

/// What `al_commit` returns in the place of a sequence number, with an outcome added.
#define AL_NO_SEQUENCE 0xffffffffffffff00ull

/// Publishes the body that the holder of `ticket` encoded behind `frame`'s header. Returns the
/// sequence number; where it failed, AL_NO_SEQUENCE and the outcome.
uint64_t al_commit(al_appender *_Nonnull a, uint64_t ticket, uint8_t *_Nonnull frame, size_t count,
                   uint8_t kind, uint16_t stream);

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

/// Whether the owner of the log is asked to end the segment.
static inline bool al_wants_cut(const al_appender *_Nonnull a) {
  return __atomic_load_n(&a->wants_cut, __ATOMIC_RELAXED);
}

/// Asks for that, or does no longer; stores only what is new, since records are put beside it.
static inline void al_set_wants_cut(al_appender *_Nonnull a, bool wants) {
  if (al_wants_cut(a) != wants) __atomic_store_n(&a->wants_cut, wants, __ATOMIC_RELAXED);
}

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

static inline bool al_is_closed(const al_appender *_Nonnull a) {
  return (__atomic_load_n(&a->word, __ATOMIC_ACQUIRE) & 3) == AL_CLOSED;
}

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

/// Whether threads can be made to pass a barrier, so that one may own the place of the next
/// record; a moment after the first appender was registered.
bool al_can_own(void);

/// Whether a thread owns the place of the next record.
static inline bool al_is_owned(const al_appender *_Nonnull a) {
  return __atomic_load_n(&a->word, __ATOMIC_RELAXED) & AL_OWNED;
}

/// From now on a forked child finds this appender closed.
void al_register(al_appender *_Nonnull a);
void al_unregister(al_appender *_Nonnull a);

/// The checksum of a frame: of its length, its kind, stream and time, and its body with the zeros
/// that fill it up to a multiple of eight bytes.
uint32_t al_frame_crc(uint32_t seed, uint32_t length, uint64_t meta, const void *_Nullable body,
                      size_t count);

// MARK: Columns

/// The numbers that `al_scatter` and `al_columns` need room for.
static inline size_t al_places(uint32_t columns) { return 256 * ((size_t)columns + 1); }

/// Lays bodies that stand side by side out in columns: ordered by kind, and for each kind first
/// the first bytes of all its bodies, then the second bytes, and so on; behind the last column
/// what is left of each body. There are at most 32 columns, and the sizes add up to at most 4 GiB.
void al_scatter(const uint8_t *_Nullable bodies, const uint8_t *_Nonnull kinds,
                const uint32_t *_Nonnull sizes, size_t count, uint32_t columns,
                uint32_t *_Nonnull places, uint8_t *_Nullable target);

/// Bytes of the room that `al_columns` needs for each of 256 kinds.
#define AL_HEADS_OF_KIND 256

/// A place among bodies that `al_scatter` laid out, from which on they are put side by side.
typedef struct {
  const uint8_t *_Nullable source;
  const uint8_t *_Nonnull kinds;
  const uint32_t *_Nonnull sizes;
  uint32_t columns;
  uint32_t *_Nonnull places;
  uint8_t *_Nonnull heads;
  /// Of each kind: the bodies that were passed, and the sixteen whose heads are in `heads`, counted
  /// from 1.
  uint32_t passed[256], loaded[256];
  /// How many columns all bodies of a kind reach behind, and how many its longest.
  uint32_t full[256], most[256];
} al_columns;

/// The bytes behind scattered and behind gathered bodies that have to be there, whatever they hold;
/// they stay as they are.
#define AL_SLACK 16

/// The place before the first of `count` bodies, of at most 32 columns; `heads` is room for all
/// kinds.
void al_columns_begin(al_columns *_Nonnull c, const uint8_t *_Nullable source,
                      const uint8_t *_Nonnull kinds, const uint32_t *_Nonnull sizes, size_t count,
                      uint32_t columns, uint32_t *_Nonnull places, uint8_t *_Nonnull heads);

/// Goes on behind the bodies from `first`, where the place is, up to `end`.
void al_columns_pass(al_columns *_Nonnull c, size_t first, size_t end);

/// The same, and puts them side by side: exactly `size` bytes, which their sizes add up to.
void al_columns_gather(al_columns *_Nonnull c, size_t first, size_t end,
                       uint8_t *_Nonnull bodies, size_t size);

/// Reads `count` varints of at most `most`, and what they add up to; false when one is larger, or
/// they are cut off. `end` is set to the bytes that they take.
bool al_take_lengths(const uint8_t *_Nullable bytes, size_t size, size_t count, uint32_t most,
                     uint32_t *_Nonnull lengths, uint64_t *_Nonnull total, size_t *_Nonnull end);

/// Passes over `count` varints; false when one does not fit into 64 bits, or they are cut off. `end`
/// is set to the bytes that they take.
bool al_pass_varints(const uint8_t *_Nullable bytes, size_t size, size_t count,
                     size_t *_Nonnull end);

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

/// Makes pages of memory present and writable; false where the system can't. What they hold stays,
/// and others may change it meanwhile.
bool al_make_present(void *_Nonnull pages, size_t count);

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
