// Counts of a module's elements.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

struct Summary {
  std::uint64_t subgraphs = 0;
  std::uint64_t parameters = 0;  // Of the entry graph, as the header lists them.
  std::uint64_t statements = 0;  // Nodes and returns.
  // Source lines below statements. Those above a subgraph do not count.
  std::uint64_t location_lines = 0;
  // How many statements call each callee (CalleeName). Their sum is `statements`.
  std::map<std::string, std::uint64_t, std::less<>> callees;
  std::uint64_t actors = 0;
  std::uint64_t sections = 0;

  bool operator==(const Summary&) const = default;
};

// A primitive's printed name, "Return", or the kind of another call: "call" (call @G), "closure"
// (%3(...)), "xclosure" ($(@G:x)(...)), "paramcall" (NAME[@G](...)), "meta" (NAME{...}).
std::string_view CalleeName(const Module& module, const Node& node);

Summary Summarize(const Module& module);

// Whether the file is a dump: whether at least one line of it could be explained.
bool HoldsDump(const Module& module);

// "line 3, column 1: not a line of a dump"
std::string ToText(const Problem& problem);

}  // namespace sightline::ir
