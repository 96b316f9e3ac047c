// Conditions that choose nodes of a dump: by operator, name, attribute, scope, parameter and
// source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/ir/model/location.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::ir {

// Whether `text` is `pattern`, in which "*" stands for any text and "?" for any byte.
bool MatchesPattern(std::string_view pattern, std::string_view text);

// A node matches if it meets every condition that is given. Texts are patterns.
struct NodeFilter {
  std::optional<std::string> callee =
      std::nullopt;  // "MatMul": also of "PrimFunc_MatMul"; kinds as "call".
  std::optional<std::string> name = std::nullopt;             // "CNode_12"
  std::optional<std::string> attribute = std::nullopt;        // A key.
  std::optional<std::string> attribute_value = std::nullopt;  // Of that key.
  std::optional<std::string> scope =
      std::nullopt;  // A scope that the node is in: "Default/*/conv1-*".
  std::optional<std::string> parameter = std::nullopt;  // The name of a parameter that it takes.
  std::optional<std::string> file =
      std::nullopt;  // The end of a source path: "net.py", "models/net.py".
  // A line of that file: that of the node's own statement, or of a call that leads to it. Functions
  // and other statements with a body count as their first line only.
  std::optional<std::uint32_t> line = std::nullopt;
  std::optional<std::string> subgraph = std::nullopt;  // The subgraph that the node is of.
};

// The innermost of the node's source lines that matches file and line. Views into the module's
// texts.
std::optional<Location> MatchedLocation(const Module& module, std::uint32_t node,
                                        const NodeFilter& filter);

bool Matches(const Module& module, const Dataflow& flow, std::uint32_t node,
             const NodeFilter& filter);

}  // namespace sightline::ir
