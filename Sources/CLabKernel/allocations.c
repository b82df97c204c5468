#include "CLabKernel.h"
#include <malloc.h>
#include <mcheck.h>

void cw_allocations_trace(int on) {
    if (on) mtrace();
    else muntrace();
}

long cw_allocated_bytes(void) {
    struct mallinfo2 figures = mallinfo2();
    return (long)(figures.uordblks + figures.hblkhd);
}
