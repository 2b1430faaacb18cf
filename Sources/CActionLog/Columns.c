#include "CActionLog.h"

#include <string.h>

/// How many bytes of a body are brought together at once, for how many bodies.
#define LANES 16
typedef uint8_t lanes __attribute__((vector_size(LANES)));

_Static_assert(LANES * LANES == AL_HEADS_OF_KIND, "A kind's heads are a square of lanes");

/// Where bodies of another kind begin, after those that follow each other from `first` on.
static inline size_t end_of_run(const uint8_t *kinds, size_t first, size_t count) {
  uint8_t kind = kinds[first];
  size_t i = first + 1;
  for (; count - i >= 8; i += 8) {
    uint64_t next;
    memcpy(&next, kinds + i, sizeof next);
    if (next != kind * 0x0101010101010101u) break;
  }
  while (i < count && kinds[i] == kind) i++;
  return i;
}

/// Counts bodies of one kind that follow each other: for each column those that reach behind it, and
/// last the bytes that are left of all behind the last column.
static inline void count_run(const uint32_t *sizes, size_t count, uint32_t columns, uint32_t *row) {
  uint32_t left = 0;
  if (count < LANES / 2 || columns > LANES) {
    for (size_t i = 0; i < count; i++) {
      uint32_t size = sizes[i], in_columns = size < columns ? size : columns;
      for (uint32_t column = 0; column < in_columns; column++) row[column]++;
      left += size - in_columns;
    }
    row[columns] += left;
    return;
  }
  const lanes numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  for (size_t i = 0; i < count;) {
    // A byte counts no more.
    size_t next = count - i < UINT8_MAX ? count : i + UINT8_MAX;
    lanes reached = {0};
    for (; i < next; i++) {
      uint32_t size = sizes[i];
      // What is true of a vector's element has all its bits set, and is -1.
      reached -= (lanes)(numbers < (uint8_t)(size < LANES ? size : LANES));
      left += size > columns ? size - columns : 0;
    }
    for (uint32_t column = 0; column < columns; column++) row[column] += reached[column];
  }
  row[columns] += left;
}

/// For each kind that occurs, where its columns and its rests begin. `places` has a row for each
/// kind: a place for each column, and one for what is left behind them. `full` gets how many columns
/// all bodies of a kind reach behind, and `most` how many the longest reaches behind.
static void find_places(const uint8_t *kinds, const uint32_t *sizes, size_t count,
                        uint32_t columns, uint32_t *places, uint32_t full[256],
                        uint32_t most[256]) {
  uint32_t width = columns + 1;
  uint32_t numbers[256] = {0};
  for (size_t i = 0; i < count;) {
    uint8_t kind = kinds[i];
    uint32_t *row = places + kind * width;
    if (numbers[kind] == 0) memset(row, 0, width * sizeof(uint32_t));
    size_t end = end_of_run(kinds, i, count);
    count_run(sizes + i, end - i, columns, row);
    numbers[kind] += (uint32_t)(end - i);
    i = end;
  }
  uint32_t at = 0;
  for (unsigned kind = 0; kind < 256; kind++) {
    if (numbers[kind] == 0) continue;
    uint32_t *row = places + kind * width;
    full[kind] = most[kind] = 0;
    for (uint32_t column = 0; column < columns; column++) {
      uint32_t longer = row[column];
      full[kind] += longer == numbers[kind];
      most[kind] += longer > 0;
      row[column] = at;
      at += longer;
    }
    uint32_t left = row[columns];
    row[columns] = at;
    at += left;
  }
}

void al_scatter(const uint8_t *bodies, const uint8_t *kinds, const uint32_t *sizes, size_t count,
                uint32_t columns, uint32_t *places, uint8_t *target) {
  uint32_t full[256], most[256];
  find_places(kinds, sizes, count, columns, places, full, most);
  for (size_t i = 0; i < count; i++) {
    uint32_t *row = places + kinds[i] * (columns + 1);
    uint32_t size = sizes[i];
    uint32_t in_columns = size < columns ? size : columns;
    for (uint32_t column = 0; column < in_columns; column++)
      target[row[column]++] = bodies[column];
    if (size > columns) {
      memcpy(target + row[columns], bodies + columns, size - columns);
      row[columns] += size - columns;
    }
    bodies += size;
  }
}

// MARK: Gathering

/// Lays the first half of the rows between the second.
static inline void weave(const lanes *rows, int count, lanes *woven) {
  for (int i = 0; i < count / 2; i++) {
    lanes low = rows[i], high = rows[i + count / 2];
    woven[2 * i] = __builtin_shufflevector(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                                           22, 7, 23);
    woven[2 * i + 1] = __builtin_shufflevector(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
                                               13, 29, 14, 30, 15, 31);
  }
}

/// Bodies of one kind that are put together.
struct bodies {
  const uint8_t *source;
  /// Where the next one goes.
  uint8_t *next;
  /// Where the kind's columns and its rests begin; those that not all bodies reach, and the rests,
  /// where they go on.
  uint32_t *row;
  uint32_t columns;
  /// How many columns all of them reach behind, and how many the longest.
  uint32_t full, most;
};

/// Brings the columns that all bodies reach together for 16 of them, from one on.
static inline void load_full(const struct bodies *b, uint32_t first, lanes columns[LANES]) {
  for (uint32_t column = 0; column < b->full; column++)
    memcpy(&columns[column], b->source + b->row[column] + first, LANES);
}

/// Brings the columns that not all bodies reach together for the next 16.
static inline void load_ragged(const struct bodies *b, const uint32_t *sizes,
                               lanes columns[LANES]) {
  for (uint32_t column = b->full; column < b->most; column++) {
    const uint8_t *byte = b->source + b->row[column];
    uint8_t *bytes = (uint8_t *)&columns[column];
    uint32_t at = 0;
    for (int i = 0; i < LANES; i++) {
      bytes[i] = byte[at];
      at += sizes[i] > column;
    }
    b->row[column] += at;
  }
}

/// Turns 16 columns into rows, a body in each; those from `count` on are empty.
static inline void turn(lanes columns[LANES], uint32_t count, lanes rows[LANES]) {
  for (uint32_t column = count; column < LANES; column++) columns[column] = (lanes){0};
  weave(columns, LANES, rows);
  weave(rows, LANES, columns);
  weave(columns, LANES, rows);
  weave(rows, LANES, columns);
  memcpy(rows, columns, LANES * sizeof *rows);
}

/// Turns 8 columns into half as wide rows.
static inline void turn_few(lanes columns[LANES], uint32_t count, lanes rows[LANES / 2]) {
  for (uint32_t column = count; column < LANES / 2; column++) columns[column] = (lanes){0};
  weave(columns, LANES / 2, rows);
  weave(rows, LANES / 2, columns);
  weave(columns, LANES / 2, rows);
}

/// Puts what is left of a body behind the columns where it belongs.
static inline void gather_rest(struct bodies *b, uint32_t size) {
  uint32_t columns = b->columns;
  if (size <= columns) return;
  uint32_t left = size - columns;
  const uint8_t *rest = b->source + b->row[columns];
  uint8_t *body = b->next + columns;
  if (left > 4 * LANES) {
    memcpy(body, rest, left);
  } else {
    for (uint32_t at = 0; at < left; at += LANES) memcpy(body + at, rest + at, LANES);
  }
  b->row[columns] += left;
}

/// The most columns that are looked through for every body, whether it reaches there or not.
#define UNSURE 4

/// Puts a body together.
static inline void gather_one(struct bodies *b, uint32_t size, const uint8_t *head) {
  uint32_t columns = b->columns, *row = b->row;
  uint8_t *body = b->next;
  memcpy(body, head, LANES);
  if (b->most - b->full <= UNSURE) {
    // Which of them reach behind a column is hard to foresee: no branch is taken on it.
    for (uint32_t column = b->full; column < b->most; column++) {
      body[column] = b->source[row[column]];
      row[column] += size > column;
    }
  } else {
    uint32_t in_columns = size < columns ? size : columns;
    for (uint32_t column = b->full; column < in_columns; column++)
      body[column] = b->source[row[column]++];
  }
  gather_rest(b, size);
  b->next += size;
}

/// Puts the next 16 bodies of one kind together, which follow each other, from the one after `passed`
/// on.
static inline void gather_group(struct bodies *b, const uint32_t *sizes, uint32_t passed) {
  lanes columns[LANES], rows[LANES];
  load_full(b, passed, columns);
  load_ragged(b, sizes, columns);
  if (b->most <= LANES / 2 && b->most < b->columns) {
    turn_few(columns, b->most, rows);
    for (int i = 0; i < LANES; i++) {
      memcpy(b->next, (const uint8_t *)rows + i * LANES / 2, LANES / 2);
      b->next += sizes[i];
    }
    return;
  }
  turn(columns, b->most, rows);
  for (int i = 0; i < LANES; i++) {
    memcpy(b->next, &rows[i], LANES);
    gather_rest(b, sizes[i]);
    b->next += sizes[i];
  }
}

/// Puts bodies of one kind together that follow each other, from the one after `passed` on. As much
/// as a row more may be written than each of them takes: what follows is written later.
static void gather_run(struct bodies *b, const uint32_t *sizes, size_t count, uint8_t *heads,
                       uint32_t passed, uint32_t *loaded) {
  size_t i = 0;
  if (b->columns <= LANES) {
    for (; count - i >= LANES; i += LANES, passed += LANES) gather_group(b, sizes + i, passed);
  }
  // Few of them: what 16 have in full is kept for the next run.
  for (; i < count; i++, passed++) {
    uint32_t lane = passed % LANES, group = passed / LANES + 1;
    if (group != *loaded) {
      lanes columns[LANES], rows[LANES];
      load_full(b, passed - lane, columns);
      turn(columns, b->full, rows);
      memcpy(heads, rows, sizeof rows);
      *loaded = group;
    }
    gather_one(b, sizes[i], heads + lane * LANES);
  }
}

void al_columns_begin(al_columns *c, const uint8_t *source, const uint8_t *kinds,
                      const uint32_t *sizes, size_t count, uint32_t columns, uint32_t *places,
                      uint8_t *heads) {
  c->source = source;
  c->kinds = kinds;
  c->sizes = sizes;
  c->columns = columns;
  c->places = places;
  c->heads = heads;
  find_places(kinds, sizes, count, columns, places, c->full, c->most);
  memset(c->passed, 0, sizeof c->passed);
  memset(c->loaded, 0, sizeof c->loaded);
  // More than a row has are taken one by one.
  if (columns > LANES) memset(c->full, 0, sizeof c->full);
}

void al_columns_pass(al_columns *c, size_t first, size_t end) {
  uint32_t columns = c->columns;
  for (size_t i = first; i < end;) {
    uint8_t kind = c->kinds[i];
    size_t start = i;
    i = end_of_run(c->kinds, start, end);
    uint32_t *row = c->places + kind * (columns + 1), full = c->full[kind], left = 0;
    c->passed[kind] += (uint32_t)(i - start);
    for (size_t one = start; one < i; one++) {
      uint32_t size = c->sizes[one];
      uint32_t in_columns = size < columns ? size : columns;
      for (uint32_t column = full; column < in_columns; column++) row[column]++;
      left += size - in_columns;
    }
    row[columns] += left;
  }
}

void al_columns_gather(al_columns *c, size_t first, size_t end, uint8_t *bodies, size_t size) {
  // What stands behind may have been made ready before.
  uint8_t behind[AL_SLACK];
  memcpy(behind, bodies + size, AL_SLACK);
  struct bodies b = {.source = c->source, .next = bodies, .columns = c->columns};
  for (size_t i = first; i < end;) {
    uint8_t kind = c->kinds[i];
    size_t start = i;
    i = end_of_run(c->kinds, start, end);
    b.row = c->places + kind * (c->columns + 1);
    b.full = c->full[kind];
    b.most = c->most[kind];
    gather_run(&b, c->sizes + start, i - start, c->heads + (size_t)kind * AL_HEADS_OF_KIND,
               c->passed[kind], &c->loaded[kind]);
    c->passed[kind] += (uint32_t)(i - start);
  }
  memcpy(bodies + size, behind, AL_SLACK);
}

// MARK: Varints

#define TOP_BITS 0x8080808080808080u

/// Reads a varint that fits into 64 bits; false when it does not, or is cut off.
static inline bool take_varint(const uint8_t *bytes, size_t size, size_t *at, uint64_t *value) {
  uint64_t result = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (*at == size) return false;
    uint8_t byte = bytes[(*at)++];
    if (shift == 63 && byte > 1) return false;
    result |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) {
      *value = result;
      return true;
    }
  }
  return false;
}

bool al_take_lengths(const uint8_t *bytes, size_t size, size_t count, uint32_t most,
                     uint32_t *lengths, uint64_t *total, size_t *end) {
  uint64_t sum = 0;
  size_t at = 0;
  for (size_t i = 0; i < count;) {
    uint64_t next;
    if (count - i >= 8 && size - at >= 8 && most >= 0x7f &&
        (memcpy(&next, bytes + at, 8), (next & TOP_BITS) == 0)) {
      for (int one = 0; one < 8; one++) sum += lengths[i + one] = bytes[at + one];
      i += 8;
      at += 8;
      continue;
    }
    if (!take_varint(bytes, size, &at, &next) || next > most) return false;
    lengths[i++] = (uint32_t)next;
    sum += next;
  }
  *total = sum;
  *end = at;
  return true;
}

bool al_pass_varints(const uint8_t *bytes, size_t size, size_t count, size_t *end) {
  size_t at = 0;
  for (size_t i = 0; i < count;) {
    uint64_t next;
    if (count - i >= 8 && size - at >= 8 &&
        (memcpy(&next, bytes + at, 8), (next & TOP_BITS) == 0)) {
      i += 8;
      at += 8;
      continue;
    }
    if (!take_varint(bytes, size, &at, &next)) return false;
    i++;
  }
  *end = at;
  return true;
}
