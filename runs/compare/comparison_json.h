// A comparison of two runs as JSON (docs/compare.md): what `compare --json` prints and
// /api/v1/compare answers. A plain function, callable from any thread.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "sightline/runs/compare/run_comparison.h"

namespace sightline {

struct ComparisonReport {
  std::string a;  // The sides as the user named them.
  std::string b;
  double tolerance = 0;
  std::size_t like = 0;  // Runs of the kind of A.
  RunComparison found;
};

// One object, with every tag and rank.
nlohmann::ordered_json ComparisonJson(const ComparisonReport& report);

}  // namespace sightline
