// Variables of the environment. Not while another thread changes them.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace sightline {

// Empty: the variable is not set, or is empty.
inline std::string EnvironmentVariable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Whether a switch is on: its variable is neither empty nor "0".
inline bool IsSwitchedOn(const char* name) {
  const std::string value = EnvironmentVariable(name);
  return !value.empty() && value != "0";
}

// All of them: "NAME=value".
inline std::vector<std::string> EnvironmentVariables() {
  std::vector<std::string> variables;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) variables.emplace_back(*at);
  return variables;
}

}  // namespace sightline
