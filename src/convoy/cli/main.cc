#include <malloc.h>

#include "convoy/cli/app.h"
#include "convoy/cli/launch/openmp_start.h"

int main(int argc, char** argv) {
  // What races of kernels and other work before training have freed goes back to the system; the heap would keep it.
  constexpr int kLarge = 1 << 20;
  (void)mallopt(M_MMAP_THRESHOLD, kLarge);
  convoy::cli::start_openmp(argv);
  return convoy::cli::run(argc, argv);
}
