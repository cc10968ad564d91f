// The hosts that differ, in the text of `stats:level=full`: hosts that differ alike share a line, with what
// differs, the figure, that of the fleet, and who is to blame. Below them measures that make two groups, and
// the findings that hosts share, folded into a line each.
#include <inttypes.h>
#include <string.h>

#include "sink/print/shorten.h"
#include "sink/stats/findings/words.h"
#include "sink/stats/hosts/print.h"
#include "sink/stats/hosts/words.h"
#include "sink/stats/report/command.h"

#define LABEL_COLUMNS 10
#define NAMES_COLUMNS_MOST 28
#define NAME_COLUMNS_LEAST 12
// A path has this many columns at most.
#define PATH_COLUMNS 32
// A culprit is not printed in fewer columns.
#define CULPRIT_COLUMNS_LEAST 12

static const struct tp_difference *first_of(const struct tp_full_report *r, uint32_t item)
{
    return &r->differs.differences.items[r->differs.items[item].first];
}

// Returns the index behind the last host of the line that begins with this one.
static uint32_t end_of_line(const struct tp_differs *d, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < d->count && d->items[end].line == d->items[first].line)
        end++;
    return end;
}

// NAMES

// How the names of hosts are printed.
struct names {
    unsigned columns;
    size_t end_bytes; // that are left away at the end of each
};

static struct tp_span name_at(const struct tp_full_report *r, uint32_t host)
{
    return tp_full_text(r, r->differs.hosts.items[host].name);
}

// Returns the length of the last parts of a path that the names of all hosts end with, as of an input in a folder
// for each host; 0: they differ.
static size_t common_end(const struct tp_full_report *r)
{
    struct tp_span first = name_at(r, 0);
    size_t len_bytes = first.len_bytes;
    for (uint32_t i = 1; i < r->differs.hosts.count && len_bytes > 0; i++) {
        struct tp_span name = name_at(r, i);
        size_t same = 0;
        while (same < len_bytes && same < name.len_bytes &&
               name.ptr[name.len_bytes - 1 - same] == first.ptr[first.len_bytes - 1 - same])
            same++;
        len_bytes = same;
    }
    while (len_bytes > 0 && first.ptr[first.len_bytes - len_bytes] != '/')
        len_bytes--;
    return len_bytes < first.len_bytes ? len_bytes : 0;
}

// Returns the name of a host, or a path, without the folder that all inputs have in common, and without `end_bytes`.
static struct tp_span short_name(const struct tp_full_report *r, struct tp_span name, size_t end_bytes)
{
    struct tp_span rest = tp_full_path(r, name);
    rest.len_bytes -= end_bytes < rest.len_bytes ? end_bytes : 0;
    return rest;
}

static struct tp_span host_name(const struct tp_full_report *r, uint32_t item, size_t end_bytes)
{
    return short_name(r, name_at(r, r->differs.items[item].host), end_bytes);
}

// Puts the names of the hosts of a line: as many as fit, and how many there are besides.
static void put_names(struct tp_line *l, const struct tp_full_report *r, uint32_t first, uint32_t end,
                      const struct names *layout)
{
    struct tp_line names = {l->e, layout->columns};
    uint32_t item = first;
    for (; item < end; item++) {
        struct tp_span name = host_name(r, item, layout->end_bytes);
        unsigned more_columns = end - item > 1 ? (unsigned)sizeof " +1000" - 1 : 0;
        unsigned room = names.left > more_columns ? names.left - more_columns : 0;
        if (item > first && room < name.len_bytes + 1)
            break;
        if (item > first)
            tp_line_text(&names, " ");
        tp_line_short(&names, tp_shorten_path(name, room > 0 ? room : 1));
    }
    if (item < end)
        tp_line_try(&names, " +%" PRIu32, end - item);
    tp_cell_spaces(l->e, names.left);
    l->left -= layout->columns < l->left ? layout->columns : l->left;
}

// Returns the columns of the longest list of names, within limits, and what all names end with.
static struct names names_of(const struct tp_full_report *r, size_t most)
{
    struct names names = {.columns = NAME_COLUMNS_LEAST, .end_bytes = common_end(r)};
    for (uint32_t first = 0, end; first < r->differs.count && most > 0; first = end, most--) {
        unsigned used = 0;
        end = end_of_line(&r->differs, first);
        for (uint32_t item = first; item < end && used < NAMES_COLUMNS_MOST; item++)
            used += tp_shorten_path(host_name(r, item, names.end_bytes), UINT32_MAX).columns + (item > first ? 1 : 0);
        names.columns = used > names.columns ? used : names.columns;
    }
    unsigned quarter = r->screen.columns / 4;
    unsigned limit = quarter > NAME_COLUMNS_LEAST ? quarter : NAME_COLUMNS_LEAST;
    limit = limit < NAMES_COLUMNS_MOST ? limit : NAMES_COLUMNS_MOST;
    names.columns = names.columns < limit ? names.columns : limit;
    return names;
}

// WHO IS TO BLAME

void tp_hosts_put_place(struct tp_line *l, const struct tp_totals *s, const char *label,
                        const struct tp_source_place *place)
{
    struct tp_span function = tp_totals_text(s, place->function);
    if (function.len_bytes == 0 || l->left < CULPRIT_COLUMNS_LEAST + strlen(label))
        return;
    tp_line_text(l, label);
    struct tp_span file = tp_full_file_name(tp_totals_text(s, place->file));
    const struct tp_human at = tp_human_printf(" (%.*s:%" PRIu64 ")", (int)file.len_bytes,
                                               (const char *)file.ptr, place->line);
    bool has_file = file.len_bytes > 0 && file.len_bytes < sizeof at.text - 24 &&
                    l->left >= CULPRIT_COLUMNS_LEAST + at.columns;
    tp_line_short(l, tp_shorten_function(function, has_file ? l->left - at.columns : l->left));
    if (has_file)
        tp_line_text(l, at.text);
}

void tp_hosts_put_region(struct tp_line *l, struct tp_span name)
{
    if (l->left < CULPRIT_COLUMNS_LEAST + sizeof TP_BESIDE_REGION - 1)
        return;
    tp_line_text(l, TP_BESIDE_REGION);
    tp_line_short(l, tp_shorten_text(name, l->left));
}

void tp_hosts_put_class(struct tp_line *l, enum tp_class class, uint64_t ns, const char *more)
{
    if (ns > 0)
        tp_line_try(l, "  %s %s %s", tp_human_ns(ns).text, more, tp_class_words(class));
}

static void put_waiting(struct tp_line *l, const struct tp_full_report *r, const char *label,
                        const struct tp_difference *d)
{
    const struct tp_source_place place = tp_top_place(d->top);
    tp_hosts_put_place(l, r->totals, label, &place);
}

static void put_procs(struct tp_line *l, const struct tp_full_report *r, const struct tp_difference *d)
{
    if (d->procs > 0)
        tp_line_try(l, "  GOMAXPROCS %s (fleet %s)", tp_measure_human(TP_HOST_PROCS, d->procs).text,
                    tp_measure_human(TP_HOST_PROCS, r->differs.fleet_procs).text);
}

static void put_cause(struct tp_line *l, const struct tp_full_report *r, const struct tp_difference *d,
                      const struct tp_difference *beside)
{
    if (d->found != NULL) {
        const struct tp_human label = tp_human_printf("  %s ", tp_found_culprit_label(d->found));
        tp_hosts_put_place(l, r->totals, label.text, &d->found->culprit);
    } else if (d->measure == TP_HOST_WAIT) {
        put_waiting(l, r, "  in ", d);
    } else {
        if (beside == NULL || d->class != TP_CLASS_ELSEWHERE)
            tp_hosts_put_class(l, d->class, d->class_ns, "more");
        if (beside != NULL && beside->measure == TP_HOST_WAIT)
            put_waiting(l, r, TP_BESIDE_WAIT, beside);
        else if (beside != NULL)
            tp_hosts_put_region(l, tp_full_text(r, beside->name));
    }
}

// Puts what may be the cause of the first difference of a host: of a lack of Ps first of all GOMAXPROCS.
static void put_culprit(struct tp_line *l, const struct tp_full_report *r, const struct tp_differing_host *host)
{
    const struct tp_difference *d = &r->differs.differences.items[host->first];
    bool lacks_ps = d->measure == TP_HOST_RUNNABLE || d->measure == (enum tp_host_measure)TP_FINDS_FEW_PS;
    if (lacks_ps)
        put_procs(l, r, d);
    put_cause(l, r, d, tp_difference_beside(d, host->count));
    if (!lacks_ps)
        put_procs(l, r, d);
}

// LINES

bool tp_hosts_put_figure(struct tp_line *l, enum tp_host_measure measure, struct tp_span name,
                         struct tp_human value, unsigned kept_columns)
{
    const char *words = tp_measure_words(measure), *kind = tp_measure_name_words(measure);
    unsigned kept = value.columns + (unsigned)(strlen(words) + strlen(kind)) + 2;
    if (!tp_measure_begins_with_name(measure)) {
        return tp_line_try(l, "%s %s", value.text, words) || tp_line_try(l, "%s", value.text);
    }
    if (l->left >= kept + kept_columns + NAME_COLUMNS_LEAST)
        kept += kept_columns;
    // "p50 5 ms", but "5 Ps in use".
    bool is_time = tp_measure_info(measure).unit == TP_UNIT_NS;
    const char *first = is_time ? words : value.text, *second = is_time ? value.text : words;
    // A name that cannot be recognized is of less use than the figure.
    if (l->left < kept + NAME_COLUMNS_LEAST / 2)
        return tp_line_try(l, "%s %s", first, second);
    if (name.len_bytes == 0)
        name = tp_span_of_text(tp_full_name_if_empty(TP_SPACE_TASK));
    tp_line_text(l, kind);
    tp_line_short(l, tp_shorten_text(name, l->left - kept));
    return tp_line_try(l, " %s %s", first, second);
}

static void put_line(struct tp_emit *e, const struct tp_full_report *r, uint32_t first, uint32_t end,
                     const struct names *names)
{
    const struct tp_difference *d = first_of(r, first);
    struct tp_line l = {e, r->screen.columns};
    const struct tp_human fleet = d->fleet_value > 0 ? tp_measure_human(d->measure, d->fleet_value)
                                                     : tp_human_printf("0");
    const char *label = tp_measure_label(d->measure);
    tp_line_text(&l, "  ");
    put_names(&l, r, first, end, names);
    tp_line_text(&l, "  ");
    tp_emit_style(e, TP_STYLE_ALARM);
    tp_line_text(&l, label);
    tp_emit_style(e, TP_STYLE_PLAIN);
    for (size_t i = strlen(label); i < LABEL_COLUMNS; i++)
        tp_line_text(&l, " ");
    const struct tp_human beside = tp_human_printf(" (fleet %s)", fleet.text);
    if (tp_hosts_put_figure(&l, d->measure, tp_full_text(r, d->name), tp_measure_human(d->measure, d->value), beside.columns))
        tp_line_try(&l, "%s", beside.text);
    put_culprit(&l, r, &r->differs.items[first]);
    tp_emit_text(e, "\n");
}

static void put_groups(struct tp_emit *e, const struct tp_full_report *r, const struct tp_two_groups *g)
{
    struct tp_line l = {e, r->screen.columns};
    const struct tp_human low = tp_measure_human(g->measure, g->low);
    tp_line_try(&l, "  %s: %" PRIu32 " hosts with ", tp_measure_label(g->measure), g->high_count);
    (void)tp_hosts_put_figure(&l, g->measure, tp_full_text(r, g->name), tp_measure_human(g->measure, g->high), low.columns + 16);
    tp_line_try(&l, ", %" PRIu32 " with %s", g->low_count, low.text);
    if (g->measure == TP_HOST_WAIT) {
        const struct tp_source_place place = {g->name, TP_INTERN_NONE, 0};
        tp_hosts_put_place(&l, r->totals, "  in ", &place);
    }
    tp_emit_text(e, "\n");
}

// THE FINDINGS THAT HOSTS SHARE

// Whether the lines of its hosts have the finding already.
static bool is_on_lines(const struct tp_full_report *r, const struct tp_fleet_row *row)
{
    for (uint32_t i = 0; i < row->found_count; i++) {
        if (!r->differs.are_on_lines[row->found[i] - r->totals->found.items])
            return false;
    }
    return true;
}

static void put_shared(struct tp_emit *e, const struct tp_full_report *r, const struct tp_fleet_row *row,
                       size_t end_bytes)
{
    struct tp_line l = {e, r->screen.columns};
    if (row->file_count == 1) {
        tp_line_text(&l, "  in ");
        tp_line_short(&l, tp_shorten_path(short_name(r, tp_full_text(r, row->worst_path), end_bytes), PATH_COLUMNS));
        tp_line_text(&l, ": ");
    } else
        tp_line_try(&l, "  in %" PRIu32 " traces: ", row->file_count);
    tp_line_text(&l, tp_finding_kinds[row->kind].title);
    tp_line_try(&l, ": %s", tp_finding_headline(row).text);
    const struct tp_human label = tp_human_printf("  %s ", tp_finding_culprit_label(row));
    tp_hosts_put_place(&l, r->totals, label.text, &row->culprit);
    tp_emit_text(e, "\n");
}

// COMMAND

#define COMMAND "  $ tracepipe "

// Returns the input of the worst host: that with its finding, or its first one.
static struct tp_span worst_path(const struct tp_full_report *r)
{
    const struct tp_difference *worst = first_of(r, 0);
    const struct tp_host *host = &r->differs.hosts.items[worst->host];
    return tp_full_text(r, worst->found != NULL ? worst->found->path : host->rows[0]->path);
}

// Whether a line has room for the command that opens the worst host, and a shell can read its path.
static bool has_command(const struct tp_full_report *r)
{
    return r->differs.count > 0 && tp_shell_can_read(worst_path(r)) &&
           sizeof COMMAND - 1 + tp_full_reading_columns(r) + tp_shell_path_columns(worst_path(r)) <=
               r->screen.columns;
}

static void put_command(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_emit_text(e, COMMAND);
    tp_full_print_reading(e, r);
    tp_shell_put_path(e, worst_path(r), tp_emit_span);
    tp_emit_text(e, "\n");
}

// THE PART

static size_t line_count(const struct tp_differs *d)
{
    size_t count = 0;
    for (uint32_t first = 0; first < d->count; first = end_of_line(d, first))
        count++;
    return count;
}

size_t tp_full_host_lines(const struct tp_full_report *r)
{
    size_t count = line_count(&r->differs) + r->differs.groups.count;
    for (uint32_t i = 0; i < r->fleet.count; i++)
        count += !is_on_lines(r, &r->fleet.items[i]);
    return count;
}

unsigned tp_full_hosts_head(const struct tp_full_report *r)
{
    return 2u + has_command(r) + (r->differs.not_compared_count > 0);
}

static void put_verdict(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_differs *d = &r->differs;
    const struct tp_human of = tp_human_count(d->hosts.count);
    tp_emit_text(e, "\n");
    tp_emit_style(e, d->count > 0 ? TP_STYLE_ALARM : TP_STYLE_PLAIN);
    if (d->count == 0 && d->groups.count > 0)
        tp_emit_printf(e, "the %s hosts fall into two groups\n", of.text);
    else if (d->count == 0)
        tp_emit_printf(e, "none of %s hosts differs from the others\n", of.text);
    else
        tp_emit_printf(e, "%" PRIu32 " of %s hosts differ%s from the others\n", d->count, of.text,
                       d->count == 1 ? "s" : "");
    tp_emit_style(e, TP_STYLE_PLAIN);
}

// Prints how many tasks and regions the rows of hosts leave away. Other kinds are compared by the last one that a row has.
static void put_not_compared(struct tp_emit *e, const struct tp_full_report *r)
{
    struct tp_line l = {e, r->screen.columns};
    uint64_t count = r->differs.not_compared_count;
    if (count == 0)
        return;
    tp_line_try(&l, "  not compared: tasks and regions besides the %d with most time of a trace, %s in all",
                TP_TOPS_PER_KIND, tp_human_count(count).text);
    tp_emit_text(e, "\n");
}

void tp_full_print_hosts(struct tp_emit *e, const struct tp_full_report *r, size_t most)
{
    const struct tp_differs *d = &r->differs;
    size_t all = tp_full_host_lines(r), left = most;
    const struct names names = names_of(r, most);
    put_verdict(e, r);
    for (uint32_t first = 0, end; first < d->count && left > 0; first = end, left--) {
        end = end_of_line(d, first);
        put_line(e, r, first, end, &names);
    }
    if (has_command(r))
        put_command(e, r);
    for (uint32_t i = 0; i < d->groups.count && left > 0; i++, left--)
        put_groups(e, r, &d->groups.items[i]);
    for (uint32_t i = 0; i < r->fleet.count && left > 0; i++) {
        if (is_on_lines(r, &r->fleet.items[i]))
            continue;
        put_shared(e, r, &r->fleet.items[i], names.end_bytes);
        left--;
    }
    tp_table_more(e, all, most);
    put_not_compared(e, r);
}
