// Checks of invariants. A failed check throws InternalError with the place and both operands: the fault is in Convoy,
// never in what the user gave. Bad input is a UserError instead.
#pragma once

#include <fmt/format.h>

#include "convoy/base/error.h"

namespace convoy::detail {

[[noreturn]] inline void check_failed(const char* file, int line, const char* expression, const std::string& operands) {
  throw InternalError(fmt::format("{}:{}: check failed: {}{}", file, line, expression, operands));
}

}  // namespace convoy::detail

#define CONVOY_CHECK(condition) \
  ((condition) ? void() : ::convoy::detail::check_failed(__FILE__, __LINE__, #condition, ""))

#define CONVOY_CHECK_OP(a, op, b)                                                        \
  do {                                                                                   \
    const auto& check_a = (a);                                                           \
    const auto& check_b = (b);                                                           \
    if (!(check_a op check_b)) {                                                         \
      ::convoy::detail::check_failed(__FILE__, __LINE__, #a " " #op " " #b,              \
                                     fmt::format(" ({} against {})", check_a, check_b)); \
    }                                                                                    \
  } while (false)

#define CONVOY_CHECK_EQ(a, b) CONVOY_CHECK_OP(a, ==, b)
#define CONVOY_CHECK_LT(a, b) CONVOY_CHECK_OP(a, <, b)
#define CONVOY_CHECK_LE(a, b) CONVOY_CHECK_OP(a, <=, b)
