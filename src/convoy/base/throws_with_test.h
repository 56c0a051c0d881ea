// Asserts which error is thrown and what it says.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <string>
#include <typeinfo>

namespace convoy {

// Whether `action` throws exactly an Error, not a class derived from it, with `part` in its message.
template <typename Error>
testing::AssertionResult throws_with(const std::function<void()>& action, const std::string& part) {
  try {
    action();
  } catch (const std::exception& error) {
    if (typeid(error) != typeid(Error)) {
      return testing::AssertionFailure() << "threw another error: " << typeid(error).name() << ": " << error.what();
    }
    if (std::string(error.what()).find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "'" << error.what() << "' does not say '" << part << "'";
  }
  return testing::AssertionFailure() << "nothing was thrown";
}

}  // namespace convoy
