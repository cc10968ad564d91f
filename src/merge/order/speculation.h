// Orders one generation before the previous one is done, based on assumptions about the end of the
// previous one (see assumption.h), and checks afterwards whether the assumptions were right.
//
//   speculator     begin ─ fill* (up to the cut, events unused) ─ fill* until END
//   order proper   tp_sequencer_begin, tp_sequencer_fill as often ─ adopt
//
// Up to the cut both make the same number of fill calls with the same capacities, but the
// speculator's events may be wrong: its times are wrong until they are later than the end of the
// previous generation, and the first events of a thread depend on what the thread did in that
// generation. After the cut, if adopt returns true, the speculator's events equal those of the
// order proper in times, threads and arguments; the only exceptions are the parent and name of a
// task that began before the cut and ends after it.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_ORDER_SPECULATION_H
#define TP_MERGE_ORDER_SPECULATION_H

#include "merge/order/assumption.h"
#include "merge/order/sequence.h"

// A sequencer's position in a generation, for comparing the two sequencers at the cut. Owns its
// arrays.
struct tp_sequencer_pos {
    uint64_t *left_bytes;   // tp_cursor_left_bytes of each cursor
    uint32_t *turns;        // indices of cursors, in the order of the frontier's entries
    size_t cursor_count;
    size_t turn_count;
    size_t sample_idx;
    int64_t last_ns;
};

// The order of one generation by a speculator. Owns all its parts until fini.
struct tp_speculative_order {
    struct tp_sequencer sequencer; // the speculator
    struct tp_assumptions assumptions;
    int64_t cut_ns;
    uint64_t fill_count;           // fills up to the cut
    uint64_t event_count;          // events of these fills
    bool is_cut;                   // the cut has been reached
    struct tp_order cut_order;     // copy of the speculator's states at the cut
    struct tp_sequencer_pos cut_pos;
};

// Begins to order the generation `g` speculatively. The cut comes after the first fill whose last
// event is later than `cut_ns` by more than one nanosecond for each event so far; `cut_ns` should
// be a little later than the last event of the previous generation. `max_state_bytes` limits the
// states, and separately the assumptions. `g`, the bodies of its batches and `loader` must last
// until END; `a` takes its own hold of `tables`. Fails as tp_sequencer_begin does; call fini also
// then.
int tp_speculative_order_begin(struct tp_speculative_order *a, const struct tp_generation *g,
                               struct tp_tables *tables, struct tp_batch_loader *loader,
                               int64_t cut_ns, uint64_t max_state_bytes, bool strict,
                               struct tp_error *err) TP_MUST_USE;
// Frees everything. `a` may be zeroed, or left by a begin that failed.
void tp_speculative_order_fini(struct tp_speculative_order *a);

// Fills `events` with the speculator's next events; status and outputs are those of
// tp_sequencer_fill. Sets *ret_is_behind to whether the events come after the cut. BROKEN: the
// speculator cannot infer how the generation continues, or the generation ends before the cut; then
// nothing can be adopted.
enum tp_fill_status tp_speculative_order_fill(struct tp_speculative_order *a,
                                              struct tp_event *events, size_t capacity,
                                              size_t *ret_count, bool *ret_is_behind,
                                              struct tp_error *err);

// Gives `s`, the order proper, the speculator's states at the end of the generation, if all
// assumptions were right. Call after `s` has made a->fill_count fills of the generation and `a` has
// reached its END. True: `s` stands at the end of the generation, too. False with err->code 0: an
// assumption was wrong, and `s` can continue with fills. False with TP_E_MEMORY: `s` may only be
// torn down.
bool tp_speculative_order_adopt(struct tp_speculative_order *a, struct tp_sequencer *s,
                                struct tp_error *err);

#endif
