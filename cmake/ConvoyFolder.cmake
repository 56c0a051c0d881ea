# convoy_unity(<target> <folder> <source>...)
#
# Compiles the sources of each sub-folder, with those below it, together in a few units: most of the time of compiling a
# small source goes into headers that its neighbours include too. So names in unnamed namespaces have to be unique
# within a sub-folder.
function(convoy_unity target folder)
  if(NOT CONVOY_UNITY)
    return()
  endif()
  set(most 40)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source ${ARGN})
    cmake_path(GET source PARENT_PATH parent)
    cmake_path(RELATIVE_PATH parent BASE_DIRECTORY ${folder} OUTPUT_VARIABLE room)
    string(REGEX REPLACE "/.*" "" room "${room}")
    string(MAKE_C_IDENTIFIER "${room}" room)
    math(EXPR part "${count_${room}} + 0")
    math(EXPR count_${room} "${part} + 1")
    math(EXPR part "${part} / ${most}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${room}${part}")
  endforeach()
endfunction()

# convoy_folder(<name> [DEPS <folder>...] [LIBS <library>...] [OBJECTS <object library>...] [EXCLUDE <file>...]
#               [TEST_PART <sub-folder>] [TESTED_WITH <library>...] [COLD])
#
# Makes the library convoy_<name> of all *.cc under src/convoy/<name> and the program <name>_test of the *_test.cc
# beside them. DEPS are other folders; whoever links this one links them too. LIBS are third-party libraries, linked
# privately. OBJECTS are libraries of this folder's sources that need compiler flags of their own; EXCLUDE names files
# that are left out. TEST_PART is a sub-folder for tests only: it becomes a library convoy_<name>_<sub-folder>, which
# neither the program nor the installed library contains. Tests of other folders that need it name it in TESTED_WITH.
# A COLD folder, whose code is never slow, is optimised less, which halves the time to compile it.
# A folder without sources is headers only.
function(convoy_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg COLD "TEST_PART" "DEPS;LIBS;OBJECTS;EXCLUDE;TESTED_WITH")
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cc)
  foreach(file ${arg_EXCLUDE})
    list(REMOVE_ITEM sources ${folder}/${file})
  endforeach()
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  if(arg_TEST_PART)
    set(test_part ${sources})
    list(FILTER test_part INCLUDE REGEX "/${name}/${arg_TEST_PART}/")
    list(FILTER sources EXCLUDE REGEX "/${name}/${arg_TEST_PART}/")
  endif()
  list(TRANSFORM arg_DEPS PREPEND convoy_)

  set(target convoy_${name})
  if(sources OR arg_OBJECTS)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC ${arg_DEPS} fmt::fmt PRIVATE convoy_compiler ${arg_LIBS})
    convoy_unity(${target} ${folder} ${sources})
    if(arg_COLD)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${arg_DEPS} fmt::fmt)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${CONVOY_SOURCE_ROOT})
  foreach(object_library ${arg_OBJECTS})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object_library}>)
    target_link_libraries(${object_library} PRIVATE ${arg_DEPS} convoy_compiler ${arg_LIBS})
    target_include_directories(${object_library} PRIVATE ${CONVOY_SOURCE_ROOT})
  endforeach()
  set_property(TARGET ${target} PROPERTY CONVOY_OBJECT_LIBRARIES ${arg_OBJECTS})

  if(CONVOY_TESTS AND arg_TEST_PART)
    add_library(${target}_${arg_TEST_PART} STATIC ${test_part})
    target_link_libraries(${target}_${arg_TEST_PART} PUBLIC ${target} PRIVATE convoy_compiler ${arg_LIBS})
    convoy_unity(${target}_${arg_TEST_PART} ${folder} ${test_part})
    list(APPEND arg_TESTED_WITH ${target}_${arg_TEST_PART})
  endif()
  if(CONVOY_TESTS AND tests)
    convoy_test(${name}_test SOURCES ${tests} LIBS ${target} ${arg_TESTED_WITH} ${arg_LIBS})
    convoy_unity(${name}_test ${folder} ${tests})
  endif()
endfunction()

# convoy_test(<name> SOURCES <file>... [LIBS <library>...]): a GoogleTest program; CTest sees each case as a test.
function(convoy_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} convoy_compiler GTest::gtest GTest::gmock GTest::gtest_main)
  # Tests are compiled more often than run, and optimising instrumented code takes long.
  if(CONVOY_SANITIZE)
    target_compile_options(${name} PRIVATE -O0)
  else()
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  # Lists the cases when testing, not when building: a crash at start-up is then a failed test and not a failed build.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120 TEST_PREFIX ${name}/
    PROPERTIES TIMEOUT 600)
  # Set in a file, not by PROPERTIES above: of a list given there, CTest sees the first entry only.
  set(environment_file ${CMAKE_CURRENT_BINARY_DIR}/${name}_environment.cmake)
  file(WRITE ${environment_file} "foreach(test IN LISTS ${name}_TESTS)
  set_tests_properties(\"\${test}\" PROPERTIES ENVIRONMENT \"${CONVOY_TEST_ENVIRONMENT}\")\nendforeach()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${environment_file})
endfunction()

# convoy_golden(<folder> <file>...): tells the test sources <file> where their golden files are, as
# CONVOY_GOLDEN_FOLDER. __FILE__ would not do: a compiler cache makes it relative. To be called in the directory that
# compiles the sources.
function(convoy_golden folder)
  set_source_files_properties(${ARGN} PROPERTIES
    COMPILE_DEFINITIONS "CONVOY_GOLDEN_FOLDER=\"${CMAKE_CURRENT_SOURCE_DIR}/${folder}\"")
endfunction()
