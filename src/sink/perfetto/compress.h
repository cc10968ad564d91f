// Packets compressed together, which Perfetto reads as if they stood alone.
#ifndef TP_SINK_PERFETTO_COMPRESS_H
#define TP_SINK_PERFETTO_COMPRESS_H

#include "base/span.h"

// Returns the most bytes that tp_perfetto_compress writes.
size_t tp_perfetto_compressed_max_bytes(size_t len_bytes);
// Writes one packet with `packets`, less than 4 GiB, to `to`; returns its length. 0: out of memory.
size_t tp_perfetto_compress(unsigned char *to, struct tp_span packets);

#endif
