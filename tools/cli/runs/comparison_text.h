// A comparison of two runs as `compare` prints it. Plain functions; one thread.
#pragma once

#include <string>

#include "sightline/runs/compare/comparison_json.h"

namespace sightline {

// "2 %"
std::string PercentText(double share);

// For a terminal: styled as standard output can be.
std::string ComparisonText(const ComparisonReport& report);
// GitHub's Markdown. Names are in it as text, whatever signs they have.
std::string ComparisonMarkdown(const ComparisonReport& report);

}  // namespace sightline
