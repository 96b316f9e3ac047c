# cmake -D FOLDER=... -D OUTPUT=... -P embed_files.cmake
# Writes a C++ source that defines EmbeddedFiles() (dashboard/http/static_files.h) with every file of FOLDER.
file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT files)
set(arrays "")
set(table "")
set(number 0)
foreach(file IN LISTS files)
  file(READ ${FOLDER}/${file} hex HEX)
  string(LENGTH "${hex}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "const char kFile${number}[] = {${bytes}'\\0'};\n")
  string(APPEND table "    {\"/${file}\", {kFile${number}, ${length}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Made by cmake/embed_files.cmake.
#include <array>

#include \"sightline/dashboard/http/static_files.h\"

namespace sightline::dashboard {
namespace {

${arrays}
const StaticFile kFiles[] = {
${table}};

}  // namespace

std::span<const StaticFile> EmbeddedFiles() { return kFiles; }

}  // namespace sightline::dashboard
")
