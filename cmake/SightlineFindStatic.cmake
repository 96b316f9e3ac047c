# Archives of the libraries that we link: position independent ones, which tools/setup.sh --static has built, or Debian's
# own where those are position independent, too.
if(DEFINED ENV{XDG_CACHE_HOME})
  set(static_cache $ENV{XDG_CACHE_HOME}/sightline)
else()
  set(static_cache $ENV{HOME}/.cache/sightline)
endif()

# sightline_find_static(<library> <Debian package> <result>): where its archive is, if there is one that tools/setup.sh
# has built for the version of the package, and where it would be.
function(sightline_find_static library package result)
  execute_process(COMMAND dpkg-query -Wf "\${Version}" ${package}
    OUTPUT_VARIABLE version ERROR_QUIET RESULT_VARIABLE failed)
  string(REPLACE ":" "_" version "${version}")
  set(archive ${static_cache}/static-${library}-${version}/lib${library}.a)
  if(failed OR NOT EXISTS ${archive})
    message(STATUS "${library}: there is no ${archive} (tools/setup.sh --static)")
    set(archive)
  endif()
  set(${result} ${archive} PARENT_SCOPE)
endfunction()
