// Pictures of graphs: .dot text, laid out by graphviz, which must be installed.
//
//   const Result<std::string> svg = MakeSvg(PrintDot(drawing));
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline::ir {

struct SvgOptions {
  // Graphviz's program: a path, or a name that is looked up in PATH.
  std::string program = "dot";
  // After this time it is stopped: some graphs take hours.
  std::chrono::milliseconds time_limit = std::chrono::seconds(60);
};

// Returns an SVG document. Runs graphviz as a process, without a shell, and waits for it. kNotFound
// if it is not installed, kUnavailable if it did not finish in time, kInvalidArgument with its
// message if it refuses the text, kIoError for other failures of the operating system. Any thread.
Result<std::string> MakeSvg(std::string_view dot, const SvgOptions& options = {});

}  // namespace sightline::ir
