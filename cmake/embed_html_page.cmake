# cmake -D FOLDER=... -D OUTPUT=... -P embed_html_page.cmake
# Writes a C++ source that defines what export/runs/html_page.h declares, from FOLDER/charts.css and FOLDER/charts.js.
foreach(file IN ITEMS css js)
  file(READ ${FOLDER}/charts.${file} hex HEX)
  string(LENGTH "${hex}" length)
  math(EXPR ${file}_size "${length} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," ${file} "${hex}")
endforeach()
file(WRITE ${OUTPUT} "// Made by cmake/embed_html_page.cmake.
#include \"sightline/export/runs/html_page.h\"

namespace sightline {
namespace {

const char kStyle[] = {${css}'\\0'};
const char kScript[] = {${js}'\\0'};

}  // namespace

const std::string_view kHtmlStyle(kStyle, ${css_size});
const std::string_view kHtmlScript(kScript, ${js_size});

}  // namespace sightline
")
