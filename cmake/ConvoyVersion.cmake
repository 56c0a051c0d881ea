# Writes version.cc, the definitions of convoy/base/version.h, before each build, so that it has the git id of the
# sources that are built.
set(CONVOY_VERSION_SOURCE ${CMAKE_CURRENT_BINARY_DIR}/generated/version.cc)
add_custom_target(convoy_version
  COMMAND ${CMAKE_COMMAND} -DTEMPLATE=${CMAKE_CURRENT_LIST_DIR}/version.cc.in -DOUTPUT=${CONVOY_VERSION_SOURCE}
    -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
    -DSANITIZE=${CONVOY_SANITIZE} "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    -P ${CMAKE_CURRENT_LIST_DIR}/write_version.cmake
  BYPRODUCTS ${CONVOY_VERSION_SOURCE}
  COMMENT "Version of this build" VERBATIM)
