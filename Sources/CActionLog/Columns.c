#include "CActionLog.h"

#include <string.h>

/// How many bytes of a body are brought together at once, for how many bodies.
#define LANES 16
typedef uint8_t lanes __attribute__((vector_size(LANES)));

_Static_assert(LANES * LANES == AL_HEADS_OF_KIND, "A kind's heads are a square of lanes");

/// Whether the next 16 sizes are all the same one.
static inline bool are_all(const uint32_t *sizes, uint32_t size) {
  uint32_t others = 0;
  for (int i = 0; i < LANES; i++) others |= sizes[i] ^ size;
  return others == 0;
}

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

/// For each kind that occurs, where its columns and its rests begin. `places` has a row for each
/// kind: a place for each column, and one for what is left behind them. `numbers` gets the bodies
/// of each kind, `full` how many columns all of them reach behind, and `most` how many the longest
/// reaches behind.
static void find_places(const uint8_t *kinds, const uint32_t *sizes, size_t count,
                        uint32_t columns, uint32_t *places, uint32_t numbers[256],
                        uint32_t full[256], uint32_t most[256]) {
  uint32_t width = columns + 1;
  uint32_t lefts[256];
  memset(numbers, 0, 256 * sizeof(uint32_t));
  for (size_t i = 0; i < count;) {
    uint8_t kind = kinds[i];
    uint32_t *row = places + kind * width;
    if (numbers[kind] == 0) {
      memset(row, 0, width * sizeof(uint32_t));
      full[kind] = columns;
      most[kind] = lefts[kind] = 0;
    }
    // First how many bodies end within each column, and how much is left of the others.
    size_t end = end_of_run(kinds, i, count), first = i;
    uint32_t left = 0, least = full[kind], longest = most[kind];
    while (i < end) {
      size_t next = end - i < LANES ? end : i + LANES;
      uint32_t size = sizes[i], number = 1;
      if (next - i == LANES && are_all(sizes + i, size)) {
        number = LANES;
        i = next - 1;
      }
      for (; i < next; i++) {
        size = sizes[i];
        uint32_t in_columns = size < columns ? size : columns;
        row[in_columns] += number;
        left += number * (size - in_columns);
        least = in_columns < least ? in_columns : least;
        longest = in_columns > longest ? in_columns : longest;
      }
    }
    numbers[kind] += (uint32_t)(i - first);
    full[kind] = least;
    most[kind] = longest;
    lefts[kind] += left;
  }
  uint32_t at = 0;
  for (unsigned kind = 0; kind < 256; kind++) {
    if (numbers[kind] == 0) continue;
    uint32_t *row = places + kind * width;
    uint32_t longer = numbers[kind];
    for (uint32_t column = 0; column < columns; column++) {
      longer -= row[column];
      row[column] = at;
      at += longer;
    }
    row[columns] = at;
    at += lefts[kind];
  }
}

void al_scatter(const uint8_t *bodies, const uint8_t *kinds, const uint32_t *sizes, size_t count,
                uint32_t columns, uint32_t *places, uint8_t *target) {
  uint32_t numbers[256];
  uint32_t full[256], most[256];
  find_places(kinds, sizes, count, columns, places, numbers, full, most);
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

/// Lays the first half of the rows between the second; after four times rows are columns.
static inline void weave(const lanes rows[LANES], lanes woven[LANES]) {
  for (int i = 0; i < LANES / 2; i++) {
    lanes low = rows[i], high = rows[i + LANES / 2];
    woven[2 * i] = __builtin_shufflevector(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                                           22, 7, 23);
    woven[2 * i + 1] = __builtin_shufflevector(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
                                               13, 29, 14, 30, 15, 31);
  }
}

/// The columns of the last bodies of a kind, fewer than 16.
static __attribute__((noinline)) void load_last(const uint8_t *source, const uint32_t *row,
                                                uint32_t columns, uint32_t first, uint32_t left,
                                                lanes rows[LANES]) {
  for (uint32_t column = 0; column < columns; column++)
    memcpy(&rows[column], source + row[column] + first, left);
}

/// Brings the first columns of the next 16 bodies of a kind together, of `number` bodies in all: a row
/// for each body, whatever the number of columns.
static inline void gather_heads(const uint8_t *source, const uint32_t *row, uint32_t columns,
                                uint32_t number, uint32_t first, lanes rows[LANES]) {
  lanes woven[LANES];
  memset(rows, 0, LANES * sizeof *rows);
  if (number - first < LANES) {
    load_last(source, row, columns, first, number - first, rows);
  } else {
    for (uint32_t column = 0; column < columns; column++)
      memcpy(&rows[column], source + row[column] + first, LANES);
  }
  weave(rows, woven);
  weave(woven, rows);
  weave(rows, woven);
  weave(woven, rows);
}

/// Bodies of one kind that are put together.
struct bodies {
  const uint8_t *source, *source_end;
  /// Where the next one goes, and where the room for them ends.
  uint8_t *next, *end;
  /// Where the kind's columns and its rests go on.
  uint32_t *row;
  uint32_t columns;
  /// How many columns all of them reach behind, at most LANES, and how many the longest.
  uint32_t full, most;
};

/// The most columns that are looked through for every body, whether it reaches there or not.
#define UNSURE 4

/// Puts a body together where as much as two rows more may be copied than it takes: what follows
/// is written later.
static inline void gather_quickly(struct bodies *b, uint32_t size, const uint8_t *head) {
  uint32_t columns = b->columns, *row = b->row;
  uint8_t *body = b->next;
  memcpy(body, head, LANES);
  if (b->most - b->full <= UNSURE) {
    // Which of them reach behind a column is hard to foresee: no branch is taken on it.
    for (uint32_t column = b->full; column < b->most; column++) {
      const uint8_t *byte = b->source + row[column];
      body[column] = byte < b->source_end ? *byte : 0;
      row[column] += size > column;
    }
  } else {
    uint32_t in_columns = size < columns ? size : columns;
    for (uint32_t column = b->full; column < in_columns; column++)
      body[column] = b->source[row[column]++];
  }
  if (size > columns) {
    uint32_t left = size - columns;
    const uint8_t *rest = b->source + row[columns];
    if ((size_t)(b->source_end - rest) >= (size_t)left + LANES) {
      for (uint32_t at = 0; at < left; at += LANES)
        memcpy(body + columns + at, rest + at, LANES);
    } else {
      memcpy(body + columns, rest, left);
    }
    row[columns] += left;
  }
  b->next += size;
}

/// Puts a body together and writes no byte that is not its own.
static __attribute__((noinline)) void gather_exactly(struct bodies *b, uint32_t size,
                                                     const uint8_t *head) {
  uint32_t columns = b->columns, *row = b->row;
  uint32_t in_columns = size < columns ? size : columns;
  memcpy(b->next, head, b->full);
  for (uint32_t column = b->full; column < in_columns; column++)
    b->next[column] = b->source[row[column]++];
  if (size > columns) {
    memcpy(b->next + columns, b->source + row[columns], size - columns);
    row[columns] += size - columns;
  }
  b->next += size;
}

/// Puts bodies of one kind together that follow each other, from the one after `passed` on.
static void gather_run(struct bodies *b, const uint32_t *sizes, size_t count, uint8_t *heads,
                       uint32_t number, uint32_t passed, uint32_t *loaded) {
  bool is_even = b->full == b->most && b->full < b->columns;
  for (size_t i = 0; i < count; i++, passed++) {
    uint32_t lane = passed % LANES, group = passed / LANES + 1;
    if (group != *loaded) {
      lanes rows[LANES];
      gather_heads(b->source, b->row, b->full, number, passed - lane, rows);
      if (lane == 0 && is_even && count - i >= LANES &&
          (size_t)(b->end - b->next) >= (LANES - 1) * b->full + LANES &&
          are_all(sizes + i, b->full)) {
        // Nothing of them is elsewhere.
        for (int one = 0; one < LANES; one++, b->next += b->full)
          memcpy(b->next, &rows[one], LANES);
        i += LANES - 1;
        passed += LANES - 1;
        continue;
      }
      memcpy(heads, rows, sizeof rows);
      *loaded = group;
    }
    uint32_t size = sizes[i];
    if ((size_t)(b->end - b->next) >= (size_t)size + 2 * LANES) {
      gather_quickly(b, size, heads + lane * LANES);
    } else {
      gather_exactly(b, size, heads + lane * LANES);
    }
  }
}

void al_columns_begin(al_columns *c, const uint8_t *source, const uint8_t *kinds,
                      const uint32_t *sizes, size_t count, uint32_t columns, size_t total,
                      uint32_t *places, uint8_t *heads) {
  c->source = source;
  c->kinds = kinds;
  c->sizes = sizes;
  c->count = count;
  c->total = total;
  c->columns = columns;
  c->places = places;
  c->heads = heads;
  find_places(kinds, sizes, count, columns, places, c->numbers, c->full, c->most);
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
  struct bodies b = {.source = c->source,
                     .source_end = c->source + c->total,
                     .next = bodies,
                     .end = bodies + size,
                     .columns = c->columns};
  for (size_t i = first; i < end;) {
    uint8_t kind = c->kinds[i];
    size_t start = i;
    i = end_of_run(c->kinds, start, end);
    b.row = c->places + kind * (c->columns + 1);
    b.full = c->full[kind];
    b.most = c->most[kind];
    gather_run(&b, c->sizes + start, i - start, c->heads + (size_t)kind * AL_HEADS_OF_KIND,
               c->numbers[kind], c->passed[kind], &c->loaded[kind]);
    c->passed[kind] += (uint32_t)(i - start);
  }
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
