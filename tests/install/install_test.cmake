# Installs BUILD_DIR into a new prefix below WORK_DIR, builds consumer/ against it, and runs its programs.
function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${WORK_DIR} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} -D PAGE=${CMAKE_CURRENT_LIST_DIR}/../../README.md -D LANGUAGE=cpp -D OUTPUT=readme.cc
  -P ${CMAKE_CURRENT_LIST_DIR}/../docs/extract_code.cmake)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B build -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${CXX_COMPILER} -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix -D EXPECTED_VERSION=${VERSION}
  -D README_EXAMPLE=${WORK_DIR}/readme.cc)
run(${CMAKE_COMMAND} --build build)
run(build/consumer recording)
run(build/readme)
