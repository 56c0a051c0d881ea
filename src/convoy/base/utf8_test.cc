#include "convoy/base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace convoy {
namespace {

TEST(Utf8, CountsCharactersAndNotBytes) {
  EXPECT_EQ(character_count(""), 0U);
  EXPECT_EQ(character_count("plain"), 5U);
  EXPECT_EQ(character_count("Übung"), 5U);
  EXPECT_EQ(character_count("± 3 µs → 😀"), 10U);
}

TEST(Utf8, TellsTheBytesThatContinueACharacter) {
  const std::string text = "aÜ€😀";
  std::string marks;
  for (const char byte : text) marks += continues_character(byte) ? '+' : '.';
  EXPECT_EQ(marks, "..+.++.+++");
}

TEST(Utf8, DecodesTheFirstCharacter) {
  EXPECT_EQ(first_character("€ 3").code, U'€');
  EXPECT_EQ(first_character("€ 3").bytes, 3U);
  EXPECT_EQ(first_character("😀").code, U'😀');
  EXPECT_TRUE(first_character("x").valid);
}

TEST(Utf8, WhatIsNoCharacterIsOneByte) {
  // A continuation byte alone, a character cut short, a spelling longer than needed, half of a surrogate pair, a code
  // beyond the last character, and a byte that never occurs.
  for (const char* const text : {"\x80", "\xE2\x82", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    EXPECT_FALSE(first_character(text).valid);
    EXPECT_EQ(first_character(text).bytes, 1U);
    EXPECT_FALSE(is_utf8(text));
  }
  EXPECT_TRUE(is_utf8("± 3 µs"));
}

}  // namespace
}  // namespace convoy
