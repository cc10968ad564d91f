// Loads and stores words of little-endian bytes: the first byte is the lowest, whatever the order
// of the machine. Addresses need no alignment.
#ifndef TP_BASE_LITTLE_H
#define TP_BASE_LITTLE_H

#include <endian.h>
#include <string.h>

#include "base/attr.h"

TP_INLINE uint32_t tp_load_le32(const unsigned char *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return le32toh(word);
}

TP_INLINE uint64_t tp_load_le64(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return le64toh(word);
}

TP_INLINE void tp_store_le64(unsigned char *p, uint64_t word)
{
    word = htole64(word);
    memcpy(p, &word, sizeof word);
}

#endif
