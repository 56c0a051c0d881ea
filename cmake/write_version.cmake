# Run by the target convoy_version. Writes OUTPUT only when its text changes.
set(GIT_ID unknown)
find_package(Git QUIET)
if(GIT_FOUND)
  # Without optional locks, so that a build does not get in the way of a commit made at the same time.
  execute_process(COMMAND ${GIT_EXECUTABLE} --no-optional-locks describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
    RESULT_VARIABLE failed)
  if(NOT failed)
    set(GIT_ID ${described})
  endif()
endif()
if(SANITIZE)
  string(APPEND BUILD_TYPE "+${SANITIZE}")
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
