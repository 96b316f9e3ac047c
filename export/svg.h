// Pictures of graphs: .dot text laid out by graphviz, where that is installed.
//
//   const Result<std::string> svg = MakeSvg(ir::PrintDot(drawing));
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

struct SvgOptions {
  // Graphviz' program: a path, or a name that is looked for in PATH.
  std::string program = "dot";
  // It is stopped then: some graphs take hours.
  std::chrono::milliseconds time_limit = std::chrono::seconds(60);
};

// An SVG document. Runs graphviz as a process of its own, without a shell, and waits for it.
// kNotFound when it is not installed, kUnavailable when it did not finish in time,
// kInvalidArgument with its message when it refuses the text, kIoError for anything else of the
// operating system. Callable from any thread.
Result<std::string> MakeSvg(std::string_view dot, const SvgOptions& options = {});

}  // namespace sightline
