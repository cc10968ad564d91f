// Limits of control groups, of both versions, as the kernel shows them in files.
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/machine_memory.h"
#include "scratch.h"

static void make_folder(const char *path)
{
    assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
}

// Whether it is there or not.
static void write_file(const char *path, const char *text)
{
    (void)unlink(path);
    make_file(path, text);
}

static uint64_t limit(const char *groups)
{
    write_file("groups", groups);
    return tp_cgroup_memory_bytes("groups", "root");
}

static void test_machine_memory_second_version_is_the_least_above(void **state)
{
    (void)state;
    make_folder("root");
    make_folder("root/a");
    make_folder("root/a/b");
    assert_true(limit("0::/a/b\n") == UINT64_MAX);
    write_file("root/a/memory.max", "536870912\n");
    assert_int_equal(limit("0::/a/b\n"), 536870912);
    write_file("root/a/b/memory.max", "max\n");
    assert_int_equal(limit("0::/a/b\n"), 536870912);
    write_file("root/a/b/memory.max", "1073741824\n");
    assert_int_equal(limit("0::/a/b\n"), 536870912);
    // In a container the group is the root.
    write_file("root/memory.max", "4096\n");
    assert_int_equal(limit("0::/\n"), 4096);
    write_file("root/memory.max", "40lots\n");
    assert_true(limit("0::/\n") == UINT64_MAX);
}

static void test_machine_memory_first_version_has_a_tree_of_its_own(void **state)
{
    (void)state;
    make_folder("root");
    make_folder("root/memory");
    make_folder("root/memory/a");
    write_file("root/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write_file("root/memory/a/memory.limit_in_bytes", "1048576\n");
    assert_int_equal(limit("12:cpu,cpuacct:/x\n5:hugetlb,memory:/a\n1:name=systemd:/a\n0::/\n"),
                     1048576);
    assert_true(limit("5:memoryless:/a\n0::/\n") == UINT64_MAX);
}

static void test_machine_memory_what_is_not_there_is_no_limit(void **state)
{
    (void)state;
    assert_true(limit("") == UINT64_MAX);
    assert_true(limit("nonsense\n:\n0:\n") == UINT64_MAX);
    assert_true(tp_cgroup_memory_bytes("missing", "root") == UINT64_MAX);
    assert_true(tp_machine_memory_bytes() > 1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_machine_memory_second_version_is_the_least_above),
        SCRATCH_TEST(test_machine_memory_first_version_has_a_tree_of_its_own),
        SCRATCH_TEST(test_machine_memory_what_is_not_there_is_no_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
