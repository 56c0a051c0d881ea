# Warnings and sanitizers, as one interface target that every folder, program and test links privately.
add_library(convoy_compiler INTERFACE)

target_compile_options(convoy_compiler INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  # Designated initialisers leave fields out on purpose.
  -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ 12 reports overlapping copies inside std::string's operator+ that are not there (its bug 105651).
  target_compile_options(convoy_compiler INTERFACE -Wno-restrict)
endif()
if(CONVOY_WERROR)
  target_compile_options(convoy_compiler INTERFACE -Werror)
endif()

if(CONVOY_SANITIZE)
  # Instrumentation hides initialisations from the optimiser, so its guess about uninitialised reads is useless here.
  target_compile_options(convoy_compiler INTERFACE -fsanitize=${CONVOY_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  target_link_options(convoy_compiler INTERFACE -fsanitize=${CONVOY_SANITIZE})
endif()

# What tests run under: few threads, and sanitizers that say where. Threads that wait let others run: tests share the
# cores, and two that spin for each other's core stand still for seconds.
set(CONVOY_TEST_ENVIRONMENT "OMP_NUM_THREADS=${CONVOY_TEST_THREADS}" OMP_WAIT_POLICY=passive)
if(CONVOY_SANITIZE MATCHES "thread")
  list(APPEND CONVOY_TEST_ENVIRONMENT "TSAN_OPTIONS=halt_on_error=1:ignore_noninstrumented_modules=1")
elseif(CONVOY_SANITIZE)
  list(APPEND CONVOY_TEST_ENVIRONMENT "UBSAN_OPTIONS=print_stacktrace=1")
endif()
