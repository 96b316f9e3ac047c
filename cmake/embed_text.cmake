# cmake -D FILE=... -D HEADER=... -D NAME=... -D OUTPUT=... -P embed_text.cmake
# Writes a C++ source that defines the string NAME, which HEADER declares: the text of FILE.
file(READ ${FILE} hex HEX)
string(LENGTH "${hex}" length)
math(EXPR size "${length} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
file(WRITE ${OUTPUT} "// Made by cmake/embed_text.cmake.
#include \"${HEADER}\"

namespace sightline {
namespace {

const char kText[] = {${bytes}'\\0'};

}  // namespace

const std::string_view ${NAME}(kText, ${size});

}  // namespace sightline
")
