// Prints "PC function line" for some of its own PCs, as the compiler knows them. For the tests
// of symbols/symbols.h.
#include <stdio.h>

// Prints the PC of the next statement, which must stand on the next line.
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
