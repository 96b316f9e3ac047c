# What the tests of this folder share: the projects that pages of docs/ show, built as a user builds them. Each command
# runs in WORK_DIR, with GENERATOR and CXX_COMPILER, and ends the test where it fails.
set(source_dir ${CMAKE_CURRENT_LIST_DIR}/../..)

function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${WORK_DIR} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# extract(<page> <language> <output>): the block of a page that begins with ```<language>.
function(extract page language output)
  run(${CMAKE_COMMAND} -D PAGE=${source_dir}/${page} -D LANGUAGE=${language} -D OUTPUT=${output}
    -P ${source_dir}/tests/docs/extract_code.cmake)
endfunction()

# build(<source folder> <build folder> [CMake's arguments])
function(build source folder)
  run(${CMAKE_COMMAND} -S ${source} -B ${folder} -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX_COMPILER} ${ARGN})
  run(${CMAKE_COMMAND} --build ${folder})
endfunction()

# The project of docs/recorder.md.
function(extract_recording folder)
  extract(docs/recorder.md cmake ${folder}/CMakeLists.txt)
  foreach(file IN ITEMS record.cc pages.cc read.cc)
    extract(docs/recorder.md "cpp ${file}" ${folder}/${file})
  endforeach()
endfunction()

# Runs its programs; they say what the page says.
function(run_recording build)
  run(${build}/record)
  run(${build}/pages)
  execute_process(COMMAND ${build}/read recorder_run WORKING_DIRECTORY ${WORK_DIR} OUTPUT_FILE printed
    COMMAND_ERROR_IS_FATAL ANY)
  extract(docs/recorder.md text ${WORK_DIR}/expected)
  run(diff expected printed)
endfunction()
