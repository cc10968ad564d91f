// Test support: decodes runs of events ahead of the order, in parts of any size.
#ifndef TP_SUPPORT_DECODE_LAB_H
#define TP_SUPPORT_DECODE_LAB_H

#include "merge/order/cursor.h"

// Decodes up to `part_max` parts of `each` events of the run `m`. `loader` loads the batches
// that are not in memory. The caller frees the parts with decode_lab_fini. Aborts without
// memory.
void decode_lab_run(struct tp_decoded_run *run, const struct tp_m_run *m,
                    const struct tp_tables *t, struct tp_batch_loader *loader, size_t each,
                    size_t part_max);
void decode_lab_fini(struct tp_decoded_run *run);

#endif
