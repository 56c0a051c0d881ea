# All tests of kernels again, as on a machine without AVX-512 and on one without AVX2: blocks hold eight channels there,
# oneDNN has other implementations, and so have the vector loops.
if(CONVOY_TESTS)
  foreach(isa AVX2 SSE41)
    string(TOLOWER kernels_${isa} name)
    add_test(NAME ${name} COMMAND kernels_test)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600
      ENVIRONMENT "${CONVOY_TEST_ENVIRONMENT};ONEDNN_MAX_CPU_ISA=${isa}")
  endforeach()
endif()
