# The loops in simd/ are compiled once for each instruction set; the program picks one of them when it starts.
set(CONVOY_SIMD_SOURCES simd/loops.cc simd/dense.cc simd/products.cc simd/winograd.cc)
set(CONVOY_SIMD_OBJECTS "")
set(avx512_flags -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512 -O3 -ffp-contract=fast)
set(avx2_flags -mavx2 -mfma -O3 -ffp-contract=fast)
# Vectors that are wider than the baseline's are never passed to a function that is not inlined, so their ABI does not
# matter.
set(baseline_flags -O3 -Wno-psabi)
foreach(isa avx512 avx2 baseline)
  list(TRANSFORM CONVOY_SIMD_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/ OUTPUT_VARIABLE sources)
  add_library(convoy_simd_${isa} OBJECT ${sources})
  target_compile_definitions(convoy_simd_${isa} PRIVATE CONVOY_SIMD=${isa})
  target_compile_options(convoy_simd_${isa} PRIVATE ${${isa}_flags})
  list(APPEND CONVOY_SIMD_OBJECTS convoy_simd_${isa})
endforeach()

# Some AVX-512 processors have instructions that convert bf16, which make the bf16 loops shorter, and that multiply pairs
# of bf16 numbers; other loops stay the same.
set(avx512bf16_sources simd/loops.cc simd/pair_packing.cc simd/pairs.cc simd/winograd.cc)
list(TRANSFORM avx512bf16_sources PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
add_library(convoy_simd_avx512bf16 OBJECT ${avx512bf16_sources})
target_compile_definitions(convoy_simd_avx512bf16 PRIVATE CONVOY_SIMD=avx512bf16)
target_compile_options(convoy_simd_avx512bf16 PRIVATE ${avx512_flags} -mavx512bf16)
list(APPEND CONVOY_SIMD_OBJECTS convoy_simd_avx512bf16)

# Matrix registers are useful only for bf16, so their loops are in a file of their own.
add_library(convoy_simd_amx OBJECT ${CMAKE_CURRENT_LIST_DIR}/simd/amx.cc)
target_compile_definitions(convoy_simd_amx PRIVATE CONVOY_SIMD=amx)
# The compiler warns about vectors that its own header leaves undefined.
target_compile_options(convoy_simd_amx PRIVATE ${avx512_flags} -mavx512bf16 -mamx-tile -mamx-bf16
  -Wno-uninitialized -Wno-maybe-uninitialized)
list(APPEND CONVOY_SIMD_OBJECTS convoy_simd_amx)
list(APPEND CONVOY_SIMD_SOURCES simd/amx.cc simd/pair_packing.cc simd/pairs.cc)
