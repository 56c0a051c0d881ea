#include "convoy/study/plan/price.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "convoy/base/error.h"
#include "convoy/base/printable_text.h"

namespace convoy::study {
namespace {

constexpr std::string_view kDigits = "0123456789.";

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

[[noreturn]] void refuse_price(std::string_view text) {
  throw UserError("--price takes an amount of at least 0, with a currency if you like: 0.45 or \"0.45 USD\"; got '{}'",
                  quoted_text(std::string(text)));
}

}  // namespace

Price price_from(std::string_view text) {
  constexpr std::size_t kLongestCurrency = 12;
  const std::size_t begin = text.find_first_of(kDigits);
  if (begin == std::string_view::npos) refuse_price(text);
  Price price;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), price.amount);
  if (error != std::errc() || !std::isfinite(price.amount)) refuse_price(text);
  const std::string_view before = without_blanks(text.substr(0, begin));
  const std::string_view after = without_blanks(text.substr(static_cast<std::size_t>(end - text.data())));
  if (!before.empty() && !after.empty()) refuse_price(text);
  price.currency = before.empty() ? after : before;
  const bool is_strange = price.currency.find_first_of("-+,;:0123456789.") != std::string::npos;
  if (is_strange || price.currency.size() > kLongestCurrency) refuse_price(text);
  return price;
}

std::string unit_of(const std::string& currency) { return currency.empty() ? "unit of --price" : currency; }

std::string to_text(const Price& price) {
  return price.currency.empty() ? fmt::format("{}", price.amount) : fmt::format("{} {}", price.amount, price.currency);
}

}  // namespace convoy::study
