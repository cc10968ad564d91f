#include "pipeline/order/blocks.h"

#include "pipeline/core/unit.h"
#include "pipeline/core/wake.h"
#include "pipeline/order/ordering.h"

// A unit that has gathered more intervals and lives than this is submitted. Each of them may have a name
// of its own; names take memory in the sums, and nothing else limits how many are folded at once.
#define GATHERED_NAMES_MAX 4096

unsigned tp_blocks_tracks(const struct tp_input_run *in)
{
    return in->run->lanes[TP_LANE_BLOCKS].tracks;
}

bool tp_blocks_are_folded(const struct tp_input_run *in)
{
    return in->run->lanes[TP_LANE_BLOCKS].folds;
}

// Whether another worker should fold the blocks. To hand them over adds a little work, so it pays only if
// other workers would be idle. With generations they are not, because they put further generations in
// order.
static bool does_gathering_pay(const struct tp_input_run *in)
{
    return in->run->lanes[TP_LANE_BLOCKS].folds_slowly && in->order->ordering->current != NULL &&
           !in->info.format.decoder->has_generations && tp_run_has_spare_worker(in->run);
}

struct tp_slot *tp_blocks_open(struct tp_input_run *in)
{
    bool is_new = in->lanes[TP_LANE_BLOCKS].open == NULL;
    struct tp_slot *slot = tp_unit_open(in, TP_LANE_BLOCKS);
    if (slot == NULL)
        tp_starved_raise(&in->wake, TP_STARVED_OF_UNITS);
    else if (is_new)
        slot->gathers = does_gathering_pay(in) && tp_unit_widen(slot);
    return slot;
}

// Puts the block into the slot's unit, and takes a hold of the block's tables.
static void put_block(struct tp_slot *slot, struct tp_block block)
{
    if (block.tables != NULL)
        tp_tables_hold(block.tables);
    slot->block = block;
    slot->unit.block = &slot->block;
}

// Ends the events of the input with an error of the tracker. If memory was out, the facts are not
// complete, so they are dropped.
static void fail_tracking(struct tp_input_run *in, struct tp_slot *slot, const struct tp_error *err)
{
    slot->order_error = *err;
    in->order->ordering->is_broken = true;
    if (in->order->ordering->tracker.lacks_memory)
        tp_facts_clear(&slot->facts);
}

static void give_facts(const struct tp_slot *slot, struct tp_block *block)
{
    block->facts = &slot->facts;
    block->spans = slot->facts.spans.items;
    block->span_count = slot->facts.spans.count;
    block->intervals = slot->facts.lasting.items;
    block->interval_count = slot->facts.lasting.count;
}

// Adds the facts of the block to the facts of the slot, and makes the block point to the slot's facts. If
// the tracker fails, the events of the input end.
static void track(struct tp_input_run *in, struct tp_slot *slot, struct tp_block *block)
{
    struct tp_error err;
    if (tp_blocks_tracks(in) == 0)
        return;
    if (tp_tracker_block(&in->order->ordering->tracker, block, &slot->facts, &err) != 0)
        fail_tracking(in, slot, &err);
    give_facts(slot, block);
}

// Folds the block with the slot's facts, and clears these facts.
static void fold(struct tp_slot *slot, const struct tp_block *block)
{
    tp_unit_fold(slot, block);
    tp_facts_clear(&slot->facts);
}

void tp_blocks_add(struct tp_input_run *in, struct tp_slot *slot, struct tp_tables *tables,
                   size_t event_count)
{
    struct tp_block block = {.tables = tables, .events = slot->events, .event_count = event_count};
    in->order_report->event_count += event_count;
    track(in, slot, &block);
    if (tp_blocks_are_folded(in))
        fold(slot, &block);
    else
        put_block(slot, block);
}

void tp_blocks_submit(struct tp_input_run *in, struct tp_slot *slot, struct tp_tables *tables,
                      size_t event_count)
{
    tp_blocks_add(in, slot, tables, event_count);
    tp_unit_submit(in, TP_LANE_BLOCKS);
}

void *tp_blocks_next(const struct tp_slot *slot)
{
    return slot->events + slot->gathered.event_count;
}

void tp_blocks_gather(struct tp_input_run *in, struct tp_slot *slot, struct tp_tables *tables,
                      size_t event_count)
{
    struct tp_ordering *o = in->order->ordering;
    struct tp_block *gathered = &slot->gathered;
    if (gathered->tables == NULL) {
        tp_tables_hold(tables);
        *gathered = (struct tp_block){.tables = tables, .events = slot->events};
    }
    struct tp_block block = {
        .tables = tables, .events = tp_blocks_next(slot), .event_count = event_count};
    track(in, slot, &block);
    gathered->event_count += event_count;
    gathered->facts = block.facts;
    in->order_report->event_count += event_count;
    bool is_full = gathered->event_count > (TP_WIDE_BLOCKS - 1) * TP_BLOCK_EVENTS ||
                   slot->facts.intervals.count + slot->facts.lives.count > GATHERED_NAMES_MAX;
    if (o->current == NULL || o->is_over || o->is_broken || is_full)
        tp_unit_submit(in, TP_LANE_BLOCKS);
}

bool tp_blocks_submit_rest(struct tp_input_run *in, struct tp_slot *slot)
{
    struct tp_ordering *o = in->order->ordering;
    bool goes_on = tp_blocks_tracks(in) != 0;
    while (goes_on) {
        goes_on = tp_tracker_rest(&o->tracker, &slot->facts, TP_BLOCK_EVENTS);
        struct tp_block block = {.tables = o->tracker.tables};
        struct tp_error err;
        if (o->tracker.lacks_memory) {
            tp_tracker_fail_for_memory(&err);
            fail_tracking(in, slot, &err);
            goes_on = false;
        }
        give_facts(slot, &block);
        if (tp_blocks_are_folded(in))
            fold(slot, &block);
        else if (!tp_facts_are_none(&slot->facts))
            put_block(slot, block);
        if (goes_on && (!tp_blocks_are_folded(in) || tp_unit_fold_is_full(slot, 0)))
            break;
    }
    if (slot->unit.block != NULL || tp_blocks_are_folded(in))
        tp_unit_submit(in, TP_LANE_BLOCKS);
    return goes_on;
}
