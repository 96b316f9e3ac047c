// A dump's nodes for the terminal, and the option --path-map that says where their sources are.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "sightline/ir/model/location.h"
#include "sightline/ir/report/node_text.h"
#include "sightline/ir/report/path_map.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {

// --path-map OLD=NEW. `paths` must outlive the parsing.
void AddPathMapOption(CLI::App& command, ir::PathMap& paths);

// "/home/user/net.py:12  x = self.fc(x)", the path as `paths` maps it.
std::string PlaceText(const ir::Location& location, const ir::PathMap& paths);

// A page about a node: attributes by group, types, producers, users, the stack of source lines.
std::string NodeCard(const ir::NodeText& text, std::uint32_t node, const ir::PathMap& paths,
                     const Style& style);

}  // namespace sightline
