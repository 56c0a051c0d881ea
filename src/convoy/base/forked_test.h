// Runs a part of a test in a child process, which may be killed, have less room on the disk or fewer rights.
#pragma once

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>

namespace convoy {

constexpr int kChildThrew = 99;

// Returns what the child returned, -signal when a signal ended it, or kChildThrew (with the message on stderr) when it
// threw.
inline int in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      _exit(body());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
      _exit(kChildThrew);
    }
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// For a child: from now on no file can grow beyond that many bytes, as on a full disk.
inline void limit_file_size(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

// For a child: gives up the rights of root, for whom nothing is forbidden. True when it is no longer root.
inline bool become_nobody() {
  constexpr uid_t kNobody = 65534;
  if (geteuid() != 0) return true;
  return setgroups(0, nullptr) == 0 && setresgid(kNobody, kNobody, kNobody) == 0 &&
         setresuid(kNobody, kNobody, kNobody) == 0;
}

}  // namespace convoy
