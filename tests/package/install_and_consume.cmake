file(REMOVE_RECURSE ${WORK})
set(prefix ${WORK}/prefix)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nfailed with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
file(GLOB_RECURSE unwanted ${prefix}/*_test* ${prefix}/include/*.cc)
if(unwanted)
  message(FATAL_ERROR "installed but private: ${unwanted}")
endif()

run(${prefix}/bin/convoy --version)
if(NOT output MATCHES "^convoy ${VERSION} ")
  message(FATAL_ERROR "unexpected version: ${output}")
endif()

foreach(name man/man1/convoy.1.gz man/man1/convoy-data-get.1.gz bash-completion/completions/convoy
    doc/convoy/README.md doc/convoy/docs/training.md)
  if(NOT EXISTS ${prefix}/share/${name})
    message(FATAL_ERROR "not installed: share/${name}")
  endif()
endforeach()

# Builds the project in `source` against what was installed.
function(build source folder)
  run(${CMAKE_COMMAND} -S ${source} -B ${folder} -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${prefix} -DCONVOY_VERSION=${VERSION} --no-warn-unused-cli)
  run(${CMAKE_COMMAND} --build ${folder})
endfunction()

build(${CONSUMER} ${WORK}/build)
run(${WORK}/build/consumer)
if(NOT output STREQUAL "8x30x30 with Convoy ${VERSION}\n")
  message(FATAL_ERROR "unexpected output: ${output}")
endif()

# The examples, built as by a user who copies their folder. Each fails when it does not learn what it should.
file(COPY ${prefix}/share/doc/convoy/examples/ DESTINATION ${WORK}/examples)
build(${WORK}/examples ${WORK}/examples/build)
run(${WORK}/examples/build/train_from_scratch)
if(NOT output MATCHES "accuracy on new images: ")
  message(FATAL_ERROR "unexpected output of train_from_scratch: ${output}")
endif()
run(${WORK}/examples/build/train_a_run ${WORK}/run)
if(NOT output MATCHES "recognised")
  message(FATAL_ERROR "unexpected output of train_a_run: ${output}")
endif()
run(${WORK}/examples/build/train_in_parallel)
if(NOT output MATCHES "\\(1 ranks\\)")
  message(FATAL_ERROR "unexpected output of train_in_parallel: ${output}")
endif()
