// The form FLAMEGRAPH of `stats:level=full`: one SVG, a block for each type of stack.
#include <inttypes.h>
#include <string.h>

#include "base/text/quote.h"
#include "sink/stats/forms.h"

#define PAGE_WIDTH_PX 1200
#define LEFT_PX 10
#define HEAD_PX 64 // title, notes and the line of details
#define ROW_PX 17  // from one frame to the next
#define FRAME_PX 16
#define BASELINE_PX 12 // of a label, from the top of its frame
#define HEADING_PX 20  // a heading, above the frames of its block
#define GAP_PX 16      // below a block
#define CHAR_MPX 7300  // a character of the label, in thousandths of a pixel
#define PADDING_MPX 3000

// The heading of each block, and the noun of its counts.
static const struct {
    const char *heading;
    const char *noun;
} types[TP_FLAME_COUNT] = {
    [TP_STACK_NET] = {"waits for the network", "wait"},
    [TP_STACK_SYNC] = {"waits for other goroutines", "wait"},
    [TP_STACK_SYSCALL] = {"system calls", "call"},
    [TP_STACK_SCHED] = {"runnable, by stack of the waker", "wait"},
    [TP_STACK_CPU] = {"CPU samples", "sample"},
    [TP_STACK_NET_OPEN] = {"waits for the network, unfinished at the end", "wait"},
    [TP_STACK_SYNC_OPEN] = {"waits for other goroutines, unfinished at the end", "wait"},
    [TP_STACK_SYSCALL_OPEN] = {"system calls, unfinished at the end", "call"},
    [TP_STACK_BEFORE] = {"waits since before the trace", "wait"},
    [TP_FLAME_WOKEN] = {"blocked time by waker", "wait"},
};

static const char *type_name(unsigned type)
{
    return type == TP_FLAME_WOKEN ? TP_FULL_WOKEN : tp_stack_type_names[type];
}

// TEXT

// Appends a rune as XML. Puts '?' for bytes that are not UTF-8 and for runes that do not print: XML
// forbids some of them, others would turn the direction of the text.
static void put_rune(struct tp_emit *e, struct tp_span text, size_t *ret_len_bytes)
{
    if (!tp_rune_shows(text, ret_len_bytes)) {
        tp_emit_text(e, "?");
        return;
    }
    switch (text.ptr[0]) {
    case '&': tp_emit_text(e, "&amp;"); break;
    case '<': tp_emit_text(e, "&lt;"); break;
    case '>': tp_emit_text(e, "&gt;"); break;
    case '"': tp_emit_text(e, "&quot;"); break;
    case '\'': tp_emit_text(e, "&#39;"); break;
    default: tp_emit_span(e, tp_span_of(text.ptr, *ret_len_bytes));
    }
}

// Appends the first `most` runes of a text as XML, for contents and values of attributes.
static void put_text(struct tp_emit *e, struct tp_span text, size_t most)
{
    size_t len_bytes;
    for (; text.len_bytes > 0 && most > 0; most--) {
        put_rune(e, text, &len_bytes);
        text = tp_span_skip(text, len_bytes);
    }
}

// GEOMETRY

// The drawn part of a flame.
struct block {
    const struct tp_flame *flame;
    const struct tp_full_report *report;
    struct tp_emit *e;
    size_t row_count;      // 0: nothing is drawn
    uint64_t narrow_count; // functions left out
    size_t top_px;         // of the highest row
};

static bool is_drawn(const struct block *b, const struct tp_flame_frame *frame)
{
    return tp_flame_width_mpx(b->flame, frame) >= TP_FLAME_LEAST_MPX;
}

static void measure(void *ctx, const struct tp_flame_frame *frame)
{
    struct block *b = ctx;
    if (!is_drawn(b, frame))
        b->narrow_count += frame->depth > 0;
    else if (frame->depth >= b->row_count)
        b->row_count = frame->depth + 1;
}

static size_t block_px(const struct block *b)
{
    return b->row_count > 0 ? HEADING_PX + b->row_count * ROW_PX + GAP_PX : 0;
}

// FRAMES

static bool is_of_runtime(struct tp_span name)
{
    return tp_span_begins_with(name, "runtime.") || tp_span_begins_with(name, "runtime/") ||
           tp_span_begins_with(name, "internal/runtime/");
}

// Returns the package of a function, or the whole name if it has none.
static struct tp_span package_of(struct tp_span name)
{
    const unsigned char *end = name.ptr + name.len_bytes;
    const unsigned char *bracket = memchr(name.ptr, '[', name.len_bytes); // type arguments have packages, too
    const unsigned char *slash =
        memrchr(name.ptr, '/', bracket != NULL ? (size_t)(bracket - name.ptr) : name.len_bytes);
    const unsigned char *last = slash != NULL ? slash : name.ptr;
    const unsigned char *dot = memchr(last, '.', (size_t)(end - last));
    return dot != NULL ? tp_span_of(name.ptr, (size_t)(dot - name.ptr)) : name;
}

// Appends a colour on which black can be read: of the runtime blue, of others red to yellow, chosen
// by the package; grey for what is no function. The page of the sink `report` has the same colours
// (share/report/flame.js), so the hash is one that scripts compute in a line: FNV-1a.
static void put_colour(struct tp_emit *e, const struct tp_flame_frame *frame)
{
    struct tp_span package = package_of(frame->name);
    uint32_t hash = UINT32_C(0x811c9dc5);
    for (size_t i = 0; i < package.len_bytes; i++)
        hash = (hash ^ package.ptr[i]) * UINT32_C(0x01000193);
    hash ^= hash >> 15;
    unsigned first = hash & 0xff, second = hash >> 8 & 0xff, third = hash >> 16 & 0xff;
    if (frame->depth == 0 || tp_span_begins_with(frame->name, "("))
        tp_emit_text(e, "#d0d0d0");
    else if (is_of_runtime(frame->name))
        tp_emit_printf(e, "#%02x%02x%02x", 110 + first / 5, 170 + second / 6, 215 + third / 7);
    else
        tp_emit_printf(e, "#%02x%02x%02x", 215 + first / 7, 90 + second / 2, 40 + third / 5);
}

// DIFFERENCES

// Returns a value for each second of trace: of times in billionths of a goroutine, of samples in thousandths.
static uint64_t rate_of(const struct tp_full_report *r, unsigned type, tp_wide value)
{
    return tp_wide_ratio(type == TP_STACK_CPU ? value * 1000 : value, 1000000000, r->totals->duration_ns);
}

// The rates of a frame in the baseline and in the new traces.
struct rates {
    uint64_t before, after;
};

static struct rates rates_of(const struct block *b, const struct tp_flame_frame *frame)
{
    return (struct rates){rate_of(b->report->baseline, b->flame->type, frame->before),
                          rate_of(b->report, b->flame->type, frame->value)};
}

// Appends a red for more and a blue for less, the stronger the greater the difference.
static void put_difference_colour(struct tp_emit *e, struct rates rates)
{
    uint64_t high = rates.before > rates.after ? rates.before : rates.after;
    uint64_t difference = high - (rates.before > rates.after ? rates.after : rates.before);
    unsigned light = 235 - (unsigned)tp_wide_ratio(difference, 180, high);
    if (rates.after >= rates.before)
        tp_emit_printf(e, "#ff%02x%02x", light, light);
    else
        tp_emit_printf(e, "#%02x%02xff", light, light);
}

static void put_difference(struct tp_emit *e, struct rates rates)
{
    bool is_more = rates.after >= rates.before;
    if (rates.before == 0)
        tp_emit_text(e, ", not in the baseline");
    else
        tp_emit_printf(e, ", %s%s a second", is_more ? "+" : "-",
                       tp_human_share(is_more ? rates.after - rates.before : rates.before - rates.after,
                                      rates.before).text);
}

static struct tp_span shown_name(const struct tp_flame *flame, const struct tp_flame_frame *frame)
{
    if (frame->depth == 0)
        return tp_span_of_text(type_name(flame->type));
    return frame->name.len_bytes > 0 ? frame->name : tp_span_of_text("(unknown)");
}

static void put_mpx(struct tp_emit *e, const char *key, uint32_t mpx)
{
    tp_emit_printf(e, " %s=\"%" PRIu32 ".%03" PRIu32 "\"", key, mpx / 1000, mpx % 1000);
}

// Appends "1.23 ms in 4 waits", of CPU samples their number only.
static void put_amount(struct tp_emit *e, unsigned type, tp_wide value, tp_wide count)
{
    if (type != TP_STACK_CPU)
        tp_emit_printf(e, "%s in ", tp_human_ns(value).text);
    tp_emit_printf(e, "%s %s%s", tp_human_count(count).text, types[type].noun,
                   tp_plural(tp_wide_limited(count)));
}

// Appends the figures behind the name in the tooltip. The script takes what is in front of the last
// " (" for the name.
static void put_figures(const struct block *b, const struct tp_flame_frame *frame)
{
    struct tp_emit *e = b->e;
    const struct tp_flame *flame = b->flame;
    tp_emit_text(e, " (");
    put_amount(e, flame->type, frame->value, frame->count);
    tp_emit_printf(e, ", %s of %s", tp_human_share(frame->value, flame->value).text,
                   type_name(flame->type));
    if (b->report->baseline != NULL)
        put_difference(e, rates_of(b, frame));
    tp_emit_text(e, ")");
}

static void put_label(struct tp_emit *e, struct tp_span name, uint32_t x_mpx, uint32_t width_mpx,
                      size_t y_px)
{
    size_t most = width_mpx > 2 * PADDING_MPX ? (width_mpx - 2 * PADDING_MPX) / CHAR_MPX : 0;
    if (most < 3)
        return;
    bool is_cut = tp_rune_count(name) > most;
    tp_emit_text(e, "<text");
    put_mpx(e, "x", x_mpx + PADDING_MPX);
    tp_emit_printf(e, " y=\"%zu\">", y_px + BASELINE_PX);
    put_text(e, name, is_cut ? most - 2 : most);
    tp_emit_text(e, is_cut ? "..</text>" : "</text>");
}

static void put_frame(void *ctx, const struct tp_flame_frame *frame)
{
    const struct block *b = ctx;
    struct tp_emit *e = b->e;
    if (!is_drawn(b, frame))
        return;
    struct tp_span name = shown_name(b->flame, frame);
    uint32_t x_mpx = 1000 * LEFT_PX + tp_flame_place_mpx(b->flame, frame->begin);
    uint32_t width_mpx = tp_flame_width_mpx(b->flame, frame);
    size_t y_px = b->top_px + (b->row_count - 1 - frame->depth) * ROW_PX;
    tp_emit_text(e, "<g><title>");
    put_text(e, name, SIZE_MAX);
    put_figures(b, frame);
    tp_emit_text(e, "</title><rect");
    put_mpx(e, "x", x_mpx);
    tp_emit_printf(e, " y=\"%zu\"", y_px);
    put_mpx(e, "width", width_mpx);
    tp_emit_printf(e, " height=\"%d\" fill=\"", FRAME_PX);
    if (b->report->baseline != NULL)
        put_difference_colour(e, rates_of(b, frame));
    else
        put_colour(e, frame);
    tp_emit_text(e, "\"/>");
    put_label(e, name, x_mpx, width_mpx, y_px);
    tp_emit_text(e, "</g>\n");
}

// PAGE

static void put_block(struct block *b, size_t top_px)
{
    const char *type = type_name(b->flame->type);
    tp_emit_printf(b->e, "<text class=\"heading\" x=\"%d\" y=\"%zu\">%s: %s, ", LEFT_PX,
                   top_px + BASELINE_PX, type, types[b->flame->type].heading);
    put_amount(b->e, b->flame->type, b->flame->value, b->flame->count);
    tp_emit_printf(b->e, "</text>\n<g class=\"block\" data-type=\"%s\">\n", type);
    b->top_px = top_px + HEADING_PX;
    tp_flame_walk(b->flame, put_frame, b);
    tp_emit_text(b->e, "</g>\n");
}

static void put_notes(struct tp_emit *e, const struct tp_full_report *r, bool is_empty,
                      uint64_t narrow_count)
{
    tp_emit_printf(e, "<text class=\"note\" x=\"%d\" y=\"40\">", PAGE_WIDTH_PX / 2);
    if (is_empty)
        tp_emit_text(e, narrow_count > 0 ? "no stacks with a duration" : "no stacks");
    else
        tp_emit_text(e, "each block has a scale of its own");
    if (r->baseline != NULL)
        tp_emit_text(e, "; red: more time a second than in the baseline, blue: less");
    if (r->filter[0] != '\0') {
        tp_emit_text(e, "; only stacks with ");
        put_text(e, tp_span_of_text(r->filter), SIZE_MAX);
    }
    if (narrow_count > 0)
        tp_emit_printf(e, "; %s frame%s too narrow", tp_human_count(narrow_count).text,
                       tp_plural(narrow_count));
    tp_emit_text(e, "</text>\n");
}

static void put_head(struct tp_emit *e, const struct tp_full_report *r, size_t height_px)
{
    static const char style[] = "<style>"
                                "text{font-family:monospace;font-size:12px;fill:#000}"
                                ".head{font-size:16px;text-anchor:middle}"
                                ".note{text-anchor:middle;fill:#555}"
                                ".heading{font-weight:bold}"
                                ".control{visibility:hidden;cursor:pointer;fill:#00c}"
                                ".live .control{visibility:visible}"
                                ".live .block g{cursor:pointer}"
                                ".block g:hover rect{stroke:#000;stroke-width:.5}"
                                ".block text{pointer-events:none}"
                                "</style>\n";
    tp_emit_printf(e,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\""
                   " viewBox=\"0 0 %d %zu\">\n",
                   PAGE_WIDTH_PX, height_px, PAGE_WIDTH_PX, height_px);
    tp_emit_text(e, style);
    tp_emit_text(e, "<rect width=\"100%\" height=\"100%\" fill=\"#fafaf5\"/>\n");
    tp_emit_printf(e, "<text class=\"head\" x=\"%d\" y=\"22\">Flame graph of %s trace%s</text>\n",
                   PAGE_WIDTH_PX / 2, tp_human_count(r->totals->file_count).text,
                   tp_plural(tp_wide_limited(r->totals->file_count)));
    tp_emit_printf(e,
                   "<text class=\"control reset\" x=\"%d\" y=\"22\">reset</text>\n"
                   "<text class=\"control search\" x=\"%d\" y=\"22\">search</text>\n"
                   "<text class=\"details\" x=\"%d\" y=\"58\"> </text>\n",
                   LEFT_PX, PAGE_WIDTH_PX - LEFT_PX - 45, LEFT_PX);
}

static void put_script(struct tp_emit *e)
{
    tp_emit_text(e, "<script><![CDATA[\n");
    for (size_t i = 0; tp_flame_script[i] != NULL; i++) {
        tp_emit_text(e, tp_flame_script[i]);
        tp_emit_text(e, "\n");
    }
    tp_emit_text(e, "]]></script>\n");
}

void tp_full_print_flamegraph(struct tp_emit *e, const struct tp_full_report *r)
{
    struct block drawn[TP_FLAME_COUNT];
    size_t height_px = HEAD_PX, top_px = HEAD_PX;
    uint64_t narrow_count = 0;
    for (unsigned type = 0; type < TP_FLAME_COUNT; type++) {
        drawn[type] = (struct block){.flame = &r->flames[type], .report = r, .e = e};
        tp_flame_walk(&r->flames[type], measure, &drawn[type]);
        height_px += block_px(&drawn[type]);
        narrow_count += drawn[type].narrow_count;
    }
    put_head(e, r, height_px);
    put_notes(e, r, height_px == HEAD_PX, narrow_count);
    for (unsigned type = 0; type < TP_FLAME_COUNT; type++) {
        if (drawn[type].row_count > 0)
            put_block(&drawn[type], top_px);
        top_px += block_px(&drawn[type]);
    }
    put_script(e);
    tp_emit_text(e, "</svg>\n");
}
