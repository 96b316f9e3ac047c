// The dumps that MindSpore wrote, for tests that hold for each of them.
//
// Without more said the folder is tests/corpus/ir; SIGHTLINE_IR_CORPUS names a larger one of the
// same form.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

inline std::string CorpusFolder() {
  const char* given = std::getenv("SIGHTLINE_IR_CORPUS");
  return given == nullptr ? CorpusPath("ir") : given;
}

// A dump of the folder, with everything a test says when it fails.
struct CorpusDump {
  std::string name;
  std::string text;
  ir::Module module;
};

inline CorpusDump ReadCorpusDump(const std::string& name) {
  CorpusDump dump{name, ReadFileOrDie(CorpusFolder() + "/" + name), {}};
  Result<ir::Module> module = ir::ParseIr(dump.text);
  EXPECT_TRUE(module) << name;
  if (module) dump.module = *std::move(module);
  return dump;
}

// Below the folder.
inline std::vector<std::string> CorpusDumpNames() {
  std::vector<std::string> names;
  const std::string folder = CorpusFolder();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().string().substr(folder.size() + 1);
    const bool dump = name.ends_with(".ir") || name.find("trace_code_graph_") != std::string::npos;
    if (entry.is_regular_file() && dump) names.push_back(name);
  }
  return names;
}

// What an independent parser counted in each dump.
inline nlohmann::json CorpusCounts() {
  return nlohmann::json::parse(ReadFileOrDie(CorpusFolder() + "/counts.json"));
}

}  // namespace sightline::testing
