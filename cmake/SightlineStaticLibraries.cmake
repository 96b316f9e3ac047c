# The Python package contains the libraries that it needs, if tools/setup.sh --static has built them. A wheel then works on
# machines without them, and in processes that load other versions of them. A library that was not built in this way is
# linked as the system's shared library.
include(SightlineFindStatic)

# sightline_link_statically(<imported target> <library> <Debian package> [lib ...]): `lib`, what the archive itself needs.
function(sightline_link_statically target library package)
  sightline_find_static(${library} ${package} archive)
  if(NOT archive) # It said so.
    return()
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY) # One of pkg-config.
    # A target, so that CMake puts what the archive needs after it.
    add_library(sightline_static_${library} STATIC IMPORTED GLOBAL)
    set_target_properties(sightline_static_${library} PROPERTIES
      IMPORTED_LOCATION ${archive} INTERFACE_LINK_LIBRARIES "${ARGN}")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES sightline_static_${library})
    return()
  endif()
  get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
  foreach(configuration IN LISTS configurations ITEMS RELEASE)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${configuration} ${archive})
  endforeach()
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${archive})
endfunction()

sightline_link_statically(protobuf::libprotobuf protobuf libprotobuf-dev)
sightline_link_statically(fmt::fmt fmt libfmt-dev)
sightline_link_statically(yaml-cpp yaml-cpp libyaml-cpp-dev)
sightline_link_statically(hwy::hwy hwy libhwy-dev)
sightline_link_statically(PkgConfig::SPNG spng libspng-dev ZLIB::ZLIB m)
sightline_link_statically(PkgConfig::ISAL isal libisal-dev)
sightline_link_statically(PkgConfig::RE2 re2 libre2-dev Threads::Threads)
# Debian's own archives of these are position independent.
find_library(SIGHTLINE_PCRE2_ARCHIVE libpcre2-8.a)
if(SIGHTLINE_PCRE2_ARCHIVE)
  set_target_properties(PkgConfig::PCRE2 PROPERTIES INTERFACE_LINK_LIBRARIES "${SIGHTLINE_PCRE2_ARCHIVE}")
endif()
find_library(SIGHTLINE_SQLITE_ARCHIVE libsqlite3.a)
if(SIGHTLINE_SQLITE_ARCHIVE)
  set_target_properties(PkgConfig::SQLITE PROPERTIES
    INTERFACE_LINK_LIBRARIES "${SIGHTLINE_SQLITE_ARCHIVE};Threads::Threads;m")
endif()
