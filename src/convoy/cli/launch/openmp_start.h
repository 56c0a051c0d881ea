// Gives OpenMP the settings that training needs before anything else happens.
#pragma once

namespace convoy::cli {

// Must be the first call in main(). libgomp reads its settings when it is loaded, before any line of Convoy, so the
// program restarts itself once with others where that is needed. `argv` is that of main().
//
// OpenMP's threads spin at the end of every kernel until the others are done. By default they do so for up to ten
// milliseconds, and a hypervisor that sees a core only spin may give it to somebody else: training then runs at half
// its speed for seconds. So they spin for less, unless the user has set GOMP_SPINCOUNT or OMP_WAIT_POLICY.
//
// With OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY the first thread is bound to a single CPU. Every thread that it
// starts, those that read samples and exchange gradients too, would be bound to the same one, and it would seem to be
// the only CPU there is. So the process keeps the CPUs that these variables name, but not a CPU for each thread.
void start_openmp(char** argv);

}  // namespace convoy::cli
