#include "stats/fold/span_log.h"

static uint32_t *free_chunks(struct tp_span_logs *l, uint32_t number)
{
    return number == 1 ? &l->free_first : &l->free_other;
}

static bool add_chunk(struct tp_span_logs *l, uint32_t *log)
{
    uint32_t number = tp_span_log_chunk_count(l, *log) + 1;
    uint32_t word_count = 1 + tp_span_chunk_words(number);
    uint32_t *free = free_chunks(l, number);
    uint32_t at = *free;
    if (at != 0) {
        *free = l->words.items[at].head.before;
    } else if (TP_LIST_ROOM_FOR(&l->words, word_count + 1)) {
        at = l->words.count > 0 ? l->words.count : 1;
        l->words.count = at + word_count;
    } else {
        return false;
    }
    union tp_span_word *chunk = &l->words.items[at];
    chunk->head.count = 0;
    chunk->head.number = (uint16_t)number;
    chunk->head.before = *log;
    *log = at;
    return true;
}

bool tp_span_log_add(struct tp_span_logs *l, uint32_t *log, struct tp_logged_span span)
{
    bool is_narrow = tp_span_is_narrow(&span);
    unsigned word_count = is_narrow ? 1 : 2;
    union tp_span_word *chunk = *log != 0 ? &l->words.items[*log] : NULL;
    if (chunk == NULL ||
        chunk->head.count + word_count > tp_span_chunk_words(chunk->head.number)) {
        if (!add_chunk(l, log))
            return false;
        chunk = &l->words.items[*log];
    }
    if (!is_narrow) {
        const struct tp_logged_span mark = {
            .ns = span.measure, .measure = TP_SPAN_MEASURE_WIDE, .is_cut = span.is_cut};
        chunk[++chunk->head.count].span = tp_span_word(&mark);
    }
    chunk[++chunk->head.count].span = is_narrow ? tp_span_word(&span) : span.ns;
    return true;
}

bool tp_span_log_next(struct tp_span_log_walk *walk, struct tp_logged_span *ret)
{
    if (walk->chunk == 0)
        return false;
    const union tp_span_word *chunk = &walk->logs->words.items[walk->chunk];
    uint64_t word = chunk[++walk->next].span;
    ret->is_cut = word & 1;
    ret->measure = (uint32_t)(word >> 1) & TP_SPAN_MEASURE_WIDE;
    ret->ns = word >> TP_SPAN_NS_SHIFT;
    if (tp_unlikely(ret->measure == TP_SPAN_MEASURE_WIDE)) {
        ret->measure = (uint32_t)ret->ns;
        ret->ns = chunk[++walk->next].span;
    }
    if (walk->next == chunk->head.count) {
        walk->chunk = chunk->head.before;
        walk->next = 0;
    }
    return true;
}

void tp_span_log_free(struct tp_span_logs *l, uint32_t *log)
{
    while (*log != 0) {
        union tp_span_word *chunk = &l->words.items[*log];
        uint32_t before = chunk->head.before;
        uint32_t *free = free_chunks(l, chunk->head.number);
        chunk->head.before = *free;
        *free = *log;
        *log = before;
    }
}
