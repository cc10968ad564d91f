// Decodes a run of events before the order walks it, in parts of any size, as a pipeline with
// `runs=decoded` does.
#ifndef TP_SUPPORT_DECODE_LAB_H
#define TP_SUPPORT_DECODE_LAB_H

#include "merge/order/cursor.h"

// Decodes up to `part_max` parts of `each` events. `loader` gives bytes that do not lie in
// memory. Lack of memory ends the program. decode_lab_fini frees the parts.
void decode_lab_run(struct tp_decoded_run *run, const struct tp_m_run *m,
                    const struct tp_tables *t, struct tp_batch_loader *loader, size_t each,
                    size_t part_max);
void decode_lab_fini(struct tp_decoded_run *run);

#endif
