#pragma once

#include "CActionLog.h"

#include <string.h>

extern bool al_has_crc_instruction;

#if defined(__x86_64__)
#define AL_CRC_INSTRUCTION 1
#define AL_CRC_TARGET __attribute__((target("sse4.2")))
#define AL_CRC8(crc, x) __builtin_ia32_crc32qi(crc, x)
#define AL_CRC32(crc, x) __builtin_ia32_crc32si(crc, x)
#define AL_CRC64(crc, x) (uint32_t)__builtin_ia32_crc32di(crc, x)
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define AL_CRC_INSTRUCTION 1
#define AL_CRC_TARGET
#define AL_CRC8(crc, x) __crc32cb(crc, x)
#define AL_CRC32(crc, x) __crc32cw(crc, x)
#define AL_CRC64(crc, x) __crc32cd(crc, x)
#else
#define AL_CRC_INSTRUCTION 0
#endif

#if AL_CRC_INSTRUCTION
AL_CRC_TARGET static inline uint32_t al_crc32c_inline(uint32_t crc, const void *bytes,
                                                      size_t count) {
  const uint8_t *p = bytes;
  crc = ~crc;
  while (count >= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    crc = AL_CRC64(crc, word);
    p += 8;
    count -= 8;
  }
  if (count & 4) {
    uint32_t word;
    memcpy(&word, p, 4);
    crc = AL_CRC32(crc, word);
    p += 4;
  }
  for (count &= 3; count; count--) crc = AL_CRC8(crc, *p++);
  return ~crc;
}
#endif
