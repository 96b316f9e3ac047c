// Counts a module's statements by operator and result, its casts, communication and recomputation.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

struct OperatorStatistics {
  std::string name;  // CalleeName of summary.h.
  std::uint64_t count = 0;
  std::uint64_t recomputed = 0;  // With the attribute "recompute: Bool(1)".
  // How many statements have each result: "Float32 (2, 4)" for a tensor, "Int64" for a number,
  // otherwise the type's name, "Tuple". Statements without types are left out.
  std::map<std::string, std::uint64_t> results;
  // Statements by the element types of their operands that are tensors or numbers, in order and
  // each once: "Float32", "Float32 + Float16". Statements without such operands are left out.
  std::map<std::string, std::uint64_t> operand_types;
};

// A communication operator and the group of devices that it runs in.
struct CommunicationStatistics {
  std::string name;
  std::string group;  // The attribute, without quotes; empty if there is none.
  std::uint64_t count = 0;
};

struct Statistics {
  std::vector<OperatorStatistics> operators;  // The most frequent first, then by name.
  // Casts by the element types before and after; if both are equal, the cast changes nothing.
  std::map<std::pair<std::string, std::string>, std::uint64_t> casts;
  std::vector<CommunicationStatistics> communication;  // By name and group.
  std::uint64_t recomputed = 0;                        // Of all statements.
};

Statistics CountOperators(const Module& module);

}  // namespace sightline::ir
