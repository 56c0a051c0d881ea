#include "convoy/engine/memory_limit.h"

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/base/number_text.h"

namespace convoy {

void check_fits_in_memory(std::int64_t batch, std::size_t needed_bytes) {
  const auto available = static_cast<double>(read_machine().available_memory_bytes);
  const auto needed = static_cast<double>(needed_bytes);
  if (available > 0 && needed > available) {
    throw UserError("a batch of {} needs {} of memory to work in, but {} are free; use a smaller batch", batch,
                    bytes_text(needed), bytes_text(available));
  }
}

}  // namespace convoy
