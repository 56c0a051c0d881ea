# What `cmake --install` installs, in two components. runtime: bin/convoy, its manual pages, completion and
# documentation. dev: one static library of all folders except the command line, the headers, a package for
# find_package(Convoy) and the examples.
include(CMakePackageConfigHelpers)

add_library(convoy_library STATIC)
add_library(Convoy::convoy ALIAS convoy_library)
set_target_properties(convoy_library PROPERTIES OUTPUT_NAME convoy EXPORT_NAME convoy LINKER_LANGUAGE CXX)
foreach(folder base tensor graph models kernels engine data record checkpoint exchange optim comm sync train run study report)
  get_target_property(type convoy_${folder} TYPE)
  get_target_property(objects convoy_${folder} CONVOY_OBJECT_LIBRARIES)
  if(type STREQUAL STATIC_LIBRARY)
    list(APPEND holders convoy_${folder})
  endif()
  if(objects)
    list(APPEND holders ${objects})
  endif()
endforeach()
foreach(holder ${holders})
  target_sources(convoy_library PRIVATE $<TARGET_OBJECTS:${holder}>)
endforeach()
target_include_directories(convoy_library PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(convoy_library PUBLIC cxx_std_20)
target_link_libraries(convoy_library PUBLIC fmt::fmt nlohmann_json::nlohmann_json
  PRIVATE OneDNN::OneDNN OpenMP::OpenMP_CXX ${CONVOY_MPI_LIBRARY} Threads::Threads ${CONVOY_DATA_LIBRARIES}
  ${CONVOY_EXCHANGE_LIBRARIES})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Convoy)
install(TARGETS convoy RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(TARGETS convoy_library EXPORT Convoy ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)

# The installed headers are those that convoy/convoy.h lists, and the headers that these include. The others are
# internal.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/convoy/convoy.h)
set(headers_to_read convoy/convoy.h)
set(public_headers "")
while(headers_to_read)
  list(POP_FRONT headers_to_read header)
  if(header IN_LIST public_headers)
    continue()
  endif()
  list(APPEND public_headers ${header})
  file(STRINGS src/${header} includes REGEX "^#include \"convoy/")
  list(TRANSFORM includes REPLACE "^#include \"([^\"]+)\".*" "\\1")
  list(APPEND headers_to_read ${includes})
endwhile()
foreach(header ${public_headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT dev)
endforeach()
install(EXPORT Convoy NAMESPACE Convoy:: FILE ConvoyTargets.cmake DESTINATION ${package_dir} COMPONENT dev)
configure_package_config_file(cmake/ConvoyConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/ConvoyConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ConvoyConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ConvoyConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/ConvoyConfigVersion.cmake
  cmake/FindOneDNN.cmake cmake/ConvoyDataLibraries.cmake cmake/ConvoyExchangeLibraries.cmake
  DESTINATION ${package_dir} COMPONENT dev)

# The program prints its own manual pages. HOME is set to no real folder, so that defaults which depend on the user are
# not those of whoever builds.
set(described ${CMAKE_CURRENT_BINARY_DIR}/described)
find_program(GZIP_PROGRAM gzip REQUIRED)
mark_as_advanced(GZIP_PROGRAM)
add_custom_command(OUTPUT ${described}/done
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${described}
  COMMAND ${CMAKE_COMMAND} -E env --unset=XDG_DATA_HOME HOME=/nonexistent $<TARGET_FILE:convoy> manual
    --out ${described}/man1
  # -n leaves out name and time, so that the same pages give the same bytes.
  COMMAND ${GZIP_PROGRAM} -9 -n -r ${described}/man1
  COMMAND ${CMAKE_COMMAND} -E make_directory ${described}/completions
  COMMAND $<TARGET_FILE:convoy> completion bash > ${described}/completions/convoy
  COMMAND ${CMAKE_COMMAND} -E touch ${described}/done
  DEPENDS convoy COMMENT "Manual pages and completion" VERBATIM)
add_custom_target(convoy_described ALL DEPENDS ${described}/done)
install(DIRECTORY ${described}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT runtime)
install(FILES ${described}/completions/convoy DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  COMPONENT runtime)

# Same folders as in the sources, so that links between the pages work.
set(doc_dir ${CMAKE_INSTALL_DATADIR}/doc/convoy)
install(FILES README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${doc_dir} COMPONENT runtime)
install(DIRECTORY docs DESTINATION ${doc_dir} COMPONENT runtime)
install(DIRECTORY examples DESTINATION ${doc_dir} COMPONENT dev)
