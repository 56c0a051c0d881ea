// Refuses work that the machine has no memory for before any is taken: a process that the system kills cannot explain
// itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy {

// Throws UserError with both sizes when a batch needs more than is free now. Passes where the system does not say.
void check_fits_in_memory(std::int64_t batch, std::size_t needed_bytes);

}  // namespace convoy
