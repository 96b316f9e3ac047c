#include "sightline/tests/support/graphviz.h"

#include <sys/wait.h>

#include <cstdlib>

#include "sightline/tests/support/support.h"

namespace sightline::testing {

Layout LayOut(const std::string& dot, const std::string& options) {
  const TempDir dir;
  WriteFileOrDie(dir.File("graph.dot"), dot);
  const std::string command = "dot -Tsvg " + options + " '" + dir.File("graph.dot") + "' >'" +
                              dir.File("graph.svg") + "' 2>'" + dir.File("messages") + "'";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadFileOrDie(dir.File("graph.svg")),
          ReadFileOrDie(dir.File("messages"))};
}

}  // namespace sightline::testing
