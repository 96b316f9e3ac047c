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

file(MAKE_DIRECTORY ${WORK_DIR}/runs)
file(WRITE ${WORK_DIR}/runs/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(runs CXX)
find_package(Sightline REQUIRED)
add_executable(runs runs.cc)
target_link_libraries(runs PRIVATE Sightline::runs)
")
extract(docs/runs.md "cpp runs.cc" ${WORK_DIR}/runs/runs.cc)
build(${WORK_DIR}/runs runs/build -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
execute_process(COMMAND runs/build/runs recorder_run WORKING_DIRECTORY ${WORK_DIR} OUTPUT_FILE printed_runs
  COMMAND_ERROR_IS_FATAL ANY)
extract(docs/runs.md text ${WORK_DIR}/expected_runs)
run(diff expected_runs printed_runs)
