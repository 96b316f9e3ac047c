// A run of another recorder's file, which is in memory, and what tests of each kind hold of it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "sightline/runs/model/run.h"
#include "sightline/tests/runs/reading_ways.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

class TranslatedRun {
 protected:
  void Put(const std::string& name, const std::string& bytes) { fs_.Put("run/" + name, bytes); }
  // Valid until the next call.
  const Run& Open() {
    auto run = Run::Open("run", {.file_system = &fs_});
    EXPECT_THAT(run, IsOk());
    run_ = *std::move(run);
    return *run_;
  }

  MemoryFileSystem fs_;
  std::shared_ptr<const Run> run_;
};

// The run has the scalars that a script logged: {"loss": [[step, value], ...], ...}. Values that
// are not finite are texts.
inline void ExpectScalars(const Run& run, const nlohmann::json& expected) {
  for (const auto& [tag, points] : expected.items()) {
    const Series* const series = run.Find(ContentKind::kScalar, tag);
    ASSERT_NE(series, nullptr) << tag;
    ASSERT_EQ(series->size(), points.size()) << tag;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto& logged = points[i][1];
      const double value =
          logged.is_number() ? logged.get<double>() : std::stod(logged.get<std::string>());
      EXPECT_EQ(series->steps()[i], points[i][0].get<std::int64_t>());
      EXPECT_GT(series->wall_times()[i], 1.7e9);
      EXPECT_TRUE(series->values()[i] == value ||
                  (std::isnan(value) && std::isnan(series->values()[i])))
          << tag << " " << i;
    }
  }
}

// All ways to read the file show the same, also where a bit is wrong.
inline void ExpectSameInAllWays(const std::string& name, const std::string& bytes, int rounds) {
  std::mt19937 random(1);
  for (int round = 0; round < rounds; ++round) {
    std::string choices(64, '\0');
    for (char& c : choices) c = static_cast<char>(random());
    std::string file = bytes;
    char& byte = file[random() % file.size()];
    if (round % 2 == 1) byte = static_cast<char>(byte ^ (1 << (random() % 8)));
    Choices chosen(choices);
    const TempDir index;
    EXPECT_EQ(DifferenceOfWays({{name, file}}, chosen, index.path()), "") << round;
  }
}

}  // namespace sightline::testing
