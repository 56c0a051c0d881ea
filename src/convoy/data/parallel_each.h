// A loop over independent items on a few threads of its own.
#pragma once

#include <cstdint>
#include <functional>

namespace convoy::data {

// Calls body(i) for all i in [0, count), each once, on up to `threads` threads in no particular order. When calls
// throw, no more are begun and the exception of the lowest i among them is thrown again.
void parallel_each(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body);

}  // namespace convoy::data
