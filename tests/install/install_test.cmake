# Installs BUILD_DIR into a new prefix below WORK_DIR, builds against it consumer/ and the projects that docs/ shows, and
# runs their programs.
include(${CMAKE_CURRENT_LIST_DIR}/page_project.cmake)

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
extract(README.md cpp ${WORK_DIR}/readme.cc)
build(${CMAKE_CURRENT_LIST_DIR}/consumer consumer -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix -D EXPECTED_VERSION=${VERSION}
  -D README_EXAMPLE=${WORK_DIR}/readme.cc)
run(consumer/consumer recording)
run(consumer/readme)

extract(docs/quickstart.md cmake ${WORK_DIR}/quickstart/CMakeLists.txt)
extract(docs/quickstart.md cpp ${WORK_DIR}/quickstart/quickstart.cc)
build(${WORK_DIR}/quickstart quickstart/build -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
run(quickstart/build/quickstart)

extract_recording(${WORK_DIR}/recording)
build(${WORK_DIR}/recording recording/build -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
run_recording(recording/build)
