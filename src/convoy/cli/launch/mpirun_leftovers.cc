#include "convoy/cli/launch/mpirun_leftovers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "convoy/base/machine.h"
#include "convoy/cli/launch/rank_environment.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

std::string short_host_name() {
  const std::string whole = host_name();
  return whole.substr(0, whole.find('.'));
}

fs::path temporary_folder() {
  for (const char* name : {"OMPI_MCA_orte_tmpdir_base", "TMPDIR", "TEMP", "TMP"}) {
    const auto value = environment_variable(name);
    if (value && !value->empty()) return *value;
  }
  return "/tmp";
}

fs::path session_folder(pid_t mpirun, const MpirunPlaces& places) {
  return places.temporary / fmt::format("ompi.{}.{}", places.host, places.user) / fmt::format("pid.{}", mpirun);
}

std::optional<std::uint32_t> number_at_front(std::string_view text, int base) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end == text.data() + text.size() || *end != '.') return std::nullopt;
  return number;
}

// The upper half of a job's number identifies the mpirun that started it.
std::uint32_t family(std::uint32_t job) { return job >> 16U; }

// The number of mpirun's own job, with which its contact file begins.
std::optional<std::uint32_t> job_of(const fs::path& session) {
  std::ifstream file(session / "contact.txt");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return number_at_front(line, 10);
}

// The job to which a file of shared memory belongs: "vader_segment.HOST.USER.JOB.RANK", "osc_sm.HOST.JOB.RANK.WINDOW".
std::optional<std::uint32_t> job_in_name(std::string_view name, const MpirunPlaces& places) {
  for (const std::string& beginning :
       {fmt::format("vader_segment.{}.{}.", places.host, places.user), fmt::format("osc_sm.{}.", places.host)}) {
    if (name.starts_with(beginning)) return number_at_front(name.substr(beginning.size()), 16);
  }
  return std::nullopt;
}

bool is_of(uid_t user, const fs::path& file) {
  struct stat status {};
  return lstat(file.c_str(), &status) == 0 && status.st_uid == user;
}

void remove_memory(std::uint32_t job, const MpirunPlaces& places) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(places.memory, ignored)) {
    const auto owner = job_in_name(entry.path().filename().string(), places);
    if (!owner || family(*owner) != family(job) || !is_of(places.user, entry.path())) continue;
    fs::remove(entry.path(), ignored);
  }
}

std::string mark_beginning(uid_t user) { return fmt::format("convoy_launch.{}.", user); }

// Locks the mark; holds nothing if it belongs to another user or is still locked.
FileLock take_mark(const fs::path& path, uid_t user) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat status {};
  // Anybody can write to this folder, and what a mark names will be removed, so only our own marks are trusted.
  const bool ours = fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == user;
  return ours ? FileLock(std::move(file)) : FileLock();
}

void remove_launch(const fs::path& mark, MpirunPlaces places) {
  std::ifstream file(mark);
  pid_t mpirun = 0;
  std::string temporary;
  if (file >> mpirun && file.ignore() && std::getline(file, temporary) && mpirun > 0) {
    places.temporary = temporary;
    remove_leftovers(mpirun, places);
  }
  std::error_code ignored;
  fs::remove(mark, ignored);
}

}  // namespace

MpirunPlaces mpirun_places() {
  return {.temporary = temporary_folder(), .memory = "/dev/shm", .host = short_host_name(), .user = geteuid()};
}

void remove_leftovers(pid_t mpirun, const MpirunPlaces& places) {
  const fs::path session = session_folder(mpirun, places);
  std::error_code ignored;
  if (!fs::is_directory(fs::symlink_status(session, ignored))) return;
  // The memory is removed first, because only the session folder shows to whom it belongs.
  if (const auto job = job_of(session)) remove_memory(*job, places);
  fs::remove_all(session, ignored);
  // The parent folder is removed with the last session.
  fs::remove(session.parent_path(), ignored);
}

LaunchMark::LaunchMark(const MpirunPlaces& places)
    : path_((places.memory / (mark_beginning(places.user) + "XXXXXX")).string()),
      temporary_(fs::absolute(places.temporary)),
      lock_(Descriptor(mkstemp(path_.data()))) {}

LaunchMark::~LaunchMark() {
  if (lock_.descriptor().is_open()) (void)unlink(path_.c_str());
}

void LaunchMark::belongs_to(pid_t mpirun) const {
  const std::string text = fmt::format("{}\n{}\n", mpirun, temporary_.string());
  if (lock_.descriptor().is_open()) (void)write_fully(lock_.descriptor(), 0, std::as_bytes(std::span(text)));
}

void remove_abandoned_launches(const MpirunPlaces& places) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(places.memory, ignored)) {
    if (!entry.path().filename().string().starts_with(mark_beginning(places.user))) continue;
    if (const FileLock mark = take_mark(entry.path(), places.user); mark.is_held()) remove_launch(entry.path(), places);
  }
}

}  // namespace convoy::cli
