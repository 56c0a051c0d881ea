// The price of a worker-hour as users write it.
#pragma once

#include <string>
#include <string_view>

namespace convoy::study {

struct Price {
  double amount = 0;     // per worker-hour; 0: unknown
  std::string currency;  // as written; empty if it was not given

  bool operator==(const Price&) const = default;
};

// Reads "0.45", "0.45 USD", "USD 0.45", "$0.45" or "0.45€". Throws UserError for anything else.
[[nodiscard]] Price price_from(std::string_view text);

// What sums are given in: the currency, or "unit of --price" where none was given.
[[nodiscard]] std::string unit_of(const std::string& currency);

// "0.45 USD"
[[nodiscard]] std::string to_text(const Price& price);

}  // namespace convoy::study
