#include "convoy/cli/hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
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

void add_host(std::vector<Host>& hosts, Host host, const std::string& where) {
  if (host.name.empty()) throw UserError("{}: a host has no name; write them as a:2,b:2", where);
  if (std::ranges::find(hosts, host.name, &Host::name) != hosts.end()) {
    throw UserError("{}: {} is named twice; name it once, with all its slots", where, host.name);
  }
  hosts.push_back(std::move(host));
}

// "a:2" or "a".
Host parse_host(const std::string& text, const std::string& where) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {text, std::nullopt};
  return {text.substr(0, colon), parse_slots(text.substr(colon + 1), where)};
}

Host parse_hostfile_line(const std::string& line, const std::string& where) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  Host host = parse_host(word, where);
  while (words >> word) {
    const std::string key = "slots=";
    if (word.rfind(key, 0) == 0) host.slots = parse_slots(word.substr(key.size()), where);
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
  return text.find('/') != std::string::npos || std::filesystem::is_regular_file(text);
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
    throw UserError("--hosts: there is no file {}; give a hostfile, or hosts as a:2,b:2", list_or_file);
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
