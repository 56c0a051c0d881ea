// The machines on which workers run, as users write them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace convoy::cli {

struct Host {
  std::string name;
  std::optional<int> slots;  // how many workers may run there; no value if not given
};

// Used in messages.
inline constexpr const char* kHowToWriteHosts =
    "hosts are a list, a:2,b:2, or a file with a line for each, 'a slots=2'";

// Reads "a:2,b:2" or "a,b". A host that is named again gets more slots. Throws UserError that begins with --hosts if
// slots are not a number.
[[nodiscard]] std::vector<Host> parse_host_list(const std::string& text);

// Reads a hostfile in Open MPI's format: one host per line, "a slots=2" or "a", comments after '#'; several lines for a
// host add up. "a 2" and "a:2" are understood too; other words are refused. `file` is for errors.
[[nodiscard]] std::vector<Host> parse_hostfile(const std::string& content, const std::string& file);

// Reads a list, or the hostfile at that path.
[[nodiscard]] std::vector<Host> read_hosts(const std::string& list_or_file);

// How many of `workers` each host gets, filled in order. Hosts without slots share evenly what the others leave. Throws
// UserError when there are more workers than slots.
[[nodiscard]] std::vector<int> share_workers(int workers, const std::vector<Host>& hosts);

// As many workers as the hosts have slots; one if no slots are given.
[[nodiscard]] int slots_of(const std::vector<Host>& hosts);

}  // namespace convoy::cli
