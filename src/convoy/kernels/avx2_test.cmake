# All tests of kernels once more, as on a machine without AVX-512: blocks hold eight channels there, and oneDNN has
# other implementations.
if(CONVOY_TESTS)
  add_test(NAME kernels_avx2 COMMAND kernels_test)
  set_tests_properties(kernels_avx2 PROPERTIES TIMEOUT 600
    ENVIRONMENT "${CONVOY_TEST_ENVIRONMENT};ONEDNN_MAX_CPU_ISA=AVX2")
endif()
