// Lets this test program die, or see an error, at the n-th call that changes files: at every point at which a writer
// may be killed or a disk may fail. The test program defines its own open, write, rename and so on, which replace those
// of the C library.
#pragma once

namespace convoy {

constexpr int kDiedAtCall = 77;

// From now on this process exits with kDiedAtCall instead of making the n-th call, counted from 1. To be quick, nothing
// is synced to the disk meanwhile.
void die_at_call(int n);

// From now on the n-th call, and only that one, fails with this errno.
void fail_at_call(int n, int error);

// Back to normal. Returns how many calls were counted.
int stop_counting_calls();

// How often, while calls were counted, a written file was closed, or anything renamed, before it was synced: after a
// power cut the new name might then lead to an old or empty file.
int files_not_synced_in_time();

}  // namespace convoy
