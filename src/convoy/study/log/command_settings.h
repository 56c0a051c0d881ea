// What a command line that stands above a log's lines says of the run.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace convoy::study {

// Whether it starts a program as people start training: python, mpirun, horovodrun, srun, torchrun and the like, also
// after a prompt ("user@host:~$ "), variables (OMP_NUM_THREADS=4) and words such as time and nohup.
[[nodiscard]] bool is_command_line(std::string_view text);

// workers (-np and -n of a launcher, --nproc_per_node, --num_gpus), batch (--batch-size, --minibatch_size), threads
// (--threads, OMP_NUM_THREADS), model (--model, --arch), in any of their spellings and with `=` or a blank before the
// value. What is not understood says nothing: -b may be anything.
[[nodiscard]] std::map<std::string, std::string> settings_from_command(std::string_view text);

}  // namespace convoy::study
