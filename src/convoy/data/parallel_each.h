// A loop over independent items on a few temporary threads.
#pragma once

#include <cstdint>
#include <functional>

namespace convoy::data {

// Calls body(i) once for each i in [0, count), on up to `threads` threads in no particular order. After a call has
// thrown, no more are started, and the exception of the lowest i that threw is thrown again.
void parallel_each(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body);

}  // namespace convoy::data
