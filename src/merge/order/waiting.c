#include "merge/order/waiting.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "merge/order/cursor.h"

#define ROW_READY 0

struct tp_waiting_turn {
    struct tp_tree_links links;
    int64_t time_ns;
    uint32_t row_counts[TP_WAIT_ROWS]; // by row: this node and all below it
    uint8_t row;      // of the rule that made the cursor wait; ROW_READY: none
    uint8_t wait_count;
    bool is_in;       // the cursor has a next event
};

struct tp_waiting_wait {
    struct tp_tree_links links;
    struct tp_wait wait;
};

struct tp_waiting_change {
    uint32_t i;
    bool was_last;   // the cursor has reached the end of its run
    int64_t before_ns;
    int64_t after_ns;
};

// TREES

// The tree of `turns`, by time.
#define TREE(name) turn_##name
#define TREE_CTX struct tp_waiting

static struct tp_tree_links *turn_links(struct tp_waiting *w, uint32_t node)
{
    return &w->turns[node].links;
}

static bool turn_less(struct tp_waiting *w, uint32_t a, uint32_t b)
{
    return w->turns[a].time_ns < w->turns[b].time_ns;
}

static void turn_refresh(struct tp_waiting *w, uint32_t node)
{
    static const uint32_t nobody[TP_WAIT_ROWS];
    struct tp_waiting_turn *t = &w->turns[node];
    const uint32_t *left = nobody, *right = nobody;
    if (t->links.left != TP_TREE_NONE)
        left = w->turns[t->links.left].row_counts;
    if (t->links.right != TP_TREE_NONE)
        right = w->turns[t->links.right].row_counts;
    for (unsigned row = 0; row < TP_WAIT_ROWS; row++)
        t->row_counts[row] = left[row] + right[row];
    t->row_counts[t->row]++;
}

#include "base/sort/balanced.def"
#undef TREE

// The tree of waits, by condition, then by time. Each cursor has TP_WAITS_MAX consecutive nodes.
#define TREE(name) wait_##name

static struct tp_tree_links *wait_links(struct tp_waiting *w, uint32_t node)
{
    return &w->waits[node].links;
}

static int64_t wait_time(const struct tp_waiting *w, uint32_t node)
{
    return w->turns[node / TP_WAITS_MAX].time_ns;
}

static int compare_waits(const struct tp_wait *a, const struct tp_wait *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->count > b->count) - (a->count < b->count);
}

static bool wait_less(struct tp_waiting *w, uint32_t a, uint32_t b)
{
    int c = compare_waits(&w->waits[a].wait, &w->waits[b].wait);
    return c != 0 ? c < 0 : wait_time(w, a) < wait_time(w, b);
}

static void wait_refresh(struct tp_waiting *w, uint32_t node)
{
    (void)w;
    (void)node;
}

#include "base/sort/balanced.def"
#undef TREE
#undef TREE_CTX

// LIFETIME

static void free_all(struct tp_waiting *w)
{
    tp_free(w->turns);
    tp_free(w->waits);
    tp_free(w->changes);
    w->turns = NULL;
    w->waits = NULL;
    w->changes = NULL;
    w->capacity = 0;
}

size_t tp_waiting_bytes(const struct tp_waiting *w)
{
    return w->capacity * (sizeof *w->turns + TP_WAITS_MAX * sizeof *w->waits + sizeof *w->changes);
}

void tp_waiting_fini(struct tp_waiting *w)
{
    free_all(w);
    tp_map_fini(&w->cursor_of_m);
    *w = (struct tp_waiting){0};
}

void tp_waiting_close(struct tp_waiting *w)
{
    w->is_active = false;
    tp_map_clear(&w->cursor_of_m);
}

static bool make_room(struct tp_waiting *w, size_t count)
{
    if (count <= w->capacity)
        return true;
    free_all(w);
    w->turns = tp_alloc_array(count, sizeof *w->turns);
    w->waits = tp_alloc_array(count * TP_WAITS_MAX, sizeof *w->waits);
    w->changes = tp_alloc_array(count, sizeof *w->changes);
    if (w->turns == NULL || w->waits == NULL || w->changes == NULL) {
        free_all(w);
        return false;
    }
    w->capacity = count;
    return true;
}

static bool has_ties(const struct tp_frontier_entry *sorted, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (sorted[i - 1].time_ns == sorted[i].time_ns)
            return true;
    }
    return false;
}

// Builds a balanced tree from the sorted entries and returns its root.
static uint32_t plant(struct tp_waiting *w, const struct tp_frontier_entry *sorted, size_t count,
                      const struct tp_cursor *cursors)
{
    if (count == 0)
        return TP_TREE_NONE;
    size_t middle = count / 2;
    uint32_t root = (uint32_t)(sorted[middle].cursor - cursors);
    w->turns[root] = (struct tp_waiting_turn){.time_ns = sorted[middle].time_ns, .is_in = true};
    w->turns[root].links.left = plant(w, sorted, middle, cursors);
    w->turns[root].links.right = plant(w, sorted + middle + 1, count - middle - 1, cursors);
    turn_update(w, root);
    return root;
}

bool tp_waiting_enter(struct tp_waiting *w, const struct tp_frontier *f,
                      const struct tp_cursor *cursors, size_t cursor_count, size_t least)
{
    struct tp_frontier_entry *sorted = tp_alloc_array(f->count, sizeof *sorted);
    bool ok = sorted != NULL && make_room(w, cursor_count);
    if (ok) {
        memcpy(sorted, f->entries, f->count * sizeof *sorted);
        tp_frontier_sort(sorted, f->count);
        ok = !has_ties(sorted, f->count);
    }
    tp_map_clear(&w->cursor_of_m);
    for (size_t i = 0; i < f->count && ok; i++) {
        const struct tp_cursor *c = sorted[i].cursor;
        ok = tp_map_put(&w->cursor_of_m, (uint64_t)c->m, (uint32_t)(c - cursors) + 1);
    }
    if (ok) {
        for (size_t i = 0; i < cursor_count; i++)
            w->turns[i].is_in = false;
        w->turn_root = plant(w, sorted, f->count, cursors);
        w->wait_root = TP_TREE_NONE;
        w->count = f->count;
        w->cursor_count = cursor_count;
        w->least = least;
        w->change_count = 0;
        w->is_sorted = false;
        w->is_active = true;
    }
    tp_free(sorted);
    return ok;
}

static void put_in_order(struct tp_waiting *w, struct tp_frontier *f, struct tp_cursor *cursors)
{
    // Undo the changes, to get the times at Go's last sort.
    for (size_t k = w->change_count; k-- > 0;) {
        struct tp_waiting_turn *t = &w->turns[w->changes[k].i];
        t->time_ns = w->changes[k].before_ns;
        t->is_in = true;
    }
    tp_frontier_clear(f, w->cursor_count);
    for (size_t i = 0; i < w->cursor_count; i++) {
        if (w->turns[i].is_in)
            tp_frontier_push(f, w->turns[i].time_ns, &cursors[i]);
    }
    tp_frontier_sort(f->entries, f->count);
}

static size_t find_entry(const struct tp_frontier *f, int64_t time_ns)
{
    size_t from = 0, to = f->count;
    while (to - from > 1) {
        size_t middle = (from + to) / 2;
        if (f->entries[middle].time_ns <= time_ns)
            from = middle;
        else
            to = middle;
    }
    return from;
}

void tp_waiting_leave(struct tp_waiting *w, struct tp_frontier *f, struct tp_cursor *cursors)
{
    if (w->is_sorted)
        put_in_order(w, f, cursors);
    for (size_t k = 0; k < w->change_count; k++) {
        const struct tp_waiting_change *change = &w->changes[k];
        // Go sorts when the event of entry 0 has to wait, and then takes the event of another
        // entry. So the first change after a sort moves that other entry; every other change moves
        // entry 0.
        size_t at = k == 0 && w->is_sorted ? find_entry(f, change->before_ns) : 0;
        assert(f->entries[at].cursor == &cursors[change->i]);
        if (change->was_last)
            tp_frontier_remove(f, at);
        else
            tp_frontier_update(f, at, change->after_ns);
    }
    tp_waiting_close(w);
}

// THE NEXT CURSOR

uint32_t tp_waiting_first(const struct tp_waiting *w, int64_t *ret_time_ns)
{
    uint32_t at = w->turn_root;
    while (w->turns[at].links.left != TP_TREE_NONE)
        at = w->turns[at].links.left;
    *ret_time_ns = w->turns[at].time_ns;
    return at;
}

static void add_counts(uint32_t to[TP_WAIT_ROWS], const uint32_t from[TP_WAIT_ROWS])
{
    for (unsigned row = 0; row < TP_WAIT_ROWS; row++)
        to[row] += from[row];
}

uint32_t tp_waiting_first_ready(const struct tp_waiting *w, uint32_t counts[TP_WAIT_ROWS])
{
    uint32_t at = w->turn_root;
    for (unsigned row = 0; row < TP_WAIT_ROWS; row++)
        counts[row] = 0;
    while (at != TP_TREE_NONE) {
        const struct tp_waiting_turn *t = &w->turns[at];
        const struct tp_waiting_turn *left =
            t->links.left != TP_TREE_NONE ? &w->turns[t->links.left] : NULL;
        if (left != NULL && left->row_counts[ROW_READY] > 0) {
            at = t->links.left;
            continue;
        }
        if (left != NULL)
            add_counts(counts, left->row_counts);
        if (t->row == ROW_READY)
            return at;
        counts[t->row]++;
        at = t->links.right;
    }
    return TP_WAITING_NONE;
}

static void set_row(struct tp_waiting *w, uint32_t i, unsigned row)
{
    unsigned before = w->turns[i].row;
    int64_t time_ns = w->turns[i].time_ns;
    w->turns[i].row = (uint8_t)row;
    for (uint32_t at = w->turn_root;;) {
        struct tp_waiting_turn *t = &w->turns[at];
        t->row_counts[before]--;
        t->row_counts[row]++;
        if (at == i)
            return;
        at = time_ns < t->time_ns ? t->links.left : t->links.right;
    }
}

// WAITING

static void wake(struct tp_waiting *w, uint32_t i)
{
    struct tp_waiting_turn *t = &w->turns[i];
    if (t->row == ROW_READY)
        return;
    for (uint32_t k = 0; k < t->wait_count; k++)
        w->wait_root = wait_remove(w, w->wait_root, i * TP_WAITS_MAX + k);
    t->wait_count = 0;
    set_row(w, i, ROW_READY);
}

static void answer(struct tp_waiting *w, const struct tp_wait *is_there)
{
    uint32_t found = TP_TREE_NONE;
    for (uint32_t at = w->wait_root; at != TP_TREE_NONE;) {
        int c = compare_waits(&w->waits[at].wait, is_there);
        if (c == 0)
            found = at;
        at = c < 0 ? w->waits[at].links.right : w->waits[at].links.left;
    }
    if (found != TP_TREE_NONE)
        wake(w, found / TP_WAITS_MAX);
}

void tp_waiting_park(struct tp_waiting *w, uint32_t i, unsigned row, const struct tp_waits *waits)
{
    struct tp_waiting_turn *t = &w->turns[i];
    for (uint32_t k = 0; k < waits->count; k++) {
        uint32_t node = i * TP_WAITS_MAX + k;
        w->waits[node].wait = waits->items[k];
        w->wait_root = wait_insert(w, w->wait_root, node);
    }
    t->wait_count = (uint8_t)waits->count;
    set_row(w, i, row);
    if (waits->passes_on)
        answer(w, &waits->is_there);
}

void tp_waiting_answer(struct tp_waiting *w, const struct tp_answers *answers)
{
    for (unsigned k = 0; k < answers->count && w->wait_root != TP_TREE_NONE; k++)
        answer(w, &answers->items[k]);
    if (!answers->has_m)
        return;
    uint32_t i = tp_map_get(&w->cursor_of_m, (uint64_t)answers->m);
    if (i != TP_MAP_NONE && w->turns[i - 1].is_in)
        wake(w, i - 1);
}

void tp_waiting_answer_all(struct tp_waiting *w)
{
    for (uint32_t i = 0; w->is_active && i < w->cursor_count; i++) {
        if (w->turns[i].is_in)
            wake(w, i);
    }
}

// MOVING ON

void tp_waiting_sorts(struct tp_waiting *w)
{
    w->is_sorted = true;
    w->change_count = 0;
}

static bool is_taken(const struct tp_waiting *w, int64_t time_ns)
{
    uint32_t at = w->turn_root;
    while (at != TP_TREE_NONE && w->turns[at].time_ns != time_ns)
        at = time_ns < w->turns[at].time_ns ? w->turns[at].links.left : w->turns[at].links.right;
    return at != TP_TREE_NONE;
}

static bool pays_off(const struct tp_waiting *w)
{
    return w->change_count < w->capacity && w->count >= w->least;
}

bool tp_waiting_move(struct tp_waiting *w, uint32_t i, int64_t time_ns)
{
    struct tp_waiting_turn *t = &w->turns[i];
    w->changes[w->change_count++] =
        (struct tp_waiting_change){.i = i, .before_ns = t->time_ns, .after_ns = time_ns};
    w->turn_root = turn_remove(w, w->turn_root, i);
    t->time_ns = time_ns;
    if (is_taken(w, time_ns))
        return false;
    w->turn_root = turn_insert(w, w->turn_root, i);
    return pays_off(w);
}

bool tp_waiting_remove(struct tp_waiting *w, uint32_t i)
{
    struct tp_waiting_turn *t = &w->turns[i];
    w->changes[w->change_count++] =
        (struct tp_waiting_change){.i = i, .was_last = true, .before_ns = t->time_ns};
    w->turn_root = turn_remove(w, w->turn_root, i);
    t->is_in = false;
    w->count--;
    return pays_off(w);
}
