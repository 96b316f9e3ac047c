# Installs the C interface alone into ~/sightline of a new home below WORK_DIR, and builds the trainers of docs/sdk.md as the
# page says: by CMake, by pkg-config with each library, and by Make.
include(${CMAKE_CURRENT_LIST_DIR}/page_project.cmake)

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
set(ENV{HOME} ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --component sdk --prefix ${WORK_DIR}/sightline)
extract(docs/sdk.md cmake ${WORK_DIR}/CMakeLists.txt)
extract(docs/sdk.md cpp ${WORK_DIR}/trainer.cc)
extract(docs/sdk.md c ${WORK_DIR}/trainer.c)
extract(docs/sdk.md sh ${WORK_DIR}/compile.sh)
extract(docs/sdk.md make ${WORK_DIR}/Makefile)

# Runs a trainer, and holds that its run has files.
function(train program directory)
  file(REMOVE_RECURSE ${WORK_DIR}/${directory})
  run(${program})
  file(GLOB recorded ${WORK_DIR}/${directory}/events.out.*)
  if(NOT recorded)
    message(FATAL_ERROR "${program} recorded nothing into ${directory}")
  endif()
endfunction()

build(${WORK_DIR} build -D CMAKE_PREFIX_PATH=${WORK_DIR}/sightline -D CMAKE_C_COMPILER=${C_COMPILER}
  "-D CMAKE_C_FLAGS=-Wall -Wextra -pedantic -Werror" "-D CMAKE_CXX_FLAGS=-Wall -Wextra -pedantic -Werror")
train(build/trainer sdk_run)
train(build/trainer_c sdk_c_run)

if(EXISTS ${WORK_DIR}/sightline/lib/libsightline.a) # Else the line with the archive has none.
  run(sh -e compile.sh)
  train(./trainer sdk_run)
  train(./trainer_c sdk_c_run)
  file(REMOVE ${WORK_DIR}/trainer)
endif()

set(ENV{PKG_CONFIG_PATH} ${WORK_DIR}/sightline/lib/pkgconfig)
run(make trainer)
train(./trainer sdk_run)

# The schemas of messages can be compiled.
run(protoc -I sightline/share --cpp_out=. sightline/share/sightline/proto/mindspore_graph.proto
  sightline/share/sightline/proto/mindspore_lineage.proto sightline/share/sightline/proto/landscape.proto
  sightline/share/sightline/proto/tensorboard.proto)
