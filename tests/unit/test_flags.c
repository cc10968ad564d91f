// The table of flags, its parser, and its manual page.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/flags.h"
#include "tracepipe/tracepipe.h"

#define MAX_WORDS 16

// The rows of flags.def.
static const struct row {
    char letter;
    const char *name, *arg, *option, *value, *help;
} rows[TP_FLAG_COUNT] = {
#define TP_FLAG_SECTION(title)
#define TP_FLAG(id, audience, letter, name, arg, option, value, help)                              \
    {letter, name, arg, option, value, help},
#include "cli/flags.def"
#undef TP_FLAG
#undef TP_FLAG_SECTION
};

// Returns the long name, or the letter of a flag without one; in memory of its own until the next
// call.
static const char *name_of(enum tp_flag flag)
{
    static char letter[2];
    letter[0] = rows[flag].letter;
    return rows[flag].name != NULL ? rows[flag].name : letter;
}

// What a walk said: "FLAG=TEXT " per word, FLAG by its long name.
struct record {
    char text[512];
    enum tp_flag stop_at; // TP_FLAG_INPUT + 1: never
};

static int record_word(void *ctx, enum tp_flag flag, const char *text, struct tp_error *err)
{
    struct record *record = ctx;
    size_t len_bytes = strlen(record->text);
    const char *name = flag < TP_FLAG_COUNT ? name_of(flag) : "FILE";

    (void)err;
    snprintf(record->text + len_bytes, sizeof(record->text) - len_bytes, "%s=%s ", name,
             text ? text : "");
    return flag == record->stop_at ? TP_E_STOPPED : 0;
}

static int walk(struct record *record, const char *const words[], struct tp_error *err)
{
    char *argv[MAX_WORDS + 2] = {(char *)(uintptr_t) "tracepipe"};
    int argc = 1;

    record->text[0] = '\0';
    for (; words[argc - 1]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
    int code = tp_flags_walk(argc, argv, record_word, record, err);
    // A second walk has to see the same words.
    for (int i = 1; i < argc; i++)
        assert_ptr_equal(argv[i], words[i - 1]);
    return code;
}

static void test_names_and_letters_are_unique(void **state)
{
    (void)state;
    for (int a = 0; a < TP_FLAG_COUNT; a++) {
        for (int b = a + 1; b < TP_FLAG_COUNT; b++) {
            if (rows[a].name && rows[b].name)
                assert_string_not_equal(rows[a].name, rows[b].name);
            if (rows[a].letter)
                assert_int_not_equal(rows[a].letter, rows[b].letter);
        }
        assert_non_null(rows[a].help);
        assert_true(rows[a].name || rows[a].letter);
    }
}

static void test_options_and_flags_belong_together(void **state)
{
#define TP_X(name, default_value, help) name,
    static const char *const options[] = {TP_RUN_OPTIONS(TP_X)};
#undef TP_X
    const size_t option_count = sizeof(options) / sizeof(options[0]);
    int setters = 0, wanted_count = 0;

    (void)state;
    for (size_t i = 0; i < option_count; i++) {
        int found = 0;
        for (int flag = 0; flag < TP_FLAG_COUNT; flag++) {
            const char *option = rows[flag].option;
            found += option && strcmp(option, options[i]) == 0;
        }
        // The program has the sink `spans` instead, and no use for intervals.
        int wanted = strcmp(options[i], "spans") != 0 && strcmp(options[i], "intervals") != 0;
        wanted_count += wanted;
        if (found != wanted)
            fail_msg("%d flags set the option '%s'", found, options[i]);
    }
    for (int flag = 0; flag < TP_FLAG_COUNT; flag++) {
        setters += rows[flag].option != NULL;
        // An option gets either the argument or the fixed value.
        if (rows[flag].option)
            assert_true(!rows[flag].arg != !rows[flag].value);
    }
    assert_int_equal(setters, wanted_count);
}

static void test_words_come_in_order(void **state)
{
    static const struct {
        const char *words[MAX_WORDS];
        const char *expected;
    } cases[] = {
        {{NULL}, ""},
        {{"a", "-r", "b"}, "FILE=a recursive= FILE=b "},
        {{"--files-from", "l", "a", "--files-from=m"}, "files-from=l FILE=a files-from=m "},
        {{"-o", "x", "--sink", "text:header=no", "-oy"}, "output=x sink=text:header=no output=y "},
        {{"-0rj4", "-"}, "null= recursive= jobs=4 FILE=- "},
        {{"-j", "4", "--", "-r", "--", "--help"}, "jobs=4 FILE=-r FILE=-- FILE=--help "},
        {{"--", ""}, "FILE= "},
        {{"-o", "-r"}, "output=-r "},
        {{"--max-mem=1G", "--no-pr"}, "max-memory=1G no-progress= "},
    };
    struct record record = {.stop_at = TP_FLAG_INPUT + 1};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(walk(&record, cases[i].words, NULL), 0);
        assert_string_equal(record.text, cases[i].expected);
    }
}

static void test_callback_stops_the_walk(void **state)
{
    const char *const words[] = {"a", "-r", "b", NULL};
    struct record record = {.stop_at = TP_FLAG_RECURSIVE};
    struct tp_error err = {0};

    (void)state;
    assert_int_equal(walk(&record, words, &err), TP_E_STOPPED);
    assert_string_equal(record.text, "FILE=a recursive= ");
}

static void test_unknown_words_are_misuse(void **state)
{
    static const struct {
        const char *words[MAX_WORDS];
        const char *text;
    } cases[] = {
        {{"--unknown"}, "unrecognized option '--unknown'"},
        {{"--hepl"}, "unrecognized option '--hepl' (did you mean '--help'?)"},
        {{"--fron=1s"}, "unrecognized option '--fron=1s' (did you mean '--from'?)"},
        {{"--\xc2\x9b\xff\n"}, "unrecognized option '--\xc2\x9b\xff\n'"},
        {{"-Z"}, "invalid option -- 'Z'"},
        {{"-rZ"}, "invalid option -- 'Z'"},
        {{"--jobs"}, "option '--jobs' requires an argument"},
        {{"-o"}, "option requires an argument -- 'o'"},
        {{"--quiet=no"}, "option '--quiet' doesn't allow an argument"},
        {{"--re", "--f", "x"}, "option '--re' is ambiguous; possibilities: '--recursive' '--read-back' '--resume' '--rehash' '--reread'"},
    };
    struct record record = {.stop_at = TP_FLAG_INPUT + 1};
    FILE *own = stderr;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tp_error err = {.text = "untouched"};
        assert_int_equal(walk(&record, cases[i].words, &err), TP_E_USAGE);
        assert_int_equal(err.code, TP_E_USAGE);
        assert_string_equal(err.text, cases[i].text);
        assert_ptr_equal(stderr, own);
    }
}

static void test_a_word_of_any_length_is_misuse(void **state)
{
    static char word[8192];
    const char *const words[] = {word, NULL};
    struct record record = {.stop_at = TP_FLAG_INPUT + 1};
    struct tp_error err = {.text = "untouched"};

    (void)state;
    memset(word, 'x', sizeof(word) - 1);
    memcpy(word, "--", 2);
    assert_int_equal(walk(&record, words, &err), TP_E_USAGE);
    assert_memory_equal(err.text, "unrecognized option '--xxx", 26);
    assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

static size_t read_text(const char *path, char *to, size_t to_bytes)
{
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    size_t len_bytes = fread(to, 1, to_bytes - 1, file);
    assert_true(feof(file));
    fclose(file);
    to[len_bytes] = '\0';
    return len_bytes;
}

// The help text, filled anew for each test.
static void help_text(enum tp_flag_audience audience, char *to, size_t to_bytes)
{
    FILE *file = tmpfile();

    assert_non_null(file);
    tp_flags_help(file, audience);
    rewind(file);
    to[fread(to, 1, to_bytes - 1, file)] = '\0';
    fclose(file);
}

// Whether `needle` stands in `text` with nothing after it that would belong to a
// longer name.
static bool has_whole_word(const char *text, const char *needle)
{
    size_t needle_bytes = strlen(needle);

    for (const char *at = strstr(text, needle); at; at = strstr(at + 1, needle)) {
        if (strchr(" \n=,", at[needle_bytes]))
            return true;
    }
    return false;
}

// "--NAME", or "-L" of a flag without a name.
static void spell(char to[static 64], enum tp_flag flag)
{
    snprintf(to, 64, "%s%s", rows[flag].name != NULL ? "--" : "-", name_of(flag));
}

static void test_help_names_the_flags_of_its_audience(void **state)
{
    static char help[TP_FLAG_AUDIENCES][16384];
    char needle[64];

    (void)state;
    for (int audience = 0; audience < TP_FLAG_AUDIENCES; audience++)
        help_text((enum tp_flag_audience)audience, help[audience], sizeof help[audience]);
    for (int flag = 0; flag < TP_FLAG_COUNT; flag++) {
        unsigned shown_in = 0;
        spell(needle, (enum tp_flag)flag);
        for (int audience = 0; audience < TP_FLAG_AUDIENCES; audience++)
            shown_in |= (unsigned)has_whole_word(help[audience], needle) << audience;
        bool is_right = shown_in == 1 << TP_FLAG_DEV || shown_in == 1 << TP_FLAG_FULL ||
                        shown_in == (1 << TP_FLAG_SHORT | 1 << TP_FLAG_FULL);
        if (!is_right)
            fail_msg("%s is in the help texts %x", needle, shown_in);
    }
}

static void test_short_help_fits_a_screen(void **state)
{
    static char help[16384];
    size_t line_count = 0;

    (void)state;
    help_text(TP_FLAG_SHORT, help, sizeof help);
    for (const char *at = help; (at = strchr(at, '\n')) != NULL; at++)
        line_count++;
    assert_in_range(line_count, 5, 24);
}

// An entry of the list of flags begins with ".It Fl r , Fl -recursive" or
// ".It Fl -sink Ar ...".
static void test_manual_has_every_flag(void **state)
{
    static char manual[1 << 17];
    char needle[96];
    size_t entry_count = 0;

    (void)state;
    read_text(TP_MANUAL_PATH, manual, sizeof(manual));
    for (int flag = 0; flag < TP_FLAG_COUNT; flag++) {
        const struct row *spec = &rows[flag];
        if (!spec->name)
            snprintf(needle, sizeof(needle), "\n.It Fl %c", spec->letter);
        else if (spec->letter)
            snprintf(needle, sizeof(needle), "\n.It Fl %c , Fl -%s", spec->letter, spec->name);
        else
            snprintf(needle, sizeof(needle), "\n.It Fl -%s", spec->name);
        if (!has_whole_word(manual, needle))
            fail_msg("the manual page lacks an entry '%s'", needle + 1);
    }
    for (const char *at = strstr(manual, "\n.It Fl "); at; at = strstr(at + 1, "\n.It Fl "))
        entry_count++;
    assert_int_equal(entry_count, TP_FLAG_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_letters_are_unique),
        cmocka_unit_test(test_options_and_flags_belong_together),
        cmocka_unit_test(test_words_come_in_order),
        cmocka_unit_test(test_callback_stops_the_walk),
        cmocka_unit_test(test_unknown_words_are_misuse),
        cmocka_unit_test(test_a_word_of_any_length_is_misuse),
        cmocka_unit_test(test_help_names_the_flags_of_its_audience),
        cmocka_unit_test(test_short_help_fits_a_screen),
        cmocka_unit_test(test_manual_has_every_flag),
    };
    return cmocka_run_group_tests_name("flags", tests, NULL, NULL);
}
