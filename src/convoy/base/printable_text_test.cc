#include "convoy/base/printable_text.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

TEST(PrintableText, WhatATerminalObeysIsEscaped) {
  EXPECT_EQ(printable_text("cat\x1b[31m\x07\x7f"), "cat\\x1b[31m\\x07\\x7f");
  EXPECT_EQ(printable_text("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable_text(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable_text("\u009b31m"), "\\u009b31m") << "an escape sequence in one character";
  EXPECT_EQ(printable_text("txt.\u202egnp"), "txt.\\u202egnp");
  EXPECT_EQ(printable_text("\u2067x\u2029"), "\\u2067x\\u2029");
}

TEST(PrintableText, OtherTextStaysAsItIs) {
  for (const char* text : {"", "plain = text!", "Gänseblümchen", "向日葵", "زهرة", "🌻 x", "a\u00A0b", "\\x1b"}) {
    EXPECT_EQ(printable_text(text), text);
  }
}

TEST(PrintableText, BytesThatAreNoUtf8AreEscaped) {
  EXPECT_EQ(printable_text("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(printable_text("\xc0\x9b"), "\\xc0\\x9b") << "a longer spelling";
}

TEST(PrintableText, LinesMayStay) { EXPECT_EQ(printable_lines("a\n\tb\r\x1b["), "a\n\tb\\r\\x1b["); }

TEST(PrintableText, LongQuotesAreCut) {
  const std::string longest(kLongestQuote, 'a');
  EXPECT_EQ(quoted_text(longest), longest);
  EXPECT_EQ(quoted_text(std::string(10 << 20, 'a')), longest + "... (10,485,760 bytes)");
  std::string wide;
  for (int i = 0; i < 200; ++i) wide += "ä";
  EXPECT_EQ(quoted_text("x" + wide).find("\\x"), std::string::npos) << "no character is cut in two";
}

TEST(PrintableText, LongMessagesKeepTheirEnds) {
  const std::string message = message_text("file.csv:2: '" + std::string(10 << 20, 'b') + "' is not a number\n");
  EXPECT_LT(message.size(), 10000U);
  EXPECT_TRUE(message.starts_with("file.csv:2: 'bbb"));
  EXPECT_TRUE(message.ends_with("b' is not a number\n"));
  EXPECT_NE(message.find("bytes left out"), std::string::npos);
  EXPECT_EQ(message_text("two\nlines\x1b"), "two\nlines\\x1b");
}

}  // namespace
}  // namespace convoy
