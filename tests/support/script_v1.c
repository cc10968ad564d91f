#include "script_v1.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/spec.h"
#include "tracepipe/event.h"

#define WIRE_MAX_BYTES TP_MIB(4)
#define TEXT_BYTES 32768

struct script_v1 script_v1;
struct order_v1_way script_v1_way;

struct text {
    char chars[TEXT_BYTES];
    size_t len_bytes;
};

void script_v1_begin_with_frequency(uint32_t minor, uint64_t ticks_per_second)
{
    if (script_v1.wire.ptr == NULL && !tp_buf_init(&script_v1.wire, WIRE_MAX_BYTES))
        abort();
    tp_buf_reset(&script_v1.wire);
    script_v1.minor = minor;
    script_v1_way = (struct order_v1_way){0};
    wire_v1_put_frequency(&script_v1.wire, minor, ticks_per_second);
}

void script_v1_begin(uint32_t minor)
{
    script_v1_begin_with_frequency(minor, 1000000000);
}

void script_v1_fini(void)
{
    tp_buf_fini(&script_v1.wire);
    script_v1 = (struct script_v1){0};
}

struct tp_span script_v1_bytes(void)
{
    return tp_span_of(script_v1.wire.ptr, script_v1.wire.len_bytes);
}

// TEXT

TP_PRINTF(2, 3) static void put(struct text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(t->chars + t->len_bytes, TEXT_BYTES - t->len_bytes, fmt, args);
    va_end(args);
    if (len < 0 || (size_t)len >= TEXT_BYTES - t->len_bytes)
        abort();
    t->len_bytes += (size_t)len;
}

static void put_number(struct text *t, uint64_t value)
{
    if (value == UINT64_MAX)
        put(t, " -");
    else
        put(t, " %" PRIu64, value);
}

static void put_end(struct text *t, const struct order_v1_result *r)
{
    if (r->err.code != 0)
        put(t, "! %s\n", r->err.text);
}

static void put_ordered(struct text *t, const struct tp_v1_ordered *e)
{
    const struct tp_v1_form *form = &tp_v1_table(script_v1.minor)->forms[e->type];
    unsigned prefix = script_v1.minor == 5 ? 2 : 1;
    put(t, "%" PRId64 " p%d g%" PRIu64 " %s", e->ticks, (int)e->p, e->g, form->name);
    for (unsigned i = prefix; i < (unsigned)form->arg_count - form->has_stack; i++)
        put_number(t, e->args[i - prefix]);
    put(t, "\n");
}

// CONVERTED

// How an argument is printed.
enum look { END, NUMBER, STATUS, STRING_ID, STRING_IDX, STACK_ID };

static const enum look *looks_of(uint8_t type)
{
    static const enum look looks[TP_EVENT_TYPES][TP_EVENT_ARGS + 1] = {
        [TP_EVENT_SYNC] = {NUMBER, NUMBER},
        [TP_EV_ProcsChange] = {NUMBER, STACK_ID},
        [TP_EV_ProcStart] = {NUMBER},
        [TP_EV_ProcStop] = {NUMBER},
        [TP_EV_ProcStatus] = {NUMBER, NUMBER},
        [TP_EV_GoCreate] = {NUMBER, STACK_ID, STACK_ID},
        [TP_EV_GoStart] = {NUMBER},
        [TP_EV_GoStop] = {STRING_ID, STACK_ID},
        [TP_EV_GoBlock] = {STRING_ID, STACK_ID},
        [TP_EV_GoUnblock] = {NUMBER, NUMBER, STACK_ID},
        [TP_EV_GoSyscallBegin] = {NUMBER, STACK_ID},
        [TP_EV_GoStatus] = {NUMBER, NUMBER, STATUS},
        [TP_EV_GoLabel] = {STRING_ID},
        [TP_EV_STWBegin] = {STRING_ID, STACK_ID},
        [TP_EV_STWEnd] = {STRING_ID},
        [TP_EV_GCBegin] = {NUMBER, STACK_ID},
        [TP_EV_GCSweepBegin] = {STACK_ID},
        [TP_EV_GCSweepEnd] = {NUMBER, NUMBER},
        [TP_EV_GCMarkAssistBegin] = {STACK_ID},
        [TP_EV_HeapAlloc] = {NUMBER},
        [TP_EV_HeapGoal] = {NUMBER},
        [TP_EV_CPUSample] = {STACK_ID, NUMBER, NUMBER, NUMBER},
        [TP_EV_UserTaskBegin] = {NUMBER, NUMBER, STRING_ID, STACK_ID},
        [TP_EV_UserTaskEnd] = {NUMBER, STACK_ID, NUMBER, STRING_IDX},
        [TP_EV_UserRegionBegin] = {NUMBER, STRING_ID, STACK_ID},
        [TP_EV_UserRegionEnd] = {NUMBER, STRING_ID, STACK_ID},
        [TP_EV_UserLog] = {NUMBER, STRING_ID, STRING_ID, STACK_ID},
    };
    return looks[type];
}

static void put_string(struct text *t, const struct tp_tables *tables, uint64_t idx)
{
    if (idx >= tables->strings.count) {
        put(t, " ?");
        return;
    }
    struct tp_span text = tables->strings.items[idx];
    put(t, " \"%.*s\"", (int)text.len_bytes, (const char *)text.ptr);
}

static void put_event(struct text *t, const struct tp_event *e, const struct tp_tables *tables)
{
    put(t, "%" PRId64 " %" PRId64 "/%" PRId64 "/%" PRId64 " %s", e->time_ns, e->m, e->p, e->g,
        tp_event_type_name(e));
    const enum look *looks = looks_of(e->type);
    for (unsigned i = 0; i < TP_EVENT_ARGS && looks[i] != END; i++) {
        switch (looks[i]) {
        case STRING_ID: put_string(t, tables, tp_tables_string_idx(tables, e->args[i])); break;
        case STRING_IDX: put_string(t, tables, e->args[i]); break;
        // Ordering puts the state before into the upper half.
        case STATUS: put_number(t, e->args[i] & UINT32_MAX); break;
        case STACK_ID: put(t, " s%" PRIu64, e->args[i]); break;
        default: put_number(t, e->args[i]); break;
        }
    }
    put(t, "\n");
}

const char *script_v1_line(const struct tp_event *e, const struct tp_tables *tables)
{
    static struct text line;
    line.len_bytes = 0;
    put_event(&line, e, tables);
    return line.chars;
}

// RUNNING

const char *script_v1_walk(void)
{
    static struct text t;
    struct order_v1_result r = order_v1_walk(script_v1.minor, script_v1_bytes(), &script_v1_way);
    t.len_bytes = 0;
    t.chars[0] = '\0';
    for (size_t i = 0; i < r.count; i++)
        put_ordered(&t, &r.ordered[i]);
    put_end(&t, &r);
    order_v1_result_fini(&r);
    return t.chars;
}

// Converts in other ways, too; ends the program if a result differs.
static void compare_ways(const struct order_v1_result *want)
{
    const struct order_v1_way usual = script_v1_way;
    struct order_v1_way ways[] = {usual, usual, usual, usual, usual, usual};
    ways[0].fill_capacity = 1;
    ways[1].fill_capacity = 3;
    ways[1].piece_bytes = 7;
    ways[2].piece_bytes = 1;
    ways[3].is_spilled = true;
    ways[4].forgets_turns = true;
    ways[5].walks_first = true;
    // An error may show at another event if there is only one walk, so the last way is left out.
    size_t way_count = TP_ARRAY_LEN(ways) - (want->err.code != 0);
    for (size_t i = 0; i < way_count; i++) {
        struct order_v1_result got =
            order_v1_convert(script_v1.minor, script_v1_bytes(), &ways[i]);
        const char *difference = order_v1_difference(&got, want);
        if (difference != NULL) {
            fprintf(stderr, "way %zu: %s\n", i, difference);
            abort();
        }
        order_v1_result_fini(&got);
    }
}

static struct text converted;

const char *script_v1_convert(void)
{
    struct order_v1_result r =
        order_v1_convert(script_v1.minor, script_v1_bytes(), &script_v1_way);
    compare_ways(&r);
    converted.len_bytes = 0;
    converted.chars[0] = '\0';
    for (size_t i = 0; i < r.count; i++)
        put_event(&converted, &r.events[i], r.tables);
    put_end(&converted, &r);
    order_v1_result_fini(&r);
    return converted.chars;
}

const char *script_v1_lines_with(const char *word)
{
    static struct text t;
    t.len_bytes = 0;
    t.chars[0] = '\0';
    for (const char *line = converted.chars, *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        size_t len_bytes = (size_t)(end - line);
        if (memmem(line, len_bytes, word, strlen(word)) != NULL)
            put(&t, "%.*s\n", (int)len_bytes, line);
    }
    return t.chars;
}

const char *script_v1_convert_strictly(void)
{
    script_v1_way.is_strict = true;
    return script_v1_convert();
}
