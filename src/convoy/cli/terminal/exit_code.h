// The exit codes of Convoy, for scripts to rely on.
#pragma once

namespace convoy::cli {

// After a signal it is kSignal + its number.
enum ExitCode : int { kDone = 0, kRunFailed = 1, kUsage = 2, kData = 3, kDiverged = 4, kPeerLost = 5, kSignal = 128 };

}  // namespace convoy::cli
