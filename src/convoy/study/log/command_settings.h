// What a command line above a log's lines says about the run.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace convoy::study {

// Whether it starts a program as people start training: python, mpirun, horovodrun, srun, torchrun and so on, also
// after a prompt ("user@host:~$ "), variables (OMP_NUM_THREADS=4) and words such as time and nohup.
[[nodiscard]] bool is_command_line(std::string_view text);

// Finds workers (-np and -n of a launcher, --nproc_per_node, --num_gpus), batch (--batch-size, --minibatch_size),
// threads (--threads, OMP_NUM_THREADS) and model (--model, --arch), in any of their spellings and with `=` or a blank
// before the value. Other options are ignored: -b may mean anything.
[[nodiscard]] std::map<std::string, std::string> settings_from_command(std::string_view text);

}  // namespace convoy::study
