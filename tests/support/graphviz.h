// The real graphviz, for tests of drawings.
#pragma once

#include <string>

namespace sightline::testing {

struct Layout {
  int exit_code = -1;
  std::string svg;
  std::string messages;  // What graphviz said of it: warnings and errors.
};

// Lays a .dot text out, as `dot -Tsvg` does with these further options.
Layout LayOut(const std::string& dot, const std::string& options = "");

}  // namespace sightline::testing
