#include "CActionLog.h"
#include "Internal.h"

#include <string.h>

#define POLYNOMIAL 0x82f63b78u

static uint32_t tables[8][256];
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
AL_CRC_TARGET static uint32_t with_instruction(uint32_t crc, const void *bytes, size_t count) {
  return al_crc32c_inline(crc, bytes, count);
}
#endif

uint32_t al_crc32c(uint32_t crc, const void *bytes, size_t count) {
#if AL_CRC_INSTRUCTION
  if (al_has_crc_instruction) return with_instruction(crc, bytes, count);
#endif
  return al_crc32c_portable(crc, bytes, count);
}
