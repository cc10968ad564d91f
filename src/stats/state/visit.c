// Visits the fields of rows, and goes through all rows of a section: to find the rows that are used, to
// sort, to write and to read them (section.h).
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "stats/state/section.h"

#define UNUSED UINT32_MAX

// USE

// The largest struct of a row.
#define ROW_BYTES 4096
struct row {
    _Alignas(tp_wide) unsigned char bytes[ROW_BYTES];
};

static const struct tp_list *list_of(const struct tp_totals *s, const struct tp_section *section)
{
    return (const struct tp_list *)((const char *)s + section->list_at);
}

static void visit_row(struct tp_state_visit *v, const struct tp_section *section, uint64_t ref)
{
    const struct tp_totals *s = v->w->totals;
    struct row row;
    if (section->load != NULL)
        section->load(s, ref, row.bytes);
    else
        memcpy(row.bytes, (const char *)list_of(s, section)->items + ref * section->row_bytes,
               section->row_bytes);
    section->visit(v, row.bytes);
}

// Marks a row as used, and the rows to which it refers.
static void use(struct tp_state_visit *v, enum tp_section_id id, uint32_t ref)
{
    struct tp_state_order *o = &v->w->orders[id];
    if (o->number_of[ref] != UNUSED)
        return;
    o->number_of[ref] = o->rows.count;
    o->rows.items[o->rows.count++] = ref;
    visit_row(v, v->w->sections[id], ref);
}

// FIELDS

static void put_column(struct tp_state_visit *v, tp_wide value)
{
    if (v->mode == TP_STATE_PUT)
        tp_state_put(v->w->to, value);
    else if (v->mode == TP_STATE_SORT) {
        assert(v->column_count < TP_STATE_COLUMNS);
        v->columns[v->column_count++] = value;
    }
}

void tp_visit_wide(struct tp_state_visit *v, tp_wide *value)
{
    if (v->mode == TP_STATE_GET)
        *value = tp_state_get_wide(v->r);
    else
        put_column(v, *value);
}

void tp_visit_u64(struct tp_state_visit *v, uint64_t *value)
{
    if (v->mode == TP_STATE_GET)
        *value = tp_state_get(v->r);
    else
        put_column(v, *value);
}

void tp_visit_i64(struct tp_state_visit *v, int64_t *value)
{
    tp_visit_u64(v, (uint64_t *)value);
}

void tp_visit_below(struct tp_state_visit *v, uint32_t *value, uint64_t end, const char *what)
{
    if (v->mode == TP_STATE_GET)
        *value = (uint32_t)tp_state_get_below(v->r, end, what);
    else
        put_column(v, *value);
}

void tp_visit_flag(struct tp_state_visit *v, bool *value, const char *what)
{
    uint32_t flag = *value;
    tp_visit_below(v, &flag, 2, what);
    *value = flag != 0;
}

void tp_visit_wall(struct tp_state_visit *v, struct tp_wall *value)
{
    uint32_t nsec = (uint32_t)value->nsec;
    tp_visit_i64(v, &value->sec);
    tp_visit_below(v, &nsec, 1000000000, "nanosecond of a second");
    value->nsec = nsec;
}

void tp_visit_text(struct tp_state_visit *v, struct tp_intern_text *text)
{
    struct tp_span span = tp_span_of(text->bytes, text->len_bytes);
    if (v->mode == TP_STATE_SORT)
        v->text = span;
    if (v->mode == TP_STATE_PUT) {
        tp_state_put(v->w->to, span.len_bytes);
        tp_state_put_bytes(v->w->to, span);
    }
    if (v->mode != TP_STATE_GET)
        return;
    span = tp_state_get_text(v->r);
    text->bytes = span.ptr;
    text->len_bytes = (uint32_t)span.len_bytes;
}

static uint32_t get_number(struct tp_state_reader *r, enum tp_section_id of, unsigned offset)
{
    uint64_t end = (uint64_t)r->row_counts[of] + offset;
    uint64_t number = tp_state_get_below(r, end, r->sections[of]->item);
    if (number < offset || r->code != 0)
        return TP_INTERN_NONE;
    return of == TP_SECTION_kinds ? r->kind_of[number] : (uint32_t)(number - offset);
}

// `offset` is added to a number in the file.
static void visit_number(struct tp_state_visit *v, uint32_t *ref, enum tp_section_id of,
                         unsigned offset)
{
    if (v->mode == TP_STATE_GET)
        *ref = get_number(v->r, of, offset);
    else if (v->mode == TP_STATE_USE)
        use(v, of, *ref);
    else
        put_column(v, (tp_wide)v->w->orders[of].number_of[*ref] + offset);
}

void tp_visit_row(struct tp_state_visit *v, uint32_t *ref, enum tp_section_id of)
{
    visit_number(v, ref, of, 0);
}

void tp_visit_any(struct tp_state_visit *v, uint32_t *ref, enum tp_section_id of)
{
    bool is_none = *ref == TP_INTERN_NONE || *ref == TP_TOTALS_OTHERS;
    if (is_none && v->mode != TP_STATE_GET)
        put_column(v, 0);
    else
        visit_number(v, ref, of, 1);
}

// KINDS OF FINDINGS

// Return how many kinds there are in the file, or may be if that is not known yet, and one of them.
static uint32_t kind_count(const struct tp_state_visit *v)
{
    switch (v->mode) {
    case TP_STATE_USE: return TP_FINDS_COUNT;
    case TP_STATE_GET: return v->r->row_counts[TP_SECTION_kinds];
    default: return v->w->orders[TP_SECTION_kinds].rows.count;
    }
}

static uint32_t kind_at(const struct tp_state_visit *v, uint32_t i)
{
    switch (v->mode) {
    case TP_STATE_USE: return i;
    case TP_STATE_GET: return v->r->kind_of[i];
    default: return (uint32_t)v->w->orders[TP_SECTION_kinds].rows.items[i];
    }
}

void tp_visit_kinds(struct tp_state_visit *v, uint32_t *set)
{
    for (uint32_t i = 0; i < kind_count(v); i++) {
        uint32_t kind = kind_at(v, i);
        bool has_kind = *set >> kind & 1;
        if (v->mode == TP_STATE_USE && has_kind)
            use(v, TP_SECTION_kinds, kind);
        tp_visit_flag(v, &has_kind, "flag");
        *set |= (uint32_t)has_kind << kind;
    }
}

void tp_visit_values(struct tp_state_visit *v, uint64_t values[TP_FINDS_COUNT])
{
    for (uint32_t i = 0; v->mode == TP_STATE_GET && i < TP_FINDS_COUNT; i++)
        values[i] = TP_VALUE_NONE;
    for (uint32_t i = 0; i < kind_count(v); i++) {
        uint32_t kind = kind_at(v, i);
        uint64_t number = values[kind] + 1;
        if (v->mode == TP_STATE_USE && number > 0)
            use(v, TP_SECTION_kinds, kind);
        tp_visit_u64(v, &number);
        values[kind] = number - 1;
    }
}

// SORT

// A row to be sorted. The key has the first columns, or the first bytes of the text.
struct sorted {
    tp_wide key;
    uint64_t ref;
};

struct sorter {
    struct tp_state_writer *w;
    const struct tp_section *section;
    struct sorted *rows;
};

static void list_columns(const struct sorter *s, uint64_t ref, struct tp_state_visit *v)
{
    v->mode = TP_STATE_SORT;
    v->w = s->w;
    v->column_count = 0;
    v->text = tp_span_of("", 0);
    visit_row(v, s->section, ref);
}

// Returns a key that is not greater than that of any row behind this one.
static tp_wide key_of(const struct sorter *s, uint64_t ref)
{
    enum { COLUMNS = 4, BITS = 32 };
    struct tp_state_visit v;
    tp_wide key = 0;
    list_columns(s, ref, &v);
    for (size_t i = 0; i < sizeof key && i < v.text.len_bytes; i++)
        key |= (tp_wide)v.text.ptr[i] << (8 * (sizeof key - 1 - i));
    // Columns behind one that does not fit would decide too early.
    bool fits = true;
    for (unsigned i = 0; i < COLUMNS && i < v.column_count && fits; i++) {
        fits = v.columns[i] < UINT32_MAX;
        key |= (fits ? v.columns[i] : UINT32_MAX) << (COLUMNS - 1 - i) * BITS;
    }
    return key;
}

static bool less_by_columns(const struct sorter *s, uint64_t left, uint64_t right)
{
    struct tp_state_visit a, b;
    list_columns(s, left, &a);
    list_columns(s, right, &b);
    for (unsigned i = 0; i < a.column_count && i < b.column_count; i++) {
        if (a.columns[i] != b.columns[i])
            return a.columns[i] < b.columns[i];
    }
    return tp_span_compare(a.text, b.text) < 0;
}

TP_INLINE bool less(const struct sorter *s, size_t i, size_t j)
{
    const struct sorted *a = &s->rows[i], *b = &s->rows[j];
    return a->key != b->key ? a->key < b->key : less_by_columns(s, a->ref, b->ref);
}

TP_INLINE void swap(const struct sorter *s, size_t i, size_t j)
{
    struct sorted spare = s->rows[i];
    s->rows[i] = s->rows[j];
    s->rows[j] = spare;
}
#include "base/sort/gosort.def"

static bool sort(struct tp_state_writer *w, enum tp_section_id id)
{
    struct tp_state_order *o = &w->orders[id];
    struct sorter s = {.w = w, .section = w->sections[id]};
    uint32_t count = s.section->is_sequence ? 0 : o->rows.count;
    s.rows = tp_alloc_array(count + 1, sizeof *s.rows);
    if (s.rows == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        s.rows[i] = (struct sorted){key_of(&s, o->rows.items[i]), o->rows.items[i]};
    sort_all(&s, count);
    for (uint32_t i = 0; i < count; i++)
        o->rows.items[i] = s.rows[i].ref;
    for (uint32_t i = 0; i < count && o->number_of != NULL; i++)
        o->number_of[s.rows[i].ref] = i;
    tp_free(s.rows);
    return true;
}

// ORDERS

static bool init_order(struct tp_state_writer *w, enum tp_section_id id)
{
    const struct tp_totals *s = w->totals;
    const struct tp_section *section = w->sections[id];
    struct tp_state_order *o = &w->orders[id];
    uint32_t count = section->list_at > 0 ? list_of(s, section)->count : section->row_count;
    assert(section->row_bytes <= ROW_BYTES);
    if (!TP_LIST_ROOM_FOR(&o->rows, count) ||
        (section->list != NULL && !section->list(s, &o->rows)))
        return false;
    if (section->item != NULL) {
        o->number_of = tp_alloc_array(count + 1, sizeof *o->number_of);
        for (uint32_t i = 0; i < count && o->number_of != NULL; i++)
            o->number_of[i] = UNUSED;
        return o->number_of != NULL;
    }
    for (; o->rows.count < count; o->rows.count++)
        o->rows.items[o->rows.count] = o->rows.count;
    return true;
}

bool tp_state_orders_init(struct tp_state_writer *w)
{
    struct tp_state_visit v = {.mode = TP_STATE_USE, .w = w};
    bool has_memory = true;
    for (unsigned id = 0; id < TP_SECTION_COUNT && has_memory; id++)
        has_memory = init_order(w, id);
    for (unsigned id = 0; id < TP_SECTION_COUNT && has_memory; id++) {
        const struct tp_state_refs *rows = &w->orders[id].rows;
        for (uint32_t i = 0; i < rows->count && w->sections[id]->item == NULL; i++)
            visit_row(&v, w->sections[id], rows->items[i]);
    }
    for (unsigned id = 0; id < TP_SECTION_COUNT && has_memory; id++)
        has_memory = sort(w, id);
    return has_memory;
}

void tp_state_orders_fini(struct tp_state_writer *w)
{
    for (unsigned id = 0; id < TP_SECTION_COUNT; id++) {
        tp_free(w->orders[id].rows.items);
        tp_free(w->orders[id].number_of);
    }
}

// SECTIONS

void tp_state_put_section(struct tp_state_writer *w, enum tp_section_id id)
{
    const struct tp_section *section = w->sections[id];
    const struct tp_state_refs *rows = &w->orders[id].rows;
    struct tp_state_visit v = {.mode = TP_STATE_PUT, .w = w};
    struct tp_totals copy = *w->totals;
    if (section->row_bytes == 0)
        section->visit(&v, &copy);
    else
        tp_state_put(w->to, rows->count);
    for (uint32_t i = 0; i < rows->count; i++)
        visit_row(&v, section, rows->items[i]);
}

static void append(struct tp_state_reader *r, const struct tp_section *section, const void *row)
{
    struct tp_list *list = (struct tp_list *)((char *)r->totals + section->list_at);
    if (list->count == list->capacity && !tp_list_grow(list, 1, section->row_bytes))
        tp_state_lack_memory(r);
    else
        memcpy((char *)list->items + (size_t)list->count++ * section->row_bytes, row,
               section->row_bytes);
}

static void intern(struct tp_state_reader *r, const struct tp_section *section, uint32_t number,
                   const void *row)
{
    uint32_t given = section->intern(r->totals, row);
    if (given == TP_INTERN_NONE)
        tp_state_lack_memory(r);
    else if (given != number)
        tp_state_refuse(r, "duplicate %s", section->item);
}

static void get_row(struct tp_state_visit *v, const struct tp_section *section, uint32_t number)
{
    struct tp_state_reader *r = v->r;
    struct row row;
    if (section->most > 0 && number == section->most)
        tp_state_refuse(r, "more than %u rows of a section", section->most);
    memset(row.bytes, 0, section->row_bytes);
    section->visit(v, row.bytes);
    if (r->code == 0 && section->check_row != NULL)
        section->check_row(r, row.bytes);
    if (r->code != 0)
        return;
    if (section->intern != NULL)
        intern(r, section, number, row.bytes);
    else if (section->add != NULL)
        section->add(r, row.bytes);
    else
        append(r, section, row.bytes);
}

void tp_state_get_section(struct tp_state_reader *r, enum tp_section_id id)
{
    const struct tp_section *section = r->sections[id];
    struct tp_state_visit v = {.mode = TP_STATE_GET, .r = r};
    uint32_t *number = &r->row_counts[id];
    uint32_t count = section->row_bytes > 0 ? tp_state_get_count(r, 1) : 0;
    if (section->row_bytes == 0)
        section->visit(&v, r->totals);
    for (*number = 0; *number < count && r->code == 0; ++*number) {
        tp_state_turn_row(r);
        get_row(&v, section, *number);
    }
}
