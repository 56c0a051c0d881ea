// Counts allocations between start() and stop(), on all threads: of the heap and of mapped memory. What oneDNN
// allocates inside dnnl_primitive_execute is counted separately. Works by replacing malloc and its relatives in this
// program.
#pragma once

#include <cstdint>

namespace convoy::allocation {

struct Count {
  std::int64_t own = 0;           // allocations outside the library's execute call
  std::int64_t library = 0;       // allocations inside
  std::int64_t library_live = 0;  // of those, bytes not given back
  std::int64_t executes = 0;      // calls of the library
};

void start();
Count stop();

}  // namespace convoy::allocation
