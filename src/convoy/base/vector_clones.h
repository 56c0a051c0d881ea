// How loops over long arrays are compiled outside the kernels.
#pragma once

// Compiles a function once for each instruction set; the best one for the processor is picked when the program is
// loaded. Off under sanitizers, which cannot follow the function that picks, and with clang.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || defined(__clang__)
#define CONVOY_VECTOR_CLONES
#else
#define CONVOY_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
