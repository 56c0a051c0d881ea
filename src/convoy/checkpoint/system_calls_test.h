// Lets this test program die, or see an error, at the n-th call that changes files: every point at which a writer may
// be killed or a disk may fail. The test program's own open, write, rename and so on take the place of the C library's.
#pragma once

namespace convoy {

constexpr int kDiedAtCall = 77;

// From now on this process exits with kDiedAtCall instead of making the n-th call, n from 1. Nothing is synced to the
// disk meanwhile, to be quick.
void die_at_call(int n);

// From now on the n-th call, and only that, fails with this errno.
void fail_at_call(int n, int error);

// Back to normal. Returns how many calls there were.
int stop_counting_calls();

// How often, while calls were counted, a file that had been written was closed, or anything renamed, before it was
// synced: after a power cut the new name may hold an old or empty file.
int files_not_synced_in_time();

}  // namespace convoy
