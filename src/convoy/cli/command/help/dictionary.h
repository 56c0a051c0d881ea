// Words of other systems and what they are called here: the table behind `convoy help WORD` and docs/dictionary.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::cli {

struct DictionaryEntry {
  const char* topic;
  std::vector<std::string> words;  // as they are written there; the first one is the main one
  const char* systems;             // where they are used
  const char* meaning;             // what it is here; flags and commands are in back quotes
};

// Entries of the same topic are next to each other.
[[nodiscard]] std::span<const DictionaryEntry> dictionary();

// The entries that have this word. Case, blanks, dashes, underscores, dots and brackets do not matter: hvd_size finds
// "hvd.size()".
[[nodiscard]] std::vector<const DictionaryEntry*> entries_for(std::string_view word);

// Words that may have been meant: first those that contain it or are contained in it, then the nearest in spelling.
[[nodiscard]] std::vector<std::string> near_words(std::string_view word);

// The text of docs/dictionary.md; a test compares the two.
[[nodiscard]] std::string dictionary_markdown();

}  // namespace convoy::cli
