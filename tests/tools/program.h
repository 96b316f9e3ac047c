// Runs the program, as people run it. SIGHTLINE_PROGRAM is its path.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"

namespace sightline::testing {

struct Ran {
  int exit_code = -1;
  std::string out;
  std::string err;
};

inline Ran RunProgram(const std::vector<std::string>& arguments) {
  const TempDir dir;
  // Leaves the user's cache alone.
  std::string command = "XDG_CACHE_HOME='" + dir.path() + "' " + SIGHTLINE_PROGRAM;
  for (const std::string& argument : arguments) command += " '" + argument + "'";
  command += " 2>'" + dir.File("stderr") + "'";
  Ran ran;
  std::FILE* pipe = popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  char buffer[65536];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;)
    ran.out.append(buffer, got);
  const int status = pclose(pipe);
  EXPECT_TRUE(WIFEXITED(status)) << command;
  ran.exit_code = WEXITSTATUS(status);
  ran.err = ReadFileOrDie(dir.File("stderr"));
  return ran;
}

// JSON, one value a line.
inline std::vector<nlohmann::json> Lines(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

}  // namespace sightline::testing
