// How long threads that have nothing to do keep a core busy before they sleep.
#pragma once

namespace convoy::cli {

// The first thing that main() does. OpenMP's threads spin at the end of every kernel until the others are there. By
// default they do so for milliseconds, and a hypervisor that sees a core do nothing but spin may give it to somebody
// else: training then runs at half its speed for seconds. libgomp reads how long to spin when it is loaded, before any
// line of Convoy, so the program starts itself anew with the variable set, once. Whoever has set GOMP_SPINCOUNT or
// OMP_WAIT_POLICY keeps what they set. `argv` is main's.
void limit_spinning(char** argv);

}  // namespace convoy::cli
