// How long it takes to encode and decode gradients, to be weighed against the bytes that a codec saves.
#pragma once

#include <cstddef>

#include "convoy/sync/codec/compression.h"

namespace convoy {

// The seconds that one rank needs for a weight tensor in a step over so many nodes, measured now on made-up gradients.
// Large tensors are measured by a part of them.
[[nodiscard]] double coding_seconds(const CompressionOptions& options, std::size_t rows, std::size_t columns,
                                    int nodes);

}  // namespace convoy
