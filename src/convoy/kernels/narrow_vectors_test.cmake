# Runs all tests of kernels again as on machines without AVX-512 and without AVX2: blocks have eight channels there, and
# both oneDNN and the vector loops have other implementations.
if(CONVOY_TESTS)
  foreach(isa AVX2 SSE41)
    string(TOLOWER kernels_${isa} name)
    add_test(NAME ${name} COMMAND kernels_test)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600
      ENVIRONMENT "${CONVOY_TEST_ENVIRONMENT};ONEDNN_MAX_CPU_ISA=${isa}")
  endforeach()
endif()
