// One generation put in order before the one before it is done, by assuming what that
// one would tell (see assumption.h), and the proof that the assumptions were right.
//
//   speculator     create ─ begin ─ fill* (up to the cut, for nothing) ─ fill* until END
//   order proper   tp_sequencer_begin, tp_sequencer_fill as often ─ adopt
//
// Up to the cut both fill as many times, each with the same capacity, but the speculator's
// events may be wrong: times cannot be right before they have caught up with
// the end of the generation before, and the first words of threads are about what they
// did there. Behind the cut the speculator's events are those of the order proper, if adopt
// says so: times, threads and arguments, all but parent and name of a task that ends
// and began before the cut.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_ORDER_SPECULATION_H
#define TP_MERGE_ORDER_SPECULATION_H

#include "merge/order/assumption.h"
#include "merge/order/sequence.h"

// Where a sequencer stands in a generation.
struct tp_sequencer_pos {
    uint64_t *left_bytes;   // of each cursor
    uint32_t *turns;        // the cursors as they are in the frontier
    size_t cursor_count;
    size_t turn_count;
    size_t sample_idx;
    int64_t last_ns;
};

struct tp_speculative_order {
    struct tp_sequencer sequencer; // the speculator
    struct tp_assumptions assumptions;
    int64_t cut_ns;
    uint64_t fill_count;           // up to the cut
    uint64_t event_count;          // of these
    bool is_cut;
    struct tp_order cut_order;
    struct tp_sequencer_pos cut_pos;
};

// A speculator for the generation. It cuts behind a fill whose last event is later than
// `cut_ns`, which should be a little later than the last one of the generation before.
// `max_state_bytes` bounds states and assumptions, each. The bodies must lie in memory and
// last until END, like `g`. The failures of tp_sequencer_begin.
int tp_speculative_order_begin(struct tp_speculative_order *a, const struct tp_generation *g,
                               struct tp_tables *tables, struct tp_batch_loader *loader,
                               int64_t cut_ns, uint64_t max_state_bytes, bool strict,
                               struct tp_error *err) TP_MUST_USE;
// zeroed, and after a failed begin, is fine
void tp_speculative_order_fini(struct tp_speculative_order *a);

// As tp_sequencer_fill. *ret_is_behind: the events are behind the
// cut. BROKEN: there is no telling what comes, and nothing to adopt; so is an END before
// the cut.
enum tp_fill_status tp_speculative_order_fill(struct tp_speculative_order *a,
                                              struct tp_event *events, size_t capacity,
                                              size_t *ret_count, bool *ret_is_behind,
                                              struct tp_error *err);

// `s` has filled a->fill_count times of the generation, of which `a` has reached the
// END: true if all was right, then `s` is at its end, too. Else `s` can go on. A failure
// of memory is in *err, and `s` is spoiled; else err->code is 0.
bool tp_speculative_order_adopt(struct tp_speculative_order *a, struct tp_sequencer *s,
                                struct tp_error *err);

#endif
