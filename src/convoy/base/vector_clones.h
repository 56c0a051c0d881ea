// How loops over long arrays are compiled outside the kernels.
#pragma once

// A function compiled once for each instruction set; the best for the processor is picked when the program is loaded.
// Sanitizers cannot follow the resolver that picks.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || defined(__clang__)
#define CONVOY_VECTOR_CLONES
#else
#define CONVOY_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
