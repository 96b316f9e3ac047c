#include "sightline/tools/cli/run/say.h"

#include <unistd.h>

#include "sightline/tools/cli/terminal/terminal_output.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {

void SayOfRun(const std::string& line) {
  // A raw terminal makes no line ends.
  const char* const line_end = isatty(STDERR_FILENO) == 1 ? "\r\n" : "\n";
  WriteToTerminal("sightline run: " + Printable(line) + line_end);
}

}  // namespace sightline
