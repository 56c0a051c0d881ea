// Words of other systems and what they are called here: the one table behind `convoy help WORD` and docs/dictionary.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::cli {

struct DictionaryEntry {
  const char* topic;
  std::vector<std::string> words;  // as they are written there; the first one leads
  const char* systems;             // where they are used
  const char* meaning;             // what it is here, with flags and commands between back quotes
};

// Entries of one topic follow each other.
[[nodiscard]] std::span<const DictionaryEntry> dictionary();

// Those with the word among theirs. Case, blanks, dashes, underscores, dots and brackets make no difference:
// "hvd.size()" is found by hvd_size.
[[nodiscard]] std::vector<const DictionaryEntry*> entries_for(std::string_view word);

// Words that may have been meant: those that contain it or are contained in it, then the nearest in spelling.
[[nodiscard]] std::vector<std::string> near_words(std::string_view word);

// docs/dictionary.md, which a test holds against this.
[[nodiscard]] std::string dictionary_markdown();

}  // namespace convoy::cli
