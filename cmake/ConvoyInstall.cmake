# What `cmake --install` gives: bin/convoy, one static library of all folders but the command line, the headers, and a
# package for find_package(Convoy).
include(CMakePackageConfigHelpers)

add_library(convoy_library STATIC)
add_library(Convoy::convoy ALIAS convoy_library)
set_target_properties(convoy_library PROPERTIES OUTPUT_NAME convoy EXPORT_NAME convoy LINKER_LANGUAGE CXX)
foreach(folder base tensor graph models kernels engine data record checkpoint optim comm sync train run study report)
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
  PRIVATE OneDNN::OneDNN OpenMP::OpenMP_CXX MPI::MPI_CXX Threads::Threads ${CONVOY_DATA_LIBRARIES})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Convoy)
install(TARGETS convoy RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS convoy_library EXPORT Convoy ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/convoy DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
  PATTERN "*_test.h" EXCLUDE PATTERN cli EXCLUDE)
install(EXPORT Convoy NAMESPACE Convoy:: FILE ConvoyTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/ConvoyConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/ConvoyConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ConvoyConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ConvoyConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/ConvoyConfigVersion.cmake
  cmake/FindOneDNN.cmake cmake/ConvoyDataLibraries.cmake
  DESTINATION ${package_dir})
