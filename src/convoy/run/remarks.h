// What a run says while it is prepared and trained. The library prints nothing itself: whoever starts a run decides
// what happens to its remarks, and those without a function are dropped.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace convoy {

using OnNote = std::function<void(const std::string&)>;

struct Remarks {
  OnNote on_note;  // one sentence about something that the user might not expect
  OnNote on_news;  // one line about what is being done
  // How many images have been decoded into a pack.
  std::function<void(std::int64_t done, std::int64_t total)> on_packing;

  void note(const std::string& text) const {
    if (on_note) on_note(text);
  }
  void news(const std::string& text) const {
    if (on_news) on_news(text);
  }
};

}  // namespace convoy
