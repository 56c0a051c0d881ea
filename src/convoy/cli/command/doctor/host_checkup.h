// What `convoy doctor --hosts` examines on each host, and its conclusions about all of them.
#pragma once

#include <string>
#include <vector>

namespace convoy::cli {

struct HostCheckup {
  std::string host;
  std::string version;  // of Convoy, including its git id
  std::string kernels;  // library and version
  std::string isa;
  std::string processor;
  int usable_cores = 1;
  std::vector<std::string> problems;  // of this host by itself
};

// Examines the host of this process.
[[nodiscard]] HostCheckup examine_host(const std::string& host);

// As one line of text and back, for sending it to another rank.
[[nodiscard]] std::string to_text(const HostCheckup& checkup);
[[nodiscard]] HostCheckup host_checkup_from(const std::string& text);

// What is wrong, one sentence each, beginning with the host's name: first in what it differs from most of the others
// (with two hosts, from the first), then what is wrong with it by itself.
[[nodiscard]] std::vector<std::string> problems_of(const std::vector<HostCheckup>& hosts);

// `convoy doctor --hosts`: examines several hosts and the links between them, from one rank on each.

// Starts a rank on each host, or is one of them; rank 0 prints. If hosts cannot be reached, prints which and throws
// RanksFailed.
void examine_hosts(const std::string& hosts, bool as_json);

}  // namespace convoy::cli
