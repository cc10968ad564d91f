// The tree of a flame graph, its geometry, and the SVG of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "out_capture.h"
#include "sink/stats/forms.h"
#include "synth_rand.h"

#define MOST_FRAMES 8
#define STACK(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define NO_STACK                                                                                   \
    (const char *const[])                                                                          \
    {                                                                                              \
        NULL                                                                                       \
    }

static const struct tp_stats_config plain = {.format = TP_STATS_FORMAT_FLAMEGRAPH};

// Adds a stack, functions innermost first, whose frames have the PCs from `pc` on.
static void add(struct tp_totals *s, enum tp_stack_type type, uint64_t count, tp_wide total_ns,
                uint64_t pc, const char *const *functions)
{
    uint32_t frames[MOST_FRAMES], depth = 0;
    for (; functions[depth] != NULL; depth++) {
        uint32_t name = tp_intern_put(&s->names, tp_span_of_text(functions[depth]));
        struct tp_totals_frame frame = {.pc = pc + depth, .function = name, .file = name};
        frames[depth] = tp_totals_frames_put(&s->frames, &s->names, &frame);
    }
    uint32_t stack = tp_totals_add_stack(s, frames, depth);
    assert_int_not_equal(stack, TP_INTERN_NONE);
    assert_true(tp_totals_record_stack(s, stack, type, count, total_ns));
}

// TREE

// One line for each frame: NAME BEGIN VALUE COUNT, indented by depth.
struct lines {
    char text[2048];
    size_t len_bytes;
};

static void put_line(void *ctx, const struct tp_flame_frame *f)
{
    struct lines *to = ctx;
    size_t room = sizeof to->text - to->len_bytes;
    int len =
        snprintf(to->text + to->len_bytes, room, "%*s%.*s %llu %llu %llu\n", (int)f->depth, "",
                 (int)f->name.len_bytes, (const char *)f->name.ptr, (unsigned long long)f->begin,
                 (unsigned long long)f->value, (unsigned long long)f->count);
    assert_in_range(len, 1, room - 1);
    to->len_bytes += (size_t)len;
}

static void expect(const struct tp_totals *s, enum tp_stack_type type,
                   const struct tp_stats_config *config, const char *want)
{
    struct tp_full_report r;
    struct lines got = {.text = "", .len_bytes = 0};
    assert_int_equal(tp_full_report_make(config, s, &r, NULL), 0);
    tp_flame_walk(&r.flames[type], put_line, &got);
    assert_string_equal(got.text, want);
    tp_full_report_fini(&r);
}

static void test_stacks_join_where_they_begin_with_the_same_functions(void **state)
{
    struct tp_totals s = {0};
    (void)state;
    add(&s, TP_STACK_SYNC, 1, 5, 0, STACK("lock", "get", "main"));
    add(&s, TP_STACK_SYNC, 2, 7, 0, STACK("read", "main"));
    add(&s, TP_STACK_SYNC, 3, 11, 100, STACK("lock", "get", "main")); // other lines
    add(&s, TP_STACK_SYNC, 4, 13, 0, STACK("get", "main"));
    add(&s, TP_STACK_SYNC, 5, 17, 0, STACK("get", "walk"));
    add(&s, TP_STACK_SYNC, 6, 19, 0, NO_STACK);
    add(&s, TP_STACK_NET, 9, 99, 0, STACK("get", "main"));
    expect(&s, TP_STACK_SYNC, &plain,
           "   lock 32 16 4\n"
           "  get 19 29 8\n"
           "  read 48 7 2\n"
           " main 19 36 10\n"
           "  get 55 17 5\n"
           " walk 55 17 5\n"
           " 0 72 21\n");
    expect(&s, TP_STACK_NET, &plain, "  get 0 99 9\n main 0 99 9\n 0 99 9\n");
    expect(&s, TP_STACK_SCHED, &plain, "");
    const struct tp_stats_config filtered = {.format = plain.format, .filter = "wal"};
    expect(&s, TP_STACK_SYNC, &filtered, "  get 0 17 5\n walk 0 17 5\n 0 17 5\n");
    const struct tp_stats_config of_tasks = {.format = plain.format, .by = TP_STATS_BY_TASK};
    expect(&s, TP_STACK_SYNC, &of_tasks, "");
    tp_totals_fini(&s);
}

static void test_samples_are_counted_and_coarse_stacks_are_there(void **state)
{
    struct tp_totals s = {0};
    (void)state;
    add(&s, TP_STACK_CPU, 4, 0, 0, STACK("burn", "main"));
    assert_true(tp_totals_record_place(&s, TP_STACK_CPU, false, tp_span_of_text("f"), 3, 0));
    assert_true(tp_totals_record_place(&s, TP_STACK_SYNC, true, tp_span_of_text("g"), 1, 8));
    assert_true(tp_totals_record_place(&s, TP_STACK_SYNC, false, tp_span_of_text("g"), 1, 2));
    expect(&s, TP_STACK_CPU, &plain,
           "  f 0 3 3\n (folded) 0 3 3\n  burn 3 4 4\n main 3 4 4\n 0 7 7\n");
    expect(&s, TP_STACK_SYNC, &plain, "  g 0 10 2\n (folded) 0 10 2\n 0 10 2\n");
    tp_totals_fini(&s);
}

// GEOMETRY

// Stacks as they were added, functions outermost first.
struct model {
    const struct tp_flame *flame;
    struct {
        const char *functions[MOST_FRAMES];
        tp_wide value;
    } stacks[60];
    size_t stack_count;
    uint32_t children_mpx[MOST_FRAMES + 2]; // by depth: width of the closed frames of one parent
    tp_wide children_end[MOST_FRAMES + 2];
    size_t root_count;
};

// Returns the sum of the stacks that begin with the functions of a frame and its ancestors.
static tp_wide model_value(const struct model *m, size_t depth)
{
    tp_wide value = 0;
    for (size_t i = 0; i < m->stack_count; i++) {
        size_t same = 0;
        while (same < depth && m->stacks[i].functions[same] != NULL &&
               tp_span_is(m->flame->open[same + 1].name, m->stacks[i].functions[same]))
            same++;
        value = same == depth ? tp_wide_add(value, m->stacks[i].value) : value;
    }
    return value;
}

static void check_frame(void *ctx, const struct tp_flame_frame *f)
{
    struct model *m = ctx;
    uint32_t width_mpx = tp_flame_width_mpx(m->flame, f);
    assert_true(m->children_mpx[f->depth + 1] <= width_mpx);
    assert_true(m->children_end[f->depth + 1] <= f->begin + f->value);
    if (f->depth > 0) {
        const struct tp_flame_frame *parent = &m->flame->open[f->depth - 1];
        assert_true(tp_flame_place_mpx(m->flame, f->begin) >=
                    tp_flame_place_mpx(m->flame, parent->begin));
        assert_true(f->begin >= m->children_end[f->depth]);
    }
    if (m->flame->value < TP_WIDE_MAX)
        assert_true(f->value == model_value(m, f->depth));
    m->children_mpx[f->depth + 1] = 0;
    m->children_end[f->depth + 1] = 0;
    m->children_mpx[f->depth] += width_mpx;
    m->children_end[f->depth] = f->begin + f->value;
    m->root_count += f->depth == 0;
}

// Adds a random stack to the totals and to the model, unless the model has it.
static void add_random(struct synth_rand *rand, struct tp_totals *s, struct model *m,
                       unsigned most_bits)
{
    static const char *const names[] = {"a", "aa", "b", "ab", ""};
    const char *innermost_first[MOST_FRAMES] = {NULL};
    size_t depth = synth_below(rand, MOST_FRAMES);
    for (size_t i = 0; i < depth; i++) {
        m->stacks[m->stack_count].functions[i] = names[synth_below(rand, TP_ARRAY_LEN(names))];
        innermost_first[depth - 1 - i] = m->stacks[m->stack_count].functions[i];
    }
    tp_wide value = synth_next(rand);
    value = (value << 64 | synth_next(rand)) >> (128 - most_bits);
    value >>= synth_below(rand, most_bits);
    m->stacks[m->stack_count++].value = value;
    add(s, TP_STACK_SYNC, 1, value, synth_below(rand, 3), innermost_first);
}

static void test_widths_nest_and_sums_are_those_of_the_stacks(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct synth_rand rand = {seed};
        struct tp_totals s = {0};
        struct model m = {.stack_count = 0};
        struct tp_full_report r;
        size_t count = 1 + synth_below(&rand, TP_ARRAY_LEN(m.stacks));
        unsigned most_bits = seed % 3 == 0 ? 128 : seed % 3 == 1 ? 120 : 10;
        for (size_t i = 0; i < count; i++)
            add_random(&rand, &s, &m, most_bits);
        assert_int_equal(tp_full_report_make(&plain, &s, &r, NULL), 0);
        m.flame = &r.flames[TP_STACK_SYNC];
        tp_flame_walk(m.flame, check_frame, &m);
        assert_int_equal(m.root_count, 1);
        assert_int_equal(m.children_mpx[0], m.flame->value > 0 ? TP_FLAME_WIDTH_MPX : 0);
        tp_full_report_fini(&r);
        tp_totals_fini(&s);
    }
}

static void test_places_never_turn_back(void **state)
{
    (void)state;
    for (unsigned bits = 1; bits <= 128; bits++) {
        struct synth_rand rand = {bits};
        const struct tp_flame f = {.value = TP_WIDE_MAX >> (128 - bits)};
        assert_int_equal(tp_flame_place_mpx(&f, 0), 0);
        assert_int_equal(tp_flame_place_mpx(&f, f.value), TP_FLAME_WIDTH_MPX);
        for (int i = 0; i < 1000; i++) {
            tp_wide at = synth_next(&rand);
            at = (at << 64 | synth_next(&rand)) >> (128 - bits);
            assert_true(at == 0 || tp_flame_place_mpx(&f, at - 1) <= tp_flame_place_mpx(&f, at));
        }
    }
}

// SVG

static void print(const struct tp_totals *s, const struct tp_stats_config *config,
                  struct capture *c)
{
    struct tp_full_report r;
    struct tp_error err;
    struct tp_emit e;
    *c = (struct capture){.out = {capture_write}};
    assert_int_equal(tp_full_report_make(config, s, &r, &err), 0);
    tp_emit_init(&e, &c->out, &err);
    tp_full_print_flamegraph(&e, &r);
    assert_int_equal(tp_emit_end(&e), 0);
    tp_full_report_fini(&r);
}

// ESC, an invalid byte, a mark that turns the direction of writing, a rune that XML forbids, NUL.
#define ODD "]]>\033\x9b\xe2\x80\xae\xef\xbf\xbf<&\"'>\n"
#define SHOWN "]]&gt;????&lt;&amp;&quot;&#39;&gt;?"

static void test_odd_texts_are_escaped(void **state)
{
    struct capture c;
    struct tp_totals s = {.file_count = 1};
    const struct tp_stats_config filtered = {.format = plain.format, .filter = "<&\"'"};
    (void)state;
    add(&s, TP_STACK_SYNC, 1, 10, 0, STACK("", "f" ODD, "main"));
    print(&s, &filtered, &c);
    assert_non_null(strstr(c.text, "<title>f" SHOWN " (10 ns in 1 wait, 100.0% of sync)</title>"));
    assert_non_null(strstr(c.text, ">f" SHOWN "</text>"));
    assert_non_null(strstr(c.text, "; only stacks with &lt;&amp;&quot;&#39;</text>"));
    assert_non_null(strstr(c.text, ">(unknown)</text>"));
    assert_null(strpbrk(c.text, "\033\x9b"));
    // The script is the only place with the end of a CDATA section.
    const char *end = strstr(c.text, "]]>");
    assert_non_null(end);
    assert_string_equal(end, "]]></script>\n</svg>\n");
    tp_totals_fini(&s);
}

static void test_narrow_frames_are_counted_and_long_labels_cut(void **state)
{
    struct capture c;
    struct tp_totals s = {.file_count = 2};
    (void)state;
    add(&s, TP_STACK_SYNC, 1, 1000000, 0, STACK("wide", "main"));
    add(&s, TP_STACK_SYNC, 1, 12000, 0, STACK("example.org/some.long.name", "main"));
    add(&s, TP_STACK_SYNC, 1, 80000, 0, STACK("example.org/some.long.name", "go"));
    add(&s, TP_STACK_SYNC, 1, 90, 0, STACK("thin", "thinner", "main"));
    add(&s, TP_STACK_NET, 1, 0, 0, STACK("wait", "main")); // without a width
    print(&s, &plain, &c);
    assert_non_null(strstr(c.text, ">Flame graph of 2 traces<"));
    assert_non_null(strstr(c.text, "; 4 frames too narrow</text>"));
    assert_null(strstr(c.text, "thin"));
    assert_null(strstr(c.text, "data-type=\"net\""));
    assert_non_null(strstr(c.text, ">example.o..</text>"));
    assert_non_null(strstr(c.text, ">wide</text>"));
    tp_totals_fini(&s);
    s = (struct tp_totals){0};
    print(&s, &plain, &c);
    assert_non_null(strstr(c.text, ">no stacks</text>"));
    tp_totals_fini(&s);
}

static void test_bytes_do_not_depend_on_the_order_of_the_stacks(void **state)
{
    static struct capture one, other;
    static const char *const stacks[][4] = {
        {"x", "main"}, {"y", "main"}, {"x", "y", "main"}, {"x"}, {"runtime.x"}};
    struct tp_totals forth = {0}, back = {0};
    size_t count = TP_ARRAY_LEN(stacks);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        add(&forth, TP_STACK_SYNC, i, 7 + i, 0, stacks[i]);
        add(&back, TP_STACK_SYNC, count - 1 - i, 6 + count - i, 0, stacks[count - 1 - i]);
    }
    print(&forth, &plain, &one);
    print(&back, &plain, &other);
    assert_string_equal(one.text, other.text);
    tp_totals_fini(&forth);
    tp_totals_fini(&back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stacks_join_where_they_begin_with_the_same_functions),
        cmocka_unit_test(test_samples_are_counted_and_coarse_stacks_are_there),
        cmocka_unit_test(test_widths_nest_and_sums_are_those_of_the_stacks),
        cmocka_unit_test(test_places_never_turn_back),
        cmocka_unit_test(test_odd_texts_are_escaped),
        cmocka_unit_test(test_narrow_frames_are_counted_and_long_labels_cut),
        cmocka_unit_test(test_bytes_do_not_depend_on_the_order_of_the_stacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
