#include "CActionLog.h"
#include "Internal.h"

#include <string.h>

#define POLYNOMIAL 0x82f63b78u

static uint32_t tables[8][256];
/// Bytes of a lane: three are summed side by side, since the processor's instruction takes three
/// steps, and begins one at each.
#define LANE 512
/// What so many zeros behind it make of a checksum, by each of its bytes.
static uint32_t behind_lane[4][256];
bool al_has_crc_instruction;

__attribute__((constructor)) static void prepare(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
    tables[0][i] = crc;
  }
  for (uint32_t i = 0; i < 256; i++)
    for (int t = 1; t < 8; t++)
      tables[t][i] = (tables[t - 1][i] >> 8) ^ tables[0][tables[t - 1][i] & 0xff];
  for (unsigned bit = 0; bit < 32; bit++) {
    uint32_t crc = 1u << bit;
    for (int i = 0; i < LANE; i++) crc = crc >> 8 ^ tables[0][crc & 0xff];
    for (unsigned byte = 0; byte < 256; byte++)
      if (byte >> bit % 8 & 1) behind_lane[bit / 8][byte] ^= crc;
  }
#if defined(__x86_64__)
  __builtin_cpu_init();
  al_has_crc_instruction = __builtin_cpu_supports("sse4.2");
#elif defined(__ARM_FEATURE_CRC32)
  al_has_crc_instruction = true;
#endif
}

uint32_t al_crc32c_portable(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *p = bytes;
  crc = ~crc;
  while (count >= 8) {
    uint32_t low = crc ^ ((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
                          (uint32_t)p[3] << 24);
    crc = tables[7][low & 0xff] ^ tables[6][low >> 8 & 0xff] ^ tables[5][low >> 16 & 0xff] ^
          tables[4][low >> 24] ^ tables[3][p[4]] ^ tables[2][p[5]] ^ tables[1][p[6]] ^
          tables[0][p[7]];
    p += 8;
    count -= 8;
  }
  while (count--) crc = crc >> 8 ^ tables[0][(crc ^ *p++) & 0xff];
  return ~crc;
}

#if AL_CRC_INSTRUCTION
static inline uint32_t shifted(uint32_t crc) {
  return behind_lane[0][crc & 0xff] ^ behind_lane[1][crc >> 8 & 0xff] ^
         behind_lane[2][crc >> 16 & 0xff] ^ behind_lane[3][crc >> 24];
}

AL_CRC_TARGET static uint32_t with_instruction(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *p = bytes;
  while (count >= 3 * LANE) {
    uint32_t first = ~crc, second = 0, third = 0;
    for (const uint8_t *end = p + LANE; p < end; p += 8) {
      uint64_t words[3];
      memcpy(&words[0], p, 8);
      memcpy(&words[1], p + LANE, 8);
      memcpy(&words[2], p + 2 * LANE, 8);
      first = AL_CRC64(first, words[0]);
      second = AL_CRC64(second, words[1]);
      third = AL_CRC64(third, words[2]);
    }
    crc = ~(shifted(shifted(first) ^ second) ^ third);
    p += 2 * LANE;
    count -= 3 * LANE;
  }
  return al_crc32c_inline(crc, p, count);
}
#endif

uint32_t al_crc32c(uint32_t crc, const void *bytes, size_t count) {
#if AL_CRC_INSTRUCTION
  if (al_has_crc_instruction) return with_instruction(crc, bytes, count);
#endif
  return al_crc32c_portable(crc, bytes, count);
}
