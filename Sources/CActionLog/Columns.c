#include "CActionLog.h"

#include <string.h>

/// For each kind that occurs, where its columns and its rests begin. `places` has a row for each
/// kind: a place for each column, and one for what is left behind them.
static void find_places(const uint8_t *kinds, const uint32_t *sizes, size_t count,
                        uint32_t columns, uint32_t *places) {
  uint32_t width = columns + 1;
  bool is_there[256] = {false};
  for (size_t i = 0; i < count; i++) {
    uint32_t *row = places + kinds[i] * width;
    if (!is_there[kinds[i]]) {
      is_there[kinds[i]] = true;
      memset(row, 0, width * sizeof(uint32_t));
    }
    // First how many bodies end within each column, and how much is left of the others.
    if (sizes[i] < columns) row[sizes[i]]++;
    else row[columns] += sizes[i] - columns;
  }
  uint32_t numbers[256] = {0};
  for (size_t i = 0; i < count; i++) numbers[kinds[i]]++;
  uint32_t at = 0;
  for (unsigned kind = 0; kind < 256; kind++) {
    if (!is_there[kind]) continue;
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
  find_places(kinds, sizes, count, columns, places);
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

void al_gather(const uint8_t *source, const uint8_t *kinds, const uint32_t *sizes, size_t count,
               uint32_t columns, uint32_t *places, uint8_t *bodies) {
  find_places(kinds, sizes, count, columns, places);
  for (size_t i = 0; i < count; i++) {
    uint32_t *row = places + kinds[i] * (columns + 1);
    uint32_t size = sizes[i];
    uint32_t in_columns = size < columns ? size : columns;
    for (uint32_t column = 0; column < in_columns; column++)
      bodies[column] = source[row[column]++];
    if (size > columns) {
      memcpy(bodies + columns, source + row[columns], size - columns);
      row[columns] += size - columns;
    }
    bodies += size;
  }
}
