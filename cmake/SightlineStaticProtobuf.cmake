# The Python package has Protocol Buffers within itself, where tools/setup.sh --protobuf has built it: a process may hold
# other versions of it, with symbols that everybody sees, and the wheel does not depend on the system's.
if(DEFINED ENV{XDG_CACHE_HOME})
  set(cache $ENV{XDG_CACHE_HOME})
else()
  set(cache $ENV{HOME}/.cache)
endif()
set(static_protobuf ${cache}/sightline/protobuf-${Protobuf_VERSION}/libprotobuf.a)
if(EXISTS ${static_protobuf})
  set_target_properties(protobuf::libprotobuf PROPERTIES
    IMPORTED_LOCATION ${static_protobuf} IMPORTED_LOCATION_RELEASE ${static_protobuf})
else()
  message(STATUS "Protocol Buffers: the system's shared library, since there is no ${static_protobuf} "
    "(tools/setup.sh --protobuf)")
endif()
