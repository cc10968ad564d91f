// Findings in the text of `stats:level=full`: two lines each, or one that says that there are none.
// Behind "->" stands what the command line needs to show more.
#include <inttypes.h>
#include <string.h>

#include "sink/print/shorten.h"
#include "sink/stats/print.h"

#define PPM UINT64_C(1000000)
#define SECOND_INDENT "   "
// A path or a function is not told in fewer columns.
#define PATH_COLUMNS_LEAST 12
#define NAME_COLUMNS_LEAST 16
// Words that are left out of a first line that is too long.
#define TRACES " traces"
#define ON_AVERAGE " on average"

static const struct sentence {
    const char *before, *after, *count, *culprit, *victims, *other;
} sentences[TP_FINDS_COUNT] = {
#define TP_SENTENCE(kind, before, after, count, culprit, victims, other)                \
    [TP_FINDS_##kind] = {before, after, count, culprit, victims, other},
#include "sink/stats/sentences.def"
#undef TP_SENTENCE
};

static struct tp_span name_of(const struct tp_full_report *r, uint32_t name)
{
    return tp_intern_text(&r->totals->names, name);
}

// Returns a value with as many decimals as make three digits.
static struct tp_human human_value(enum tp_finding_unit unit, uint64_t ppm)
{
    switch (unit) {
    case TP_FINDING_UNIT_MS: return tp_human_ns(ppm); // a millionth of a millisecond
    case TP_FINDING_UNIT_CAPACITY: return tp_human_share(ppm, PPM);
    default: break;
    }
    if (ppm >= 10 * PPM)
        return tp_human_ratio(ppm, PPM);
    unsigned digits = ppm >= PPM ? 2 : 3;
    uint64_t parts = digits == 2 ? 100 : 1000, rounded = (ppm + PPM / parts / 2) / (PPM / parts);
    return tp_human_printf("%" PRIu64 ".%0*" PRIu64, rounded / parts, (int)digits,
                           rounded % parts);
}

// THE FIRST LINE

static bool is_mean(enum tp_finding_kind kind)
{
    enum tp_finding_unit unit = tp_finding_kinds[kind].unit;
    return unit == TP_FINDING_UNIT_GOROUTINES || unit == TP_FINDING_UNIT_PER_P;
}

static struct tp_span path_of(const struct tp_full_report *r, uint32_t path)
{
    return tp_full_path(r, name_of(r, path));
}

// In how many inputs a finding is, and in which it is worst: the text around " traces", which is
// left out first if there is not enough room.
struct inputs {
    struct tp_human count;
    const char *before_path;
    struct tp_span path;
    unsigned columns; // of all of it; 0 if there is only one judged input
};

static struct inputs inputs_of(const struct tp_full_report *r, const struct tp_fleet_row *row)
{
    uint64_t judged = r->fleet.judgements[TP_JUDGEMENT_JUDGED];
    struct inputs in = {.path = path_of(r, row->worst_path)};
    if (judged < 2)
        return in;
    in.count = tp_human_printf(", in %s of %s", tp_human_count(row->file_count).text,
                               tp_human_count(judged).text);
    in.before_path = row->file_count > 1 ? ", most in " : ": ";
    in.columns = in.count.columns + (unsigned)(sizeof TRACES - 1 + strlen(in.before_path)) +
                 tp_shorten_path(in.path, UINT32_MAX).columns;
    return in;
}

static void put_value(struct tp_line *l, const struct tp_fleet_row *row, unsigned kept_columns)
{
    const struct tp_finding_kind_info *kind = &tp_finding_kinds[row->kind];
    bool is_longest = kind->unit == TP_FINDING_UNIT_MS;
    struct tp_human value = human_value(kind->unit, is_longest ? row->max_ns : row->value_ppm);
    tp_emit_style(l->e, TP_STYLE_ALARM);
    tp_line_text(l, kind->title);
    tp_emit_style(l->e, TP_STYLE_PLAIN);
    tp_line_text(l, ": ");
    tp_line_try(l, "%s%s%s", sentences[row->kind].before, value.text, sentences[row->kind].after);
    if (is_mean(row->kind) && l->left >= kept_columns + sizeof ON_AVERAGE - 1)
        tp_line_text(l, ON_AVERAGE);
}

// Puts the path in as many columns as are left, or nothing if these are too few to tell it.
static void put_path(struct tp_line *l, const char *before, struct tp_span path)
{
    if (l->left < strlen(before) + PATH_COLUMNS_LEAST)
        return;
    tp_line_text(l, before);
    tp_line_short(l, tp_shorten_path(path, l->left));
}

static void put_inputs(struct tp_line *l, const struct inputs *in)
{
    bool has_room = l->left >= in->columns;
    if (!tp_line_try(l, "%s", in->count.text))
        return;
    if (has_room)
        tp_line_text(l, TRACES);
    put_path(l, has_room ? in->before_path : ": ", in->path);
}

// Returns the length of the word for so many: the plural without its "s" for one.
static int word_bytes(const char *plural, uint64_t count)
{
    size_t len_bytes = strlen(plural);
    return (int)(count == 1 && plural[len_bytes - 1] == 's' ? len_bytes - 1 : len_bytes);
}

static void put_figures(struct tp_line *l, const struct tp_fleet_row *row)
{
    const char *count = sentences[row->kind].count;
    if (count != NULL && !tp_line_try(l, "; %s %.*s", tp_human_count(row->count).text,
                                      word_bytes(count, row->count), count))
        return;
    if (row->kind != TP_FINDS_LEAK)
        tp_line_try(l, count != NULL ? ", %s" : "; %s in all", tp_human_ns(row->lost).text);
    if (row->p99_ns > 0)
        tp_line_try(l, ", p99 %s", tp_human_ns(row->p99_ns).text);
}

// THE SECOND LINE

// Returns the last component of the path of a source file.
static struct tp_span base_of(struct tp_span path)
{
    size_t at = path.len_bytes;
    while (at > 0 && path.ptr[at - 1] != '/')
        at--;
    return tp_span_skip(path, at);
}

// Prints "LABEL FUNCTION (FILE:LINE)", or nothing if the line has no room for it. Only the first
// place of a finding has a file and a line.
static void put_place(struct tp_line *l, const struct tp_full_report *r, const char *label,
                      const struct tp_source_place *place, unsigned kept_columns)
{
    bool is_first = l->left + sizeof SECOND_INDENT - 1 == r->screen.columns;
    unsigned label_columns = (unsigned)strlen(label) + (is_first ? 1 : 3);
    unsigned room = l->left > kept_columns + label_columns ? l->left - kept_columns - label_columns
                                                           : 0;
    if (place->function == TP_INTERN_NONE || name_of(r, place->function).len_bytes == 0 ||
        room < NAME_COLUMNS_LEAST)
        return;
    struct tp_short function = tp_shorten_function(name_of(r, place->function), room);
    struct tp_span file = place->file != TP_INTERN_NONE ? base_of(name_of(r, place->file))
                                                        : tp_span_of("", 0);
    const struct tp_human line = tp_human_printf(":%" PRIu64, place->line);
    unsigned file_columns = (unsigned)file.len_bytes + line.columns + 3;
    bool has_file = is_first && file.len_bytes > 0 && file_columns + NAME_COLUMNS_LEAST <= room;
    if (has_file && function.columns + file_columns > room)
        function = tp_shorten_function(name_of(r, place->function), room - file_columns);
    tp_line_text(l, is_first ? "" : "; ");
    tp_line_text(l, label);
    tp_line_text(l, " ");
    tp_line_short(l, function);
    if (has_file) {
        tp_line_text(l, " (");
        tp_line_short(l, tp_shorten_path(file, (unsigned)file.len_bytes));
        tp_line_text(l, line.text);
        tp_line_text(l, ")");
    }
}

static void put_also(struct tp_line *l, const struct tp_fleet_row *row, unsigned kept_columns)
{
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
        const char *key = tp_finding_kinds[k].key;
        if ((row->also >> k & 1) != 0 && l->left > kept_columns + strlen(key) + 12)
            tp_line_try(l, "; explains %s", key);
    }
}

static void put_second(struct tp_line *l, const struct tp_full_report *r,
                       const struct tp_fleet_row *row)
{
    const struct sentence *s = &sentences[row->kind];
    const char *sink = tp_finding_kinds[row->kind].sink;
    unsigned kept = (unsigned)strlen(sink) + sizeof " -> --sink " - 1;
    tp_line_text(l, SECOND_INDENT);
    unsigned left = l->left;
    put_place(l, r, s->culprit, &row->culprit, kept);
    if (s->other != NULL)
        put_place(l, r, s->other, &row->other, kept);
    if (s->victims != NULL && row->victim_count > 0)
        put_place(l, r, s->victims, &row->victims[0].place, kept);
    put_also(l, row, kept);
    tp_line_text(l, l->left < left ? " -> --sink " : "-> --sink ");
    tp_line_text(l, sink);
}

static void put_finding(struct tp_emit *e, const struct tp_full_report *r, uint32_t idx)
{
    const struct tp_fleet_row *row = &r->fleet.items[idx];
    struct tp_line first = {e, r->screen.columns}, second = first;
    const struct inputs in = inputs_of(r, row);
    tp_line_try(&first, "%u. ", idx + 1);
    put_value(&first, row, in.columns);
    if (in.columns > 0)
        put_inputs(&first, &in);
    put_figures(&first, row);
    tp_emit_text(e, "\n");
    put_second(&second, r, row);
    tp_emit_text(e, "\n");
}

// NO FINDINGS

static void put_nearest(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_fleet *f = &r->fleet;
    const struct tp_finding_kind_info *kind = &tp_finding_kinds[f->nearest];
    const char *unit = kind->unit == TP_FINDING_UNIT_CAPACITY ? "of capacity"
                       : kind->unit == TP_FINDING_UNIT_MS     ? ""
                                                              : tp_finding_unit_name(kind->unit);
    struct tp_line l = {e, r->screen.columns};
    tp_line_text(&l, SECOND_INDENT "nearest: ");
    tp_line_text(&l, kind->title);
    tp_line_try(&l, ", %s%s%s, threshold %s", human_value(kind->unit, f->nearest_ppm).text,
                unit[0] != '\0' ? " " : "", unit,
                human_value(kind->unit, kind->threshold_ppm).text);
    if (f->judgements[TP_JUDGEMENT_JUDGED] > 1)
        put_path(&l, ", in ", path_of(r, f->nearest_path));
    tp_emit_text(e, "\n");
}

static void put_nothing(struct tp_emit *e, const struct tp_full_report *r)
{
    uint64_t judged = r->fleet.judgements[TP_JUDGEMENT_JUDGED];
    tp_emit_text(e, "nothing stands out");
    if (judged > 1)
        tp_emit_printf(e, " in %s traces", tp_human_count(judged).text);
    if (r->totals->damaged_count > 0)
        tp_emit_printf(e, ", as far as %s could be read", judged > 1 ? "they" : "it");
    tp_emit_text(e, "\n");
    if (r->fleet.nearest != TP_FINDS_NONE)
        put_nearest(e, r);
}

static void put_not_judged(struct tp_emit *e, const struct tp_full_report *r)
{
    static const char *const words[] = {
#define TP_X(judgement, key, words) words,
        TP_JUDGEMENTS(TP_X)
#undef TP_X
    };
    for (unsigned k = 0; k < TP_JUDGEMENT_COUNT; k++) {
        uint64_t count = r->fleet.judgements[k];
        if (k != TP_JUDGEMENT_JUDGED && count > 0)
            tp_emit_printf(e, "%s trace%s not judged: %s\n", tp_human_count(count).text,
                           tp_plural(count), words[k]);
    }
}

unsigned tp_full_findings_head(const struct tp_full_report *r)
{
    unsigned lines = 1;
    for (unsigned k = 0; k < TP_JUDGEMENT_COUNT; k++)
        lines += k != TP_JUDGEMENT_JUDGED && r->fleet.judgements[k] > 0;
    if (r->fleet.count == 0 && r->fleet.judgements[TP_JUDGEMENT_JUDGED] > 0)
        lines += r->fleet.nearest != TP_FINDS_NONE ? 2 : 1;
    return lines > 1 ? lines : r->fleet.count > 0;
}

void tp_full_print_findings(struct tp_emit *e, const struct tp_full_report *r, size_t most)
{
    if (tp_full_findings_head(r) == 0)
        return;
    tp_emit_text(e, "\n");
    for (uint32_t i = 0; i < r->fleet.count && i < most; i++)
        put_finding(e, r, i);
    if (r->fleet.count > most)
        tp_emit_printf(e, SECOND_INDENT "%s more -> --sink stats:by=finding\n",
                       tp_human_count(r->fleet.count - most).text);
    if (r->fleet.count == 0 && r->fleet.judgements[TP_JUDGEMENT_JUDGED] > 0)
        put_nothing(e, r);
    put_not_judged(e, r);
}
