// Limits how long idle threads keep a core busy before they sleep.
#pragma once

namespace convoy::cli {

// Must be the first call in main(). OpenMP's threads spin at the end of every kernel until the others are done. By
// default they do so for up to ten milliseconds, and a hypervisor that sees a core only spin may give it to somebody
// else: training then runs at half its speed for seconds. libgomp reads how long to spin when it is loaded, before any
// line of Convoy, so the program restarts itself once with the variable set. GOMP_SPINCOUNT and OMP_WAIT_POLICY are
// left alone if the user has set them. `argv` is that of main().
void limit_spinning(char** argv);

}  // namespace convoy::cli
