// Strings, stacks and CPU samples of the generation being written. Their contents depend on the
// seed and an index, so only ids are stored: an entry gets the next id at its first use in a
// generation, as in the runtime.
#ifndef TP_SUPPORT_SYNTH_TABLES_H
#define TP_SUPPORT_SYNTH_TABLES_H

#include "synth_wire.h"

// Groups of strings with a fixed meaning, from which one may be picked.
enum synth_text_group {
    SYNTH_TEXT_STOP,
    SYNTH_TEXT_BLOCK,
    SYNTH_TEXT_STW,
    SYNTH_TEXT_LABEL,
    SYNTH_TEXT_GROUPS
};

// Ids assigned in one generation. id[i] holds only if stamp[i] is the current stamp.
struct synth_ids {
    uint32_t *stamp;
    uint32_t *id;
    uint32_t *used; // indices by id - 1
    uint32_t used_count;
    uint32_t capacity;
};

struct synth_tables {
    const struct synth_config *config;
    struct synth_wire *wire;
    struct synth_rand rand;
    struct synth_ids strings;
    struct synth_ids stacks;
    struct synth_batch string_batch;
    struct synth_batch stack_batch;
    struct synth_batch sample_batch;
    uint32_t stamp; // of the current generation; never 0
};

int synth_tables_init(struct synth_tables *t, const struct synth_config *config,
                      struct synth_wire *wire, struct tp_error *err) TP_MUST_USE;
void synth_tables_fini(struct synth_tables *t);

void synth_tables_begin(struct synth_tables *t);
// Write the rest of the tables at the end of a generation: first samples and stacks, then strings.
void synth_tables_end_stacks(struct synth_tables *t);
void synth_tables_end_strings(struct synth_tables *t);

// Each returns an id of the current generation.
uint64_t synth_pick_text(struct synth_tables *t, enum synth_text_group group);
uint64_t synth_user_string(struct synth_tables *t, uint32_t index);
uint64_t synth_pick_user_string(struct synth_tables *t);
uint64_t synth_pick_stack(struct synth_tables *t); // sometimes 0
uint64_t synth_entry_stack(struct synth_tables *t, uint64_t key); // a stack of one frame

void synth_sample(struct synth_tables *t, uint64_t m, uint64_t p, uint64_t g);

#endif
