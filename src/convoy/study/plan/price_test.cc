#include "convoy/study/plan/price.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::study {
namespace {

TEST(Price, IsUnderstoodAsPeopleWriteIt) {
  EXPECT_EQ(price_from("0.45"), (Price{0.45, ""}));
  EXPECT_EQ(price_from("0"), (Price{0, ""}));
  EXPECT_EQ(price_from("0.45 USD"), (Price{0.45, "USD"}));
  EXPECT_EQ(price_from(" USD 0.45 "), (Price{0.45, "USD"}));
  EXPECT_EQ(price_from("$0.45"), (Price{0.45, "$"}));
  EXPECT_EQ(price_from("0.45\u20AC"), (Price{0.45, "\u20AC"}));
}

TEST(Price, IsWrittenWithItsCurrency) {
  EXPECT_EQ(to_text(Price{0.45, "USD"}), "0.45 USD");
  EXPECT_EQ(to_text(Price{0.5, ""}), "0.5");
}

TEST(Price, WhatIsNoneIsRefused) {
  for (const char* text :
       {"", "USD", "-1", "-0.5 USD", "0.45 USD 2", "$0.45 USD", "0,45", "1e999", "0.45 ofsomethinglong"}) {
    EXPECT_TRUE(throws_with<UserError>([&] { (void)price_from(text); }, "--price")) << text;
  }
}

}  // namespace
}  // namespace convoy::study
