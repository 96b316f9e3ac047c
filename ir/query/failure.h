// The content of analyze_fail.ir: the report before the graphs, and the statements through which
// the evaluation reached the one that failed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

struct Failure {
  // A part of the report: "Caught exception", "C++ Call Stack".
  struct Part {
    std::string title;
    std::string text;  // Lines, without a newline at the end.
  };
  // A statement that was being evaluated; each was reached from the one before.
  struct Step {
    std::uint32_t position = 0;  // In the stack; 0 is the first.
    std::uint32_t subgraph = 0;
    std::uint32_t node = 0;
  };

  std::vector<Part> report;
  std::vector<Step> stack;  // By position; the last statement is the one that failed.
};

// Both parts are empty for other dumps.
Failure FindFailure(const Module& module);

}  // namespace sightline::ir
