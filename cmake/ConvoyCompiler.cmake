# Warnings and sanitizers, as one interface target that every folder, program and test links privately.
add_library(convoy_compiler INTERFACE)

target_compile_options(convoy_compiler INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  # Designated initialisers leave fields out on purpose.
  -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ 12 warns of overlapping copies inside std::string's operator+ where there are none (its bug 105651).
  target_compile_options(convoy_compiler INTERFACE -Wno-restrict)
endif()
if(CONVOY_WERROR)
  target_compile_options(convoy_compiler INTERFACE -Werror)
endif()

if(CONVOY_SANITIZE)
  # With instrumentation the compiler no longer sees all initialisations, and warns of uninitialised reads that do not
  # exist.
  target_compile_options(convoy_compiler INTERFACE -fsanitize=${CONVOY_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  target_link_options(convoy_compiler INTERFACE -fsanitize=${CONVOY_SANITIZE})
endif()

# The environment of tests. Few threads, because tests share the cores; and threads that wait must let others run: two
# tests whose threads spin can block each other for seconds. Sanitizers print where they found something.
set(CONVOY_TEST_ENVIRONMENT "OMP_NUM_THREADS=${CONVOY_TEST_THREADS}" OMP_WAIT_POLICY=passive)
if(CONVOY_SANITIZE MATCHES "thread")
  list(APPEND CONVOY_TEST_ENVIRONMENT "TSAN_OPTIONS=halt_on_error=1:ignore_noninstrumented_modules=1")
elseif(CONVOY_SANITIZE)
  list(APPEND CONVOY_TEST_ENVIRONMENT "UBSAN_OPTIONS=print_stacktrace=1")
endif()
