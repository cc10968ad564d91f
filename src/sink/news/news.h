// Compares what a run has found with what earlier runs have reported, which a file keeps between the
// runs. An entry is a finding of all inputs together (kind and culprit), or a measure in which a host
// differs from the others.
//
//   new       no entry has the key
//   worse     the value is at least 1.5 times the entry's, and the difference is at least the least effect of
//             the measure, for a kind of finding its threshold
//   gone      the value is below two thirds of what makes a finding or a difference; the entry goes
//   not seen  no trace of the host was analysed, for the first time; the entry stays
//
// Everything else is silent, and so are slow tails that at most half of the inputs have if their hosts are compared,
// and measures of a host that are no findings while its worst finding is
// more severe, in multiples of the least effect: they are taken for effects of that. An entry keeps the
// greatest value reported so far, so that slow growth is reported again, and noise is not. One thread at a
// time uses these objects.
#ifndef TP_SINK_NEWS_NEWS_H
#define TP_SINK_NEWS_NEWS_H

#include "base/err.h"
#include "base/list.h"
#include "base/writer.h"
#include "stats/hosts/differ.h"

#define TP_NEWS_SCHEMA "tracepipe.known/1"
// The longest file.
#define TP_NEWS_FILE_MAX_BYTES TP_MIB(64)
// The greatest value that the file has.
#define TP_NEWS_VALUE_MAX UINT64_C(9999999999999999999)

// The fields of an entry, in the file and in memory. Texts are empty if there is nothing to say.
// X(TYPE, member and key)
#define TP_NEWS_FIELDS(X)                                                                        \
    X(FLAG, is_of_host)                                                                          \
    X(TEXT, host)       /* that differs; of a finding, the one where it is worst, with --group */ \
    X(MEASURE, measure) /* of a finding its kind */                                              \
    X(TEXT, name)       /* of the task, the region or the function that waits */                 \
    X(FLAG, is_below)   /* the value is below the fleet's */                                     \
    X(TEXT, function)   /* that is to blame */                                                   \
    X(TEXT, file)                                                                                \
    X(NUMBER, value)    /* the greatest that was reported; of is_below the smallest */           \
    X(FLAG, is_unseen)  /* "not seen" was reported, and the host has not come back */

#define TP_NEWS_TYPE_FLAG bool
#define TP_NEWS_TYPE_TEXT char *
#define TP_NEWS_TYPE_NUMBER uint64_t
#define TP_NEWS_TYPE_MEASURE enum tp_host_measure

// An entry; its list owns the texts.
struct tp_news_entry {
#define TP_X(type, member) TP_NEWS_TYPE_##type member;
    TP_NEWS_FIELDS(TP_X)
#undef TP_X
};

// Entries by key: is_of_host; of a finding measure, function and file; of a host host, measure, name
// and is_below. A zeroed list is empty.
struct tp_news_entries {
    TP_LIST(struct tp_news_entry);
};
// Compares the keys of two entries.
int tp_news_compare_keys(const struct tp_news_entry *a, const struct tp_news_entry *b);
void tp_news_entries_fini(struct tp_news_entries *entries);

// Reads the bytes of a file that a run with the same pattern of hosts wrote; `group` is empty without one.
// Fails with TP_E_USAGE if they are something else, or with TP_E_MEMORY; the list is then empty.
int tp_news_read(struct tp_news_entries *ret_entries, struct tp_span bytes, const char *group,
                 struct tp_error *err) TP_MUST_USE;
// Writes entries, which are sorted, as such a file.
int tp_news_write(const struct tp_news_entries *entries, const char *group, struct tp_out *out,
                  struct tp_error *err) TP_MUST_USE;

// An entry of this run.
struct tp_news_found {
    struct tp_news_entry entry;
    uint64_t fleet_value;
    uint64_t line;     // of the culprit's file, or 0
    const char *label; // of the culprit: "held by"; constant
};

// The findings and differences of a run, by key, and the state of the entries that it has not found. A zeroed run
// is empty.
struct tp_news_run {
    TP_LIST(struct tp_news_found);
    bool has_groups; // hosts have names, and are compared if there are enough
    const struct tp_totals *totals; // borrowed
    struct tp_differs differs;
    struct tp_host_watch *watches; // of the entries, by index; those of findings have a host only
    uint32_t *kinds_of;            // by path: set of kinds of its findings
};
// Lists what the totals have. Borrows them, and the entries. Fails with TP_E_MEMORY.
int tp_news_find(struct tp_news_run *ret_run, const struct tp_news_entries *entries,
                 const struct tp_totals *totals, bool has_groups, struct tp_error *err) TP_MUST_USE;
void tp_news_run_fini(struct tp_news_run *run);

// THE RULE

// Whether a value is worse than the one that was reported.
bool tp_news_is_worse(enum tp_host_measure measure, bool is_below, uint64_t value, uint64_t reported);
// Whether what lies so far from normal is gone, if it is found from `least` on.
bool tp_news_is_gone(uint64_t far, uint64_t least);

// X(VERDICT, word)
#define TP_NEWS_VERDICTS(X) \
    X(NEW, "new")           \
    X(WORSE, "worse")       \
    X(GONE, "gone")         \
    X(NOT_SEEN, "not seen")

enum tp_news_verdict {
#define TP_X(verdict, word) TP_NEWS_##verdict,
    TP_NEWS_VERDICTS(TP_X)
#undef TP_X
};

// A line of news. Borrows the entries.
struct tp_news_item {
    enum tp_news_verdict verdict;
    const struct tp_news_entry *entry; // of this run if it was found there
    const struct tp_news_found *found; // NULL: it was not
    uint64_t now, reported;            // values; `now` of what is gone, `reported` of what is not new
};

// The news, by verdict and key, and the entries for the next run. Zeroed, it is empty.
struct tp_news {
    TP_LIST(struct tp_news_item);
    struct tp_news_entries next; // its texts are those of the other entries
};
// Makes the news. Borrows both. Fails with TP_E_MEMORY.
int tp_news_make(struct tp_news *ret_news, const struct tp_news_entries *entries,
                 const struct tp_news_run *run, struct tp_error *err) TP_MUST_USE;
void tp_news_fini(struct tp_news *news);

struct tp_emit;
// Prints the news, a line each.
void tp_news_print(struct tp_emit *e, const struct tp_news *news, bool has_groups);

#endif
