// Texts of stacks are kept as long as they fit, and found as they were put, whatever
// other threads put meanwhile.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "merge/tables/stack_text.h"

#define STACKS 1000
#define THREADS 4
#define TEXT_MAX_BYTES 999

// The text of a stack: as long as its index says, of bytes that it tells.
static struct tp_span text_of(unsigned char *bytes, size_t idx)
{
    memset(bytes, (int)(idx % 251), idx);
    return tp_span_of(bytes, idx);
}

static bool is_text_of(struct tp_span text, size_t idx)
{
    unsigned char bytes[TEXT_MAX_BYTES];
    text_of(bytes, idx);
    return text.len_bytes == idx && memcmp(text.ptr, bytes, idx) == 0;
}

static void test_what_fits_is_found(void **state)
{
    struct tp_stack_texts s;
    unsigned char bytes[TEXT_MAX_BYTES];
    (void)state;
    // Room for those of 300 and 200 bytes, exactly.
    tp_stack_texts_init(&s, STACKS, STACKS * sizeof(uint64_t) + 500);
    for (size_t i = 0; i < STACKS; i++)
        assert_int_equal(tp_stack_texts_find(&s, i).len_bytes, 0);
    tp_stack_texts_put(&s, 300, text_of(bytes, 300));
    tp_stack_texts_put(&s, 201, text_of(bytes, 201));
    tp_stack_texts_put(&s, 0, text_of(bytes, 0));
    tp_stack_texts_put(&s, 200, text_of(bytes, 200));
    tp_stack_texts_put(&s, 1, text_of(bytes, 1));
    for (size_t i = 0; i < STACKS; i++) {
        struct tp_span text = tp_stack_texts_find(&s, i);
        assert_true(i == 300 || i == 200 ? is_text_of(text, i) : text.len_bytes == 0);
    }
    tp_stack_texts_fini(&s);
}

static void assert_keeps_nothing(struct tp_stack_texts *s)
{
    tp_stack_texts_put(s, 1, tp_span_of("x", 1));
    assert_int_equal(tp_stack_texts_find(s, 1).len_bytes, 0);
    assert_null(s->places);
    tp_stack_texts_fini(s);
}

static void test_without_room_or_memory_nothing_is_kept(void **state)
{
    struct tp_stack_texts s;
    (void)state;
    tp_stack_texts_init(&s, 2, 2 * sizeof(uint64_t));
    assert_keeps_nothing(&s);
    for (unsigned nth = 1; nth <= 2; nth++) {
        tp_alloc_fail_at(nth, true);
        tp_stack_texts_init(&s, 2, 100);
        tp_alloc_fail_at(0, false);
        assert_keeps_nothing(&s);
    }
    tp_stack_texts_fini(&(struct tp_stack_texts){0});
}

struct job {
    struct tp_stack_texts *texts;
    size_t first, wrong_count;
};

// As printers do: look, and put what is not there; each thread in another order.
static void *print_all(void *ctx)
{
    struct job *job = ctx;
    unsigned char bytes[TEXT_MAX_BYTES];
    for (size_t i = 0; i < 20 * STACKS; i++) {
        size_t idx = (job->first + i * 7) % STACKS;
        struct tp_span text = tp_stack_texts_find(job->texts, idx);
        if (text.len_bytes == 0)
            tp_stack_texts_put(job->texts, idx, text_of(bytes, idx));
        else
            job->wrong_count += !is_text_of(text, idx);
    }
    return NULL;
}

static void test_threads_find_whole_texts(void **state)
{
    struct tp_stack_texts s;
    struct job jobs[THREADS];
    pthread_t threads[THREADS];
    (void)state;
    // For about half of all texts.
    tp_stack_texts_init(&s, STACKS, STACKS * sizeof(uint64_t) + TP_KIB(250));
    for (size_t i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){&s, i * 11, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, print_all, &jobs[i]), 0);
    }
    size_t found_bytes = 0;
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(jobs[i].wrong_count, 0);
    }
    for (size_t i = 0; i < STACKS; i++)
        found_bytes += tp_stack_texts_find(&s, i).len_bytes;
    assert_true(found_bytes > TP_KIB(250) / THREADS && found_bytes <= TP_KIB(250));
    tp_stack_texts_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_fits_is_found),
        cmocka_unit_test(test_without_room_or_memory_nothing_is_kept),
        cmocka_unit_test(test_threads_find_whole_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
