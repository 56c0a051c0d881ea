#include "convoy/checkpoint/system_calls_test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <set>

namespace convoy {
namespace {

bool counting = false;
int calls = 0;
int last_call = 0;
int error_then = 0;  // 0: the process dies instead
std::set<int> unsynced;
int lost_syncs = 0;

void start_counting(int n, int error) {
  counting = true;
  calls = 0;
  last_call = n;
  error_then = error;
  unsynced.clear();
  lost_syncs = 0;
}

// Whether this call must fail; sets errno.
bool fails_now() {
  if (!counting || ++calls != last_call) return false;
  if (error_then == 0) _exit(kDiedAtCall);
  errno = error_then;
  return true;
}

template <typename... Arguments>
int call(long number, Arguments... arguments) {
  return fails_now() ? -1 : static_cast<int>(syscall(number, arguments...));
}

}  // namespace

void die_at_call(int n) { start_counting(n, 0); }
void fail_at_call(int n, int error) { start_counting(n, error); }

int stop_counting_calls() {
  counting = false;
  return calls;
}

int files_not_synced_in_time() { return lost_syncs; }

}  // namespace convoy

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  const bool changes = (flags & O_CREAT) != 0;
  const int descriptor = changes ? convoy::call(SYS_openat, AT_FDCWD, path, flags, mode)
                                 : static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  // If a file that was not synced had this number before, it has been closed.
  convoy::lost_syncs += static_cast<int>(convoy::unsynced.count(descriptor));
  return descriptor;
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  if (convoy::counting) convoy::unsynced.insert(descriptor);
  return convoy::fails_now() ? -1 : syscall(SYS_write, descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  if (convoy::counting) convoy::unsynced.insert(descriptor);
  return convoy::fails_now() ? -1 : syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}

int fsync(int descriptor) {
  convoy::unsynced.erase(descriptor);
  return convoy::fails_now() ? -1 : 0;
}
int fdatasync(int descriptor) { return fsync(descriptor); }

int mkdir(const char* path, mode_t mode) noexcept { return convoy::call(SYS_mkdirat, AT_FDCWD, path, mode); }
int rename(const char* from, const char* to) noexcept {
  convoy::lost_syncs += convoy::unsynced.empty() ? 0 : 1;
  return convoy::call(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int unlink(const char* path) noexcept { return convoy::call(SYS_unlinkat, AT_FDCWD, path, 0); }
int rmdir(const char* path) noexcept { return convoy::call(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR); }
int unlinkat(int folder, const char* path, int flags) noexcept {
  return convoy::call(SYS_unlinkat, folder, path, flags);
}

}  // extern "C"
