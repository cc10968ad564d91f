// Orders one generation before the one in front of it is done, by assumptions about the end of
// that one (see assumption.h), and checks afterwards that the assumptions were right.
//
//   speculator     begin ─ fill* (up to the cut, events unused) ─ fill* until END
//   order proper   tp_sequencer_begin, tp_sequencer_fill as often ─ adopt
//
// Up to the cut the two make the same number of fill calls with the same capacities, but the
// speculator's events may be wrong: its times are wrong until they have passed the end of the
// previous generation, and the first events of a thread depend on what the thread did there.
// Behind the cut, if adopt returns true, the speculator's events equal those of the order proper
// in times, threads and arguments; the only exceptions are the parent and name of a task that
// began before the cut and ends behind it.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_ORDER_SPECULATION_H
#define TP_MERGE_ORDER_SPECULATION_H

#include "merge/order/assumption.h"
#include "merge/order/sequence.h"

// Where a sequencer stands in a generation.
struct tp_sequencer_pos {
    uint64_t *left_bytes;   // of each cursor
    uint32_t *turns;        // indices of cursors, in the order of the frontier's entries
    size_t cursor_count;
    size_t turn_count;
    size_t sample_idx;
    int64_t last_ns;
};

struct tp_speculative_order {
    struct tp_sequencer sequencer; // the speculator
    struct tp_assumptions assumptions;
    int64_t cut_ns;
    uint64_t fill_count;           // fills up to the cut
    uint64_t event_count;          // events of these fills
    bool is_cut;
    struct tp_order cut_order;
    struct tp_sequencer_pos cut_pos;
};

// Begins to speculate about the generation `g`. The cut lies behind the first fill whose last
// event is later than `cut_ns`, which should be a little later than the last event of the
// previous generation. `max_state_bytes` bounds the states, and separately the assumptions. `g`
// and its bodies, which must lie in memory, must last until END. Fails as tp_sequencer_begin does.
int tp_speculative_order_begin(struct tp_speculative_order *a, const struct tp_generation *g,
                               struct tp_tables *tables, struct tp_batch_loader *loader,
                               int64_t cut_ns, uint64_t max_state_bytes, bool strict,
                               struct tp_error *err) TP_MUST_USE;
// `a` may be zeroed, or left by a begin that failed.
void tp_speculative_order_fini(struct tp_speculative_order *a);

// Fills `events` with the speculator's next events; status and outputs are those of
// tp_sequencer_fill. *ret_is_behind says whether the events lie behind the cut. BROKEN: the
// speculator cannot tell how the generation goes on, or the generation ends before the cut;
// then nothing can be adopted.
enum tp_fill_status tp_speculative_order_fill(struct tp_speculative_order *a,
                                              struct tp_event *events, size_t capacity,
                                              size_t *ret_count, bool *ret_is_behind,
                                              struct tp_error *err);

// Call after `s` has made a->fill_count fills of the generation and `a` has reached its END.
// True: all assumptions were right, and `s` stands at the end of the generation, too. False with
// err->code 0: `s` can go on filling. False with TP_E_MEMORY in *err: `s` is unusable.
bool tp_speculative_order_adopt(struct tp_speculative_order *a, struct tp_sequencer *s,
                                struct tp_error *err);

#endif
