// Says which file was lost when a file in memory, such as a pack, is cut short while it is read.
#pragma once

namespace convoy::cli {

// From now on the process ends with a message and code 3 in that case (code 1 if memory shared by workers ran out),
// where the system would end it with SIGBUS and no message.
void explain_lost_files();

}  // namespace convoy::cli
