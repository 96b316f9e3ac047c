// A comparison of two runs as `compare` prints it. Plain functions; one thread.
#pragma once

#include <cstddef>
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

// "2 %"
std::string PercentText(double share);

// For a terminal: styled as standard output can be.
std::string ComparisonText(const ComparisonReport& report);
// GitHub's Markdown. Names are in it as text, whatever signs they have.
std::string ComparisonMarkdown(const ComparisonReport& report);
// One object, with every tag and rank (docs/compare.md).
std::string ComparisonJson(const ComparisonReport& report);

}  // namespace sightline
