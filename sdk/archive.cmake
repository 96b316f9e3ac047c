# libsightline.a: one object of all that the C interface needs, other libraries included, of which only the functions of
# sightline.h are visible (make_archive.py). It is made where there is a position independent archive of each library.
include(SightlineFindStatic)

# sightline_archives_of(<target> <result>): the archives of ours that it links, itself included.
function(sightline_archives_of target result)
  get_target_property(type ${target} TYPE)
  get_target_property(imported ${target} IMPORTED)
  if(imported OR target MATCHES "_flags$")
    return()
  endif()
  get_target_property(name ${target} ALIASED_TARGET)
  if(NOT name)
    set(name ${target})
  endif()
  if(name IN_LIST ${result})
    return()
  endif()
  list(APPEND ${result} ${name})
  foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(libraries ${name} ${property})
    string(REGEX REPLACE "\\$<[A-Z_]+:([^>]*)>" "\\1" libraries "${libraries}")
    foreach(library IN LISTS libraries)
      if(TARGET ${library})
        sightline_archives_of(${library} ${result})
      endif()
    endforeach()
  endforeach()
  set(${result} ${${result}} PARENT_SCOPE)
endfunction()

# Libraries of others.
set(archives)
foreach(library IN ITEMS "protobuf libprotobuf-dev" "fmt libfmt-dev" "yaml-cpp libyaml-cpp-dev" "hwy libhwy-dev"
                         "spng libspng-dev" "isal libisal-dev" "re2 libre2-dev")
  separate_arguments(library)
  sightline_find_static(${library} archive)
  if(NOT archive)
    message(STATUS "libsightline.a is not made")
    return()
  endif()
  list(APPEND archives ${archive})
endforeach()
foreach(library IN ITEMS pcre2-8 sqlite3 z)
  find_library(SIGHTLINE_ARCHIVE_OF_${library} lib${library}.a)
  if(NOT SIGHTLINE_ARCHIVE_OF_${library})
    message(STATUS "libsightline.a is not made: there is no lib${library}.a")
    return()
  endif()
  list(APPEND archives ${SIGHTLINE_ARCHIVE_OF_${library}})
endforeach()

set(ours)
sightline_archives_of(sightline_sdk ours)
list(REMOVE_ITEM ours sightline_sdk)
foreach(target IN LISTS ours)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    list(PREPEND archives $<TARGET_FILE:${target}>)
  endif()
endforeach()

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(sightline_archive ${CMAKE_CURRENT_BINARY_DIR}/libsightline.a)
set(sightline_object ${CMAKE_CURRENT_BINARY_DIR}/libsightline.o)
add_custom_command(OUTPUT ${sightline_archive} ${sightline_object}
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/make_archive.py
    --ld ${CMAKE_LINKER} --objcopy ${CMAKE_OBJCOPY} --ar ${CMAKE_AR}
    ${sightline_archive} $<TARGET_OBJECTS:sightline_sdk> ${archives}
  DEPENDS make_archive.py sightline_sdk ${ours} $<TARGET_OBJECTS:sightline_sdk>
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(sightline_c_archive ALL DEPENDS ${sightline_archive})

# What a program links beside it: the C++ compiler's run-time library and the C library's parts.
add_library(sightline_c_static INTERFACE)
add_library(Sightline::c_static ALIAS sightline_c_static)
add_dependencies(sightline_c_static sightline_c_archive)
target_include_directories(sightline_c_static INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(sightline_c_static INTERFACE ${sightline_archive} stdc++ m dl pthread)
