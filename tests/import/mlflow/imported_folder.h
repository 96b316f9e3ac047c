// An import into a folder, and the runs in it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/import/mlflow/import_report.h"
#include "sightline/runs/model/run.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

class ImportedFolder : public ::testing::Test {
 protected:
  // A folder for an output, which is empty.
  std::string Out() const { return dir_.File("out"); }
  std::shared_ptr<const sightline::Run> Open(const std::string& name) const {
    const auto run = sightline::Run::Open(Out() + "/" + name);
    EXPECT_THAT(run, IsOk()) << name;
    return run ? *run : nullptr;
  }

  // tests/corpus/mlflow/expected.json: the points of every series of these runs.
  void ExpectTheLoggedPoints() const {
    const auto expected = nlohmann::json::parse(ReadFileOrDie(CorpusPath("mlflow/expected.json")));
    const std::pair<const char*, const char*> folders[] = {{"first run", "digits/first run"},
                                                           {"a/b ü", "digits/a_b ü"},
                                                           {"still open", "words/still open"}};
    ASSERT_EQ(expected.size(), std::size(folders));
    for (const auto& [name, folder] : folders) {
      const auto run = Open(folder);
      ASSERT_NE(run, nullptr);
      for (const auto& [tag, points] : expected.at(name).items()) {
        const Series* const series = run->Find(ContentKind::kScalar, tag);
        ASSERT_NE(series, nullptr) << tag;
        ExpectPoints(*series, points);
      }
    }
  }

  TempDir dir_;

 private:
  // points: [step, milliseconds, value], in the order of the calls.
  static void ExpectPoints(const Series& series, std::vector<nlohmann::json> points) {
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
      return a[0].template get<std::int64_t>() < b[0].template get<std::int64_t>();
    });
    ASSERT_EQ(series.size(), points.size()) << series.key().tag;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto& value = points[i][2];
      const double number =
          value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
      EXPECT_EQ(series.steps()[i], points[i][0].get<std::int64_t>());
      EXPECT_EQ(std::llround(series.wall_times()[i] * 1000), points[i][1].get<std::int64_t>());
      if (std::isnan(number)) {
        EXPECT_TRUE(std::isnan(series.values()[i]));
      } else {
        EXPECT_EQ(series.values()[i], number) << series.key().tag;
      }
    }
  }
};

}  // namespace sightline::testing
