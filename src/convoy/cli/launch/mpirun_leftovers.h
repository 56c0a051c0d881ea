// Removes what mpirun leaves on this machine when it is killed: its session folder among the temporary files, and the
// shared memory of the ranks. convoy's launcher does this or, if it was killed too, the next one.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "convoy/base/file/file_lock.h"

namespace convoy::cli {

// Where Open MPI keeps the files of a run.
struct MpirunPlaces {
  std::filesystem::path temporary;  // holds the session folders
  std::filesystem::path memory;     // holds shared memory, and convoy's marks
  std::string host;                 // as it appears in names
  uid_t user = 0;
};

// Those of this machine, according to the environment.
[[nodiscard]] MpirunPlaces mpirun_places();

// Removes what the mpirun with this process id has left. It and its ranks must be dead. Files that cannot be removed
// stay.
void remove_leftovers(pid_t mpirun, const MpirunPlaces& places);

// A file that stays locked as long as this process or its mpirun lives, and says what would be left behind if both are
// killed. It must be made before mpirun is started, which inherits the lock; it is removed with this object. If it
// cannot be made, there is no mark.
class LaunchMark {
 public:
  explicit LaunchMark(const MpirunPlaces& places);
  ~LaunchMark();
  LaunchMark(const LaunchMark&) = delete;
  LaunchMark& operator=(const LaunchMark&) = delete;

  void belongs_to(pid_t mpirun) const;

 private:
  std::string path_;
  std::filesystem::path temporary_;
  FileLock lock_;
};

// Removes what is left of launches whose launcher and mpirun are both dead. Never touches those of other users or of
// living launches, even if they run in another container of this machine.
void remove_abandoned_launches(const MpirunPlaces& places);

}  // namespace convoy::cli
