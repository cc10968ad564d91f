// Findings in the text of `stats:level=full`: two lines each, or one that says that there are none.
// Behind "$" stands the command that shows all that is known of them, so that it can be pasted: for
// one input below the last finding, for several below each one, with the inputs in which it is. If
// the paths have no room, or cannot be read again, the line tells only the option. A shell that gets
// a whole line pasted must change nothing: from a line with ">" it would make a file.
#include <inttypes.h>
#include <string.h>

#include "sink/print/lines.h"
#include "sink/print/shell.h"
#include "sink/print/shorten.h"
#include "sink/print/wrap.h"
#include "sink/stats/findings/print.h"
#include "sink/stats/findings/words.h"
#include "sink/stats/report/command.h"

#define SECOND_INDENT "   "
#define PPM UINT64_C(1000000)
// A path or a function is not printed in fewer columns.
#define PATH_COLUMNS_LEAST 12
#define NAME_COLUMNS_LEAST 16
// Columns of a time since the trace began.
#define WHEN_COLUMNS ((unsigned)sizeof ", at 100.000000s" - 1)
// Words that are left out of a first line that is too long.
#define TRACES " traces"
// These print a command that shows all of the findings, or the option that the user has to add.
#define PROGRAM "tracepipe "
#define COMMAND PROGRAM FLAGS
#define MARK "$ "
#define OPTION "add " FLAGS
#define FLAGS "--sink " TP_FULL_VIEW_SINK
// The most traces that a command has.
#define TRACES_MOST 3

// THE FIRST LINE

// In how many inputs a finding is, how many of these are damaged, and in which it is worst, unless
// the command has its path: the text around " traces", which is left out first if there is not
// enough room.
struct inputs {
    struct tp_human count;   // empty if there is only one judged input
    struct tp_human damage;  // in short; empty if there is none
    struct tp_human damage_in_full;
    const char *before_path; // NULL: the path is not told
    struct tp_span path;
    unsigned columns; // of all of it, with the short damage
};

static struct inputs inputs_of(const struct tp_full_report *r, const struct tp_fleet_row *row,
                               bool has_path)
{
    struct inputs in = {.path = tp_full_path(r, tp_full_text(r, row->worst_path)),
                        .damage = tp_finding_damage(r, row, true),
                        .damage_in_full = tp_finding_damage(r, row, false)};
    in.columns = in.damage.columns;
    if (!tp_finding_is_of_fleet(r))
        return in;
    in.count = tp_human_printf(", in %s of %s", tp_human_count(row->file_count).text,
                               tp_human_count(r->fleet.judgements[TP_JUDGEMENT_JUDGED]).text);
    in.columns += in.count.columns + (unsigned)(sizeof TRACES - 1);
    if (!has_path)
        return in;
    in.before_path = row->path_count > 1 ? ", most in " : ": ";
    in.columns += (unsigned)strlen(in.before_path) + tp_shorten_path(in.path, UINT32_MAX).columns;
    return in;
}

// Puts the kind and what it is about. On a narrow screen the key stands for the title, or the figure
// alone for the phrase.
static void put_value(struct tp_line *l, const struct tp_fleet_row *row)
{
    const struct tp_finding_kind_info *kind = &tp_finding_kinds[row->kind];
    const struct tp_human figure = tp_finding_human(row->kind, row->value_ppm);
    const struct tp_human headline = tp_finding_headline(row);
    unsigned title_columns = (unsigned)strlen(kind->title) + 2;
    unsigned key_columns = (unsigned)strlen(kind->key) + 2;
    bool has_title = l->left >= title_columns + headline.columns ||
                     (l->left < key_columns + headline.columns &&
                      l->left >= title_columns + figure.columns);
    tp_emit_style(l->e, TP_STYLE_ALARM);
    tp_line_text(l, has_title ? kind->title : kind->key);
    tp_emit_style(l->e, TP_STYLE_PLAIN);
    tp_line_text(l, ": ");
    if (!tp_line_try(l, "%s", headline.text))
        tp_line_text(l, figure.text);
}

// Puts the path in as many columns as are left, or nothing if these are too few to tell it.
static void put_path(struct tp_line *l, const char *before, struct tp_span path)
{
    unsigned columns = tp_shorten_path(path, UINT32_MAX).columns;
    if (l->left < strlen(before) + (columns < PATH_COLUMNS_LEAST ? columns : PATH_COLUMNS_LEAST))
        return;
    tp_line_text(l, before);
    tp_line_short(l, tp_shorten_path(path, l->left));
}

// Returns whether the line says what is damaged; if it has no room for that, the second line does.
static bool put_inputs(struct tp_line *l, const struct inputs *in)
{
    unsigned columns_in_full = in->columns - in->damage.columns + in->damage_in_full.columns;
    bool has_room = l->left >= in->columns, is_in_full = l->left >= columns_in_full;
    if (!tp_line_try(l, "%s", in->count.text))
        return in->damage.columns == 0;
    if (has_room && in->count.columns > 0)
        tp_line_text(l, TRACES);
    bool says_damage =
        tp_line_try(l, "%s", is_in_full ? in->damage_in_full.text : in->damage.text);
    if (in->before_path != NULL)
        put_path(l, has_room ? in->before_path : ": ", in->path);
    return says_damage;
}

static void put_figures(struct tp_line *l, const struct tp_fleet_row *row)
{
    const char *count = tp_finding_sentences[row->kind].count;
    if (row->kind == TP_FINDS_LEAK && !tp_line_try(l, ", %s still blocked", tp_human_count(row->count).text))
        return;
    if (count != NULL && !tp_line_try(l, "; %s %.*s", tp_human_count(row->count).text,
                                      tp_finding_word_bytes(count, row->count), count))
        return;
    if (row->kind != TP_FINDS_LEAK)
        tp_line_try(l, count != NULL ? ", %s" : "; %s in all", tp_human_ns(row->lost).text);
    if (row->kind == TP_FINDS_FEW_PS)
        tp_line_try(l, "; %s", tp_finding_ps(row).text);
    if (row->kind == TP_FINDS_SYSCALL && row->count > 0)
        tp_line_try(l, ", mean %s", tp_human_ns(row->lost / row->count).text);
    if (row->p99_ns > 0 && row->kind != TP_FINDS_SLOW_TASK)
        tp_line_try(l, ", p99 %s", tp_human_ns(row->p99_ns).text);
}

// THE SECOND LINE

// Prints "LABEL FUNCTION (FILE:LINE)", or nothing if the line has no room for it. Only the first
// place of a finding has a file and a line.
static void put_place(struct tp_line *l, const struct tp_full_report *r, const char *label,
                      const struct tp_source_place *place, unsigned kept_columns)
{
    bool is_first = l->left + sizeof SECOND_INDENT - 1 == r->screen.columns;
    unsigned label_columns = (unsigned)strlen(label) + (is_first ? 1 : 3);
    unsigned room = l->left > kept_columns + label_columns ? l->left - kept_columns - label_columns
                                                           : 0;
    if (tp_full_text(r, place->function).len_bytes == 0 || room < NAME_COLUMNS_LEAST)
        return;
    struct tp_short function = tp_shorten_function(tp_full_text(r, place->function), room);
    struct tp_span file = tp_full_file_name(tp_full_text(r, place->file));
    const struct tp_human line = tp_human_printf(":%" PRIu64, place->line);
    unsigned file_columns = (unsigned)file.len_bytes + line.columns + 3;
    bool has_file = is_first && file.len_bytes > 0 && file_columns + NAME_COLUMNS_LEAST <= room;
    if (has_file && function.columns + file_columns > room)
        function = tp_shorten_function(tp_full_text(r, place->function), room - file_columns);
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
    const char *before = "; also causes: ";
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
        if ((row->also >> k & 1) == 0 || l->left <= kept_columns)
            continue;
        // Without room for the title, the key tells it.
        const struct tp_finding_kind_info *kind = &tp_finding_kinds[k];
        bool has_room = strlen(before) + strlen(kind->title) <= l->left - kept_columns;
        if (!tp_line_try(l, "%s%s", before, has_room ? kind->title : kind->key))
            continue;
        before = ", ";
    }
}

// Puts `damage`, which is empty if the first line has it, at the end.
static void put_second(struct tp_line *l, const struct tp_full_report *r,
                       const struct tp_fleet_row *row, const struct tp_human *damage)
{
    const struct tp_finding_sentence *s = &tp_finding_sentences[row->kind];
    tp_line_text(l, SECOND_INDENT);
    unsigned left = l->left, kept = damage->columns;
    const char *other = tp_finding_other_label(r, row);
    put_place(l, r, tp_finding_culprit_label(row), &row->culprit, kept);
    if (other != NULL)
        put_place(l, r, other, &row->other, kept);
    if (s->victims != NULL && row->victim_count > 0)
        put_place(l, r, s->victims, &row->victims[0].place, kept);
    put_also(l, row, kept);
    bool is_known = tp_full_text(r, row->culprit.function).len_bytes > 0;
    if (!is_known && l->left == left &&
        !tp_line_try(l, "function not known: no stack of it is in the trace"))
        tp_line_try(l, "function not known");
    tp_line_try(l, "%s", damage->text);
}

// THE TIME

// Puts when the worst instance was; without room for the wall clock only since the trace began.
static void put_when(struct tp_emit *e, const struct tp_full_report *r,
                     const struct tp_fleet_row *row)
{
    struct tp_line l = {e, r->screen.columns};
    const struct tp_when when = tp_finding_when(row);
    if (!tp_when_is_known(when))
        return;
    tp_line_text(&l, SECOND_INDENT);
    tp_line_text(&l, tp_finding_worst(row, l.left > WHEN_COLUMNS ? l.left - WHEN_COLUMNS : 0).text);
    tp_full_line_when(&l, r, ", at ", when);
    tp_emit_text(e, "\n");
}

// COMMANDS

// The inputs that the command of a row names, those with the greatest values first.
struct named {
    uint32_t paths[TRACES_MOST];
    unsigned count;
    unsigned columns; // of the command with them
};

static bool has_path(const struct named *n, uint32_t path)
{
    for (unsigned i = 0; i < n->count; i++) {
        if (n->paths[i] == path)
            return true;
    }
    return false;
}

// Returns the inputs whose paths fit in a line: all of a row if there are few, else the worst one;
// none if the line has no room.
static struct named named_of(const struct tp_full_report *r, const struct tp_fleet_row *row)
{
    struct named all = {.columns = (unsigned)sizeof SECOND_INDENT MARK COMMAND - 1 +
                                   tp_full_reading_columns(r)};
    struct named worst = all, none = {.count = 0};
    for (uint32_t i = 0; i < row->found_count && all.count < TRACES_MOST; i++) {
        if (has_path(&all, row->found[i]->path))
            continue;
        if (!tp_shell_can_read(tp_full_text(r, row->found[i]->path)))
            return none;
        all.columns += 1 + tp_shell_path_columns(tp_full_text(r, row->found[i]->path));
        all.paths[all.count++] = row->found[i]->path;
        if (all.count == 1)
            worst = all;
    }
    if (all.count == row->path_count && all.columns <= r->screen.columns)
        return all;
    struct tp_human words = tp_human_printf("worst of %s: ", tp_human_count(row->file_count).text);
    worst.columns += row->path_count > 1 ? words.columns : 0;
    return worst.columns <= r->screen.columns ? worst : none;
}

static void put_command(struct tp_emit *e, const struct tp_full_report *r, const struct named *n)
{
    tp_emit_text(e, PROGRAM);
    tp_full_print_reading(e, r);
    tp_emit_text(e, FLAGS);
    for (unsigned i = 0; i < n->count; i++) {
        tp_emit_text(e, " ");
        tp_shell_put_path(e, tp_full_text(r, n->paths[i]), tp_emit_span);
    }
    tp_emit_text(e, "\n");
}

static void put_third(struct tp_emit *e, const struct tp_full_report *r,
                      const struct tp_fleet_row *row, const struct named *n)
{
    tp_emit_text(e, SECOND_INDENT);
    if (n->count > 0 && n->count < row->path_count)
        tp_emit_printf(e, "worst of %s: ", tp_human_count(row->file_count).text);
    else if (n->count > 0)
        tp_emit_text(e, MARK);
    if (n->count > 0)
        put_command(e, r, n);
    else
        tp_emit_text(e, OPTION "\n");
}

// Puts how many findings of each kind are left out, the most frequent kinds first, as far as there
// is room.
static void put_left_out(struct tp_line *l, const struct tp_full_report *r, uint32_t shown)
{
    static const char dots[] = ", ...";
    uint32_t counts[TP_FINDS_COUNT] = {0}, left = r->fleet.count - shown;
    for (uint32_t i = shown; i < r->fleet.count; i++)
        counts[r->fleet.items[i].kind]++;
    for (const char *before = "; "; left > 0; before = ", ") {
        unsigned most = 0;
        for (unsigned k = 1; k < TP_FINDS_COUNT; k++)
            most = counts[k] > counts[most] ? k : most;
        struct tp_human words = tp_human_printf("%s%s %s", before, tp_finding_kinds[most].key,
                                                tp_human_count(counts[most]).text);
        left -= counts[most];
        if (l->left < words.columns + (left > 0 ? sizeof dots - 1 : 0)) {
            tp_line_try(l, "%s", dots);
            return;
        }
        tp_line_text(l, words.text);
        counts[most] = 0;
    }
}

// Puts the last line of findings of which `shown` are shown: how many more there are, and what
// shows them.
static void put_last(struct tp_emit *e, const struct tp_full_report *r, uint32_t shown)
{
    struct tp_line l = {e, r->screen.columns};
    struct tp_human more = {MARK, sizeof MARK - 1};
    struct named named = {.count = 0};
    if (r->fleet.count > shown)
        more = tp_human_printf("%s more: ", tp_human_count(r->fleet.count - shown).text);
    if (!tp_finding_is_of_fleet(r))
        named = named_of(r, &r->fleet.items[0]);
    bool has_room = named.count > 0 && named.columns - (sizeof MARK - 1) + more.columns <= l.left;
    tp_line_text(&l, SECOND_INDENT);
    if (has_room || r->fleet.count > shown)
        tp_line_text(&l, more.text);
    if (has_room) {
        put_command(e, r, &named);
        return;
    }
    tp_line_text(&l, OPTION);
    put_left_out(&l, r, shown);
    tp_emit_text(e, "\n");
}

static void put_finding(struct tp_emit *e, const struct tp_full_report *r, uint32_t idx)
{
    const struct tp_fleet_row *row = &r->fleet.items[idx];
    const struct named named = named_of(r, row);
    struct tp_line first = {e, r->screen.columns}, second = first;
    const struct tp_human no_damage = {"", 0};
    const struct inputs in = inputs_of(r, row, named.count == 0);
    tp_line_try(&first, "%u. ", idx + 1);
    put_value(&first, row);
    bool says_damage = put_inputs(&first, &in);
    put_figures(&first, row);
    tp_emit_text(e, "\n");
    put_second(&second, r, row, says_damage ? &no_damage : &in.damage);
    tp_emit_text(e, "\n");
    put_when(e, r, row);
    if (tp_finding_is_of_fleet(r))
        put_third(e, r, row, &named);
}

unsigned tp_full_finding_lines(const struct tp_full_report *r)
{
    return tp_finding_is_of_fleet(r) ? 4 : 3;
}

// NO FINDINGS

static void put_nearest(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_fleet *f = &r->fleet;
    const unsigned indent = sizeof SECOND_INDENT - 1;
    struct tp_wrap w = tp_wrap_begin(e, r->screen.columns, indent, "closest to a finding:", indent);
    tp_wrap_printf(&w, "%s, %s of the way", tp_finding_kinds[f->nearest].title,
                   tp_human_share(f->nearest_ppm, PPM).text);
    struct tp_line l = {e, w.at < r->screen.columns ? r->screen.columns - w.at : 0};
    if (f->judgements[TP_JUDGEMENT_JUDGED] > 1)
        put_path(&l, ", in ", tp_full_path(r, tp_full_text(r, f->nearest_path)));
    tp_wrap_end(&w);
}

static struct tp_wrap begin_verdict(struct tp_emit *e, const struct tp_full_report *r)
{
    struct tp_wrap w = tp_wrap_begin(e, r->screen.columns, 0, "", 0);
    w.indent_columns = sizeof SECOND_INDENT - 1;
    return w;
}

static void put_nothing(struct tp_emit *e, const struct tp_full_report *r)
{
    uint64_t judged = r->fleet.judgements[TP_JUDGEMENT_JUDGED];
    struct tp_human in = tp_human_printf(" in %s traces", tp_human_count(judged).text);
    struct tp_wrap w = begin_verdict(e, r);
    tp_wrap_printf(&w, "nothing stands out%s%s", judged > 1 ? in.text : "",
                   r->totals->damaged_count == 0 ? ""
                   : judged > 1                  ? ", as far as they could be read"
                                                 : ", as far as it could be read");
    tp_wrap_end(&w);
    if (r->fleet.nearest != TP_FINDS_NONE)
        put_nearest(e, r);
}

// Returns why inputs were not judged for a kind. Those without GOMAXPROCS are not judged for others, too.
static const char *why_not_judged(const struct tp_fleet *fleet, unsigned kind)
{
    uint64_t without_procs = fleet->not_judged[TP_FINDS_GC];
    if (kind == TP_FINDS_LEAK)
        return "shorter than 500 ms";
    if (kind != TP_FINDS_FEW_PS || fleet->not_judged[kind] == without_procs)
        return "GOMAXPROCS is not known";
    return without_procs == 0 ? "stacks are lost" : "GOMAXPROCS is not known, or stacks are lost";
}

// Puts the kinds that were not judged in some of the judged inputs, and why.
static void put_kinds_not_judged(struct tp_emit *e, const struct tp_full_report *r)
{
    uint64_t judged = r->fleet.judgements[TP_JUDGEMENT_JUDGED];
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
        uint64_t count = r->fleet.not_judged[k];
        if (count == 0)
            continue;
        const struct tp_human in = tp_human_printf(" in %s traces", tp_human_count(count).text);
        struct tp_wrap w = begin_verdict(e, r);
        tp_wrap_printf(&w, "%s not analysed%s: %s", tp_finding_kinds[k].title,
                       judged == 1 ? "" : count == 1 ? " in 1 trace" : in.text,
                       why_not_judged(&r->fleet, k));
        tp_wrap_end(&w);
    }
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
        if (k == TP_JUDGEMENT_JUDGED || count == 0)
            continue;
        struct tp_wrap w = begin_verdict(e, r);
        tp_wrap_printf(&w, "%s trace%s not analysed: %s", tp_human_count(count).text,
                       tp_plural(count), words[k]);
        tp_wrap_end(&w);
    }
}

void tp_full_print_verdict(struct tp_emit *e, const struct tp_full_report *r)
{
    if (r->fleet.count == 0 && r->fleet.judgements[TP_JUDGEMENT_JUDGED] > 0)
        put_nothing(e, r);
    put_kinds_not_judged(e, r);
    put_not_judged(e, r);
}

static void put_verdict(struct tp_emit *e, const void *report)
{
    tp_full_print_verdict(e, report);
}

// Whether the last line has the command for all findings, even if none is left out.
static bool has_one_command(const struct tp_full_report *r)
{
    return r->fleet.count > 0 && !tp_finding_is_of_fleet(r);
}

unsigned tp_full_findings_head(const struct tp_full_report *r)
{
    unsigned lines = tp_lines_of(put_verdict, r) + (has_one_command(r) ? 1 : 0);
    return lines > 0 || r->fleet.count > 0 ? lines + 1 : 0;
}

void tp_full_print_findings(struct tp_emit *e, const struct tp_full_report *r, size_t most)
{
    if (tp_full_findings_head(r) == 0)
        return;
    tp_emit_text(e, "\n");
    uint32_t shown = most < r->fleet.count ? (uint32_t)most : r->fleet.count;
    for (uint32_t i = 0; i < shown; i++)
        put_finding(e, r, i);
    if (shown < r->fleet.count || has_one_command(r))
        put_last(e, r, shown);
    tp_full_print_verdict(e, r);
}
