// Says of some of its PCs what function and line they belong to, as the compiler tells it:
// a line "PC function line" each. Built for the tests of symbols/symbols.h, not to be fast.
#include <stdio.h>

// The PC of the statement behind it, which is on the next line.
#define TELL(label)                                                                        \
    printf("%llx %s %d\n", (unsigned long long)(unsigned long)&&label, __func__,           \
           __LINE__ + 1);

static volatile int sum;

static void small(void)
{
    TELL(here)
here: sum += 1;
}

int larger(int count)
{
    for (int i = 0; i < count; i++)
        sum += i;
    TELL(here)
here: sum *= 2;
    TELL(there)
there: return sum;
}

int main(void)
{
    small();
    TELL(here)
here: larger(3);
    return 0;
}
