# How every target of the project is built.

# One set of flags for all of our code: warnings are errors, and no contraction of a*b+c to FMA, since bucket
# edges and stretched pixels must equal MindSpore's bit for bit on every target. With SIGHTLINE_UNITY a name of one file
# may be a parameter's in the next.
add_library(sightline_flags INTERFACE)
target_compile_options(sightline_flags INTERFACE
  -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:${SIGHTLINE_UNITY}>>:-Wshadow> -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wswitch-enum -ffp-contract=off $<$<BOOL:${SIGHTLINE_WERROR}>:-Werror>)
# GCC 12 sees overlapping copies inside std::string where there are none (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(sightline_flags INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees uses of uninitialized memory in the sanitizers' own code in <regex> and, with -O3, in members that
  # have initializers. The dev build keeps the warning.
  target_compile_options(sightline_flags INTERFACE
    $<$<OR:$<BOOL:${SIGHTLINE_SANITIZE}>,$<CONFIG:Release>>:-Wno-maybe-uninitialized>
    $<$<BOOL:${SIGHTLINE_UNITY}>:-Wno-subobject-linkage>) # It takes sources that are included for headers.
endif()
if(SIGHTLINE_BUILD_PYTHON AND NOT CMAKE_CROSSCOMPILING) # tools/release.sh compiles program and modules alike.
  # The extension modules take in only what they use, and call other libraries without a detour.
  target_compile_options(sightline_flags INTERFACE -ffunction-sections -fdata-sections -fno-plt)
endif()
if(SIGHTLINE_SANITIZE)
  list(JOIN SIGHTLINE_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if("thread" IN_LIST SIGHTLINE_SANITIZE)
    # With the macro, Protocol Buffers' headers give maps two more members than the library that Debian built
    # without it. libstdc++ needs to know all the same.
    add_compile_options(-U__SANITIZE_THREAD__ -D_GLIBCXX_TSAN=1 -DSIGHTLINE_THREAD_SANITIZER=1)
  endif()
  add_link_options(-fsanitize=${sanitizers})
  if("thread" IN_LIST SIGHTLINE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Its run-time library is linked statically with an operator new; a test that counts allocations has its own.
    add_link_options(-Wl,-z,muldefs)
  endif()
endif()
if(SIGHTLINE_BUILD_FUZZERS)
  # Profiles too: tests/fuzz/run.sh prints which lines the targets reach.
  add_compile_options(-fsanitize=fuzzer-no-link -fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

# Sources say "sightline/<folder>/<header>", as installed headers are spelled; this folder of links makes it so.
set(SIGHTLINE_INCLUDE_DIR ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${SIGHTLINE_INCLUDE_DIR}/sightline)

# sightline_add_library(<folder> SOURCES a.cc ... HEADERS a.h ... [PUBLIC lib ...] [PRIVATE lib ...] [PROGRAM])
# One library a folder or room: <folder> is its path, recorder/journal, the target sightline_recorder_journal, its alias
# Sightline::recorder_journal. HEADERS are the public ones. Without SOURCES it is the sum of the libraries that it links. A PROGRAM
# library is a part of the program `sightline`, or of libsightline.so, and is not installed.
function(sightline_add_library folder)
  cmake_parse_arguments(ARG "PROGRAM" "" "SOURCES;HEADERS;PUBLIC;PRIVATE" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  set(target sightline_${name})
  if(ARG_SOURCES)
    add_library(${target} STATIC ${ARG_SOURCES})
    target_include_directories(${target} PUBLIC
      $<BUILD_INTERFACE:${SIGHTLINE_INCLUDE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_link_libraries(${target} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE} $<BUILD_INTERFACE:sightline_flags>)
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${ARG_PUBLIC})
  endif()
  add_library(Sightline::${name} ALIAS ${target})
  if(NOT folder MATCHES "/") # Its rooms lie within.
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${SIGHTLINE_INCLUDE_DIR}/sightline/${folder} SYMBOLIC)
  endif()
  if(ARG_PROGRAM)
    return()
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT SightlineTargets)
  foreach(header IN LISTS ARG_HEADERS)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sightline/${folder})
  endforeach()
endfunction()

# sightline_add_test(<name> SOURCES x_test.cc ... [LIBS lib ...] [TIMEOUT seconds] [LABELS label ...] [WHOLE])
# One program a folder; ctest shows each case. With WHOLE, and under a sanitizer, whose processes start slowly, it shows
# each program. What forks, kills, sets limits or replaces operator new is a program of its own.
# What has threads carries the label `threads`: the thread sanitizer runs these alone, built by the target threads_tests.
add_custom_target(threads_tests)
function(sightline_add_test name)
  cmake_parse_arguments(ARG "WHOLE" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)  # For tests that hang; the longest take minutes under a sanitizer on a busy machine.
    set(ARG_TIMEOUT 900)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} sightline_test_support GTest::gmock_main sightline_flags)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    # The code under test stays optimised. The tests' own code compiles in half the time without.
    target_compile_options(${name} PRIVATE -O0)
  endif()
  if("threads" IN_LIST ARG_LABELS)
    add_dependencies(threads_tests ${name})
  endif()
  if(SIGHTLINE_SANITIZE OR ARG_WHOLE)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
  else()
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 300 TEST_PREFIX ${name}.
      PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
  endif()
endfunction()
