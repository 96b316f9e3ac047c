// Configurations of a SummaryMonitor as a few lines of YAML, and what becomes of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>

#include "sightline/collectors/config/summary_config.h"

namespace sightline::testing {

// A configuration whose SummaryMonitor has these lines.
inline std::string With(std::string_view lines) {
  std::string yaml = "callbacks:\n  - type: SummaryMonitor\n";
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    yaml += "    " + std::string(lines.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return yaml;
}

inline SummaryConfig Read(std::string_view lines) {
  auto config = ParseSummaryConfig(With(lines));
  EXPECT_TRUE(config.has_value()) << config.error().message();
  return config ? *std::move(config) : SummaryConfig();
}

inline std::string FaultOf(std::string_view yaml) {
  const auto config = ParseSummaryConfig(yaml);
  return std::string(config ? "no fault" : config.error().message());
}
// The faults of these lines of a SummaryMonitor, without the "line N: " in front of each.
inline std::string Fault(std::string_view lines) {
  return std::regex_replace(FaultOf(With(lines)), std::regex("(^|\n)line [0-9]+: "), "$1");
}

}  // namespace sightline::testing
