#include "CLinux.h"
#include <mcheck.h>

void cw_allocations_trace(int on) {
    if (on) mtrace();
    else muntrace();
}
