# Runs the package's tests with the Python that it was built for, and with the one that CONVOY_PEERS_PYTHON names. Tests
# are skipped whose packages (pandas, matplotlib, torch, nbclient, mpi4py) are not installed.
set(default_peers "$ENV{CONVOY_PEERS_PYTHON}")
set(interpreters own)
set(own_python ${Python_EXECUTABLE})
if(default_peers OR CONVOY_PEERS_PYTHON)
  list(APPEND interpreters peers)
  set(peers_python ${CONVOY_PEERS_PYTHON})
  if(NOT peers_python)
    set(peers_python ${default_peers})
  endif()
endif()
foreach(interpreter ${interpreters})
  add_test(NAME python/${interpreter}
    COMMAND ${${interpreter}_python} ${CMAKE_CURRENT_SOURCE_DIR}/tests/run_tests.py
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  set_tests_properties(python/${interpreter} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77
    ENVIRONMENT "${CONVOY_TEST_ENVIRONMENT};PYTHONPATH=${CMAKE_CURRENT_BINARY_DIR};CONVOY_PROGRAM=$<TARGET_FILE:convoy>")
endforeach()
