// What mpirun leaves on this machine when it is killed: its session folder among the temporary files, and the shared
// memory of the ranks. It is removed by convoy's launcher, or, when that was killed too, by the next one.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "convoy/base/file/file_lock.h"

namespace convoy::cli {

// Where Open MPI keeps what belongs to a run.
struct MpirunPlaces {
  std::filesystem::path temporary;  // holds the session folders
  std::filesystem::path memory;     // holds shared memory, and convoy's marks
  std::string host;                 // as it is in names
  uid_t user = 0;
};

// This machine's, by the environment.
[[nodiscard]] MpirunPlaces mpirun_places();

// Removes what the mpirun of this process id has left. It is dead, and so are its ranks. What cannot be removed stays.
void remove_leftovers(pid_t mpirun, const MpirunPlaces& places);

// A file that is locked as long as this process or its mpirun lives, and says what that leaves if both are killed. Made
// before mpirun is started, which inherits the lock; removed with the object. Where there is no place for it there is
// none.
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

// Removes what launches have left of which neither launcher nor mpirun lives. Never touches those of others, or of
// launches that live, wherever on this machine they see their processes from.
void remove_abandoned_launches(const MpirunPlaces& places);

}  // namespace convoy::cli
