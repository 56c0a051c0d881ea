// What `convoy doctor --hosts` wants to know of each host, and its judgement over all of them.
#pragma once

#include <string>
#include <vector>

namespace convoy::cli {

struct HostCheckup {
  std::string host;
  std::string version;  // of Convoy, with its git id
  std::string kernels;  // library and version
  std::string isa;
  std::string processor;
  int usable_cores = 1;
  std::vector<std::string> problems;  // of the host by itself
};

// Looks at the host of this process.
[[nodiscard]] HostCheckup examine_host(const std::string& host);

// As one line of text and back, to be sent to another rank.
[[nodiscard]] std::string to_text(const HostCheckup& checkup);
[[nodiscard]] HostCheckup host_checkup_from(const std::string& text);

// What is wrong, a sentence each that begins with the host's name: what it differs in from most of the others (from the
// first, of two), then what is wrong with it by itself.
[[nodiscard]] std::vector<std::string> problems_of(const std::vector<HostCheckup>& hosts);

// `convoy doctor --hosts`: looks at several hosts and the links between them, from a rank on each.

// Starts a rank on each host, or is one of those; rank 0 prints. Throws RanksFailed when hosts cannot be reached, after
// saying which.
void examine_hosts(const std::string& hosts, bool as_json);

}  // namespace convoy::cli
