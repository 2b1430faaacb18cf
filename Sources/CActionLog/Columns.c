#include "CActionLog.h"

#include <string.h>

/// For each kind that occurs, where its columns and its rests begin. `places` has a row for each
/// kind: a place for each column, and one for what is left behind them. `numbers` gets the bodies
/// of each kind, and `are_long` whether all of them reach behind the columns.
static void find_places(const uint8_t *kinds, const uint32_t *sizes, size_t count,
                        uint32_t columns, uint32_t *places, uint32_t numbers[256],
                        bool are_long[256]) {
  uint32_t width = columns + 1;
  memset(numbers, 0, 256 * sizeof(uint32_t));
  for (size_t i = 0; i < count;) {
    uint8_t kind = kinds[i];
    uint32_t *row = places + kind * width;
    if (numbers[kind] == 0) {
      memset(row, 0, width * sizeof(uint32_t));
      are_long[kind] = true;
    }
    size_t first = i;
    uint32_t left = 0;
    for (; i < count && kinds[i] == kind; i++) {
      // First how many bodies end within each column, and how much is left of the others.
      if (sizes[i] < columns) {
        row[sizes[i]]++;
        are_long[kind] = false;
      } else {
        left += sizes[i] - columns;
      }
    }
    numbers[kind] += (uint32_t)(i - first);
    row[columns] += left;
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
    uint32_t rest = row[columns];
    row[columns] = at;
    at += rest;
  }
}

void al_scatter(const uint8_t *bodies, const uint8_t *kinds, const uint32_t *sizes, size_t count,
                uint32_t columns, uint32_t *places, uint8_t *target) {
  uint32_t numbers[256];
  bool are_long[256];
  find_places(kinds, sizes, count, columns, places, numbers, are_long);
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

/// How many bytes of a body are brought together at once, for how many bodies.
#define LANES 16
typedef uint8_t lanes __attribute__((vector_size(LANES)));

_Static_assert(LANES * LANES == AL_HEADS_OF_KIND, "A kind's heads are a square of lanes");

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

/// Brings the columns of the next 16 bodies of a kind together, of `number` bodies in all; each head
/// takes 16 bytes, whatever the number of columns.
static void gather_heads(const uint8_t *source, const uint32_t *row, uint32_t columns,
                         uint32_t number, uint32_t first, uint8_t *heads) {
  lanes rows[LANES] = {0}, woven[LANES];
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
  memcpy(heads, rows, sizeof rows);
}

/// What is gathered, and where it ends.
struct gathering {
  const uint8_t *source, *source_end;
  uint8_t *bodies, *bodies_end;
  uint32_t columns;
};

/// Puts a body together near the end, where no byte too many may be copied.
static __attribute__((noinline)) void gather_exactly(struct gathering *g, const uint8_t *head,
                                                     const uint8_t *rest, uint32_t size) {
  memcpy(g->bodies, head, g->columns);
  memcpy(g->bodies + g->columns, rest, size - g->columns);
}

/// Puts bodies of one kind together that follow each other and all reach behind the columns.
static void gather_run(struct gathering *g, const uint32_t *sizes, size_t count, uint32_t *row,
                       uint32_t number, uint32_t *taken, uint8_t *heads) {
  uint32_t columns = g->columns, first = *taken;
  const uint8_t *rest = g->source + row[columns];
  for (size_t i = 0; i < count; i++) {
    uint32_t size = sizes[i], index = first + (uint32_t)i;
    if (index % LANES == 0) gather_heads(g->source, row, columns, number, index, heads);
    const uint8_t *head = heads + index % LANES * LANES;
    // By whole lanes, a few bytes too many: what follows is written later.
    size_t left = size - columns;
    if ((size_t)(g->bodies_end - g->bodies) >= (size_t)size + LANES &&
        (size_t)(g->source_end - rest) >= left + LANES) {
      uint8_t *body = g->bodies;
      memcpy(body, head, LANES);
      for (size_t at = 0; at < left; at += LANES) memcpy(body + columns + at, rest + at, LANES);
    } else {
      gather_exactly(g, head, rest, size);
    }
    g->bodies += size;
    rest += left;
  }
  *taken = first + (uint32_t)count;
  row[columns] = (uint32_t)(rest - g->source);
}

/// Puts a body together byte by byte.
static void gather_one(struct gathering *g, uint32_t size, uint32_t *row) {
  uint32_t in_columns = size < g->columns ? size : g->columns;
  for (uint32_t column = 0; column < in_columns; column++)
    g->bodies[column] = g->source[row[column]++];
  if (size > g->columns) {
    memcpy(g->bodies + g->columns, g->source + row[g->columns], size - g->columns);
    row[g->columns] += size - g->columns;
  }
  g->bodies += size;
}

void al_gather(const uint8_t *source, const uint8_t *kinds, const uint32_t *sizes, size_t count,
               uint32_t columns, size_t total, uint32_t *places, uint8_t *heads,
               uint8_t *bodies) {
  uint32_t numbers[256], taken[256];
  bool are_long[256];
  find_places(kinds, sizes, count, columns, places, numbers, are_long);
  memset(taken, 0, sizeof taken);
  struct gathering g = {source, source + total, bodies, bodies + total, columns};
  for (size_t i = 0; i < count;) {
    uint8_t kind = kinds[i];
    uint32_t *row = places + kind * (columns + 1);
    size_t first = i++;
    if (!are_long[kind] || columns > LANES) {
      gather_one(&g, sizes[first], row);
      continue;
    }
    while (i < count && kinds[i] == kind) i++;
    gather_run(&g, sizes + first, i - first, row, numbers[kind], &taken[kind],
               heads + (size_t)kind * AL_HEADS_OF_KIND);
  }
}
