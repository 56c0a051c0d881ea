#include "convoy/cli/launch/hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "convoy/base/error.h"

namespace convoy::cli {
namespace {

int parse_slots(const std::string& text, const std::string& where) {
  int slots = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), slots);
  if (error != std::errc() || end != text.data() + text.size() || slots < 1) {
    throw UserError("{}: slots must be a whole number from 1 on, got '{}'", where, text);
  }
  return slots;
}

// A host that is named again gets more slots, as with mpirun: one more if no number is given.
void add_host(std::vector<Host>& hosts, Host host, const std::string& where) {
  if (host.name.empty()) throw UserError("{}: a host has no name; write them as a:2,b:2", where);
  const auto known = std::ranges::find(hosts, host.name, &Host::name);
  if (known == hosts.end()) {
    hosts.push_back(std::move(host));
  } else {
    known->slots = known->slots.value_or(1) + host.slots.value_or(1);
  }
}

// "a:2" or "a".
Host parse_host(const std::string& text, const std::string& where) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {text, std::nullopt};
  return {text.substr(0, colon), parse_slots(text.substr(colon + 1), where)};
}

// Makes "slots = 2" one word.
std::string with_joined_equals(const std::string& line) {
  static const std::regex kEquals(R"(\s*=\s*)");
  return std::regex_replace(line, kEquals, "=");
}

// The slots given after the name: "slots=2", or just a number, which can mean nothing else.
std::optional<int> slots_in(const std::string& word, const std::string& where) {
  const std::size_t equals = word.find('=');
  const std::string key = equals == std::string::npos ? "slots" : word.substr(0, equals);
  if (key == "slots" && (equals != std::string::npos || std::isdigit(static_cast<unsigned char>(word.front())) != 0)) {
    return parse_slots(word.substr(equals == std::string::npos ? 0 : equals + 1), where);
  }
  // Accepted but not needed: Convoy never starts more workers than there are slots.
  if (key == "max_slots" || key == "max-slots") return std::nullopt;
  throw UserError("{}: '{}' is not understood; write a host as node1 slots=2", where, word);
}

Host parse_hostfile_line(const std::string& line, const std::string& where) {
  std::istringstream words(with_joined_equals(line));
  std::string word;
  words >> word;
  Host host = parse_host(word, where);
  while (words >> word) {
    const std::optional<int> slots = slots_in(word, where);
    if (slots && host.slots) throw UserError("{}: the slots of {} are given twice", where, host.name);
    if (slots) host.slots = slots;
  }
  return host;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream content;
  if (!(content << file.rdbuf())) throw UserError("--hosts: {} cannot be read, or is empty", path.string());
  return content.str();
}

bool looks_like_a_path(const std::string& text) {
  return text.find('/') != std::string::npos || std::filesystem::exists(text);
}

int slots_said(const std::vector<Host>& hosts) {
  int slots = 0;
  for (const Host& host : hosts) slots += host.slots.value_or(0);
  return slots;
}

int hosts_left_open(const std::vector<Host>& hosts) {
  return static_cast<int>(std::ranges::count_if(hosts, [](const Host& host) { return !host.slots; }));
}

}  // namespace

std::vector<Host> parse_host_list(const std::string& text) {
  const std::string where = "--hosts";
  std::vector<Host> hosts;
  std::istringstream list(text);
  for (std::string item; std::getline(list, item, ',');) add_host(hosts, parse_host(item, where), where);
  return hosts;
}

std::vector<Host> parse_hostfile(const std::string& content, const std::string& file) {
  std::vector<Host> hosts;
  std::istringstream lines(content);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = fmt::format("{}:{}", file, ++number);
    line.resize(std::min(line.size(), line.find('#')));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    add_host(hosts, parse_hostfile_line(line, where), where);
  }
  if (hosts.empty()) throw UserError("--hosts: {} names no host", file);
  return hosts;
}

std::vector<Host> read_hosts(const std::string& list_or_file) {
  if (!looks_like_a_path(list_or_file)) return parse_host_list(list_or_file);
  if (!std::filesystem::is_regular_file(list_or_file)) {
    throw UserError("--hosts: no such file: {}; {}", list_or_file, kHowToWriteHosts);
  }
  return parse_hostfile(content_of(list_or_file), list_or_file);
}

std::vector<int> share_workers(int workers, const std::vector<Host>& hosts) {
  int open = hosts_left_open(hosts);
  if (open == 0 && workers > slots_said(hosts)) {
    throw UserError("{} workers on {} slots: give the hosts more slots (a:2,b:2) or take fewer workers", workers,
                    slots_said(hosts));
  }
  int for_open = std::max(0, workers - slots_said(hosts));
  std::vector<int> shares;
  int left = workers;
  for (const Host& host : hosts) {
    int share = host.slots.value_or(0);
    if (!host.slots) {
      share = (for_open + open - 1) / open;
      for_open -= share;
      --open;
    }
    shares.push_back(std::min(share, left));
    left -= shares.back();
  }
  return shares;
}

int slots_of(const std::vector<Host>& hosts) { return slots_said(hosts) + hosts_left_open(hosts); }

}  // namespace convoy::cli
