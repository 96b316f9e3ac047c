# SIGHTLINE_UNITY: sources of a target are compiled as one file where this is possible, so that their common headers are
# read once. It saves about half of the compile time, but after a change of one source its whole group is compiled. It is for
# builds from nothing (tools/test.sh). tools/source_groups.py tells which sources can be one file, by their names.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

function(sightline_targets_below folder result)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    sightline_targets_below(${below} more)
    list(APPEND targets ${more})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

sightline_targets_below(${PROJECT_SOURCE_DIR} targets)
set(lines "")
foreach(target IN LISTS targets)
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "STATIC_LIBRARY|EXECUTABLE" OR target MATCHES "^nanobind") # Which is compiled in a way of its own.
    continue()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if("GTest::gmock_main" IN_LIST libraries AND NOT target STREQUAL "base_tests")
    target_precompile_headers(${target} REUSE_FROM base_tests)
  elseif(type STREQUAL "STATIC_LIBRARY" AND NOT target MATCHES "^sightline_(base|proto)$")
    target_precompile_headers(${target} REUSE_FROM sightline_base)
  endif()
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${source} generated)
    if(source MATCHES "[.]cc$" AND NOT generated)
      string(APPEND lines "${target} ${source}\n")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    endif()
  endforeach()
endforeach()

file(WRITE ${PROJECT_BINARY_DIR}/unity_sources.txt "${lines}")
execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/source_groups.py
  INPUT_FILE ${PROJECT_BINARY_DIR}/unity_sources.txt OUTPUT_VARIABLE lines
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" lines "${lines}")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([^ ]+) ([^ ]+) (.+)$" line "${line}")
  set_source_files_properties(${CMAKE_MATCH_3} TARGET_DIRECTORY ${CMAKE_MATCH_1} PROPERTIES
    UNITY_GROUP "${CMAKE_MATCH_1}_${CMAKE_MATCH_2}")
endforeach()

# The headers that nearly all sources include are compiled once for the libraries, and once for the tests. This requires
# equal flags; RE2 asks for -pthread, others do not.
target_compile_options(sightline_flags INTERFACE -pthread)
target_precompile_headers(sightline_base PRIVATE <algorithm> <cmath> <filesystem> <functional> <map> <memory> <optional>
  <span> <string> <string_view> <vector> <nlohmann/json.hpp>)
if(TARGET base_tests)
  target_precompile_headers(base_tests PRIVATE <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp>)
endif()

# The program's sources cannot be one file, since each uses the same names for its help and its options. They are thin, and most of
# their time is the parser of the command line: it is read once, and compiled without optimisation.
target_precompile_headers(sightline PRIVATE <CLI/CLI.hpp> <nlohmann/json.hpp>)
target_compile_options(sightline PRIVATE -O0)
