// Files of the real programs: every value of the model against the twins that the programs' own
// protobuf classes wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sightline/runs/model/run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using nlohmann::json;
using testing::IsOk;

double NumberOf(const json& number) {
  if (number.is_number()) return number.get<double>();
  const auto text = number.get<std::string>();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return text.starts_with("-") ? -infinity : infinity;
}

// For each tag: the steps and the twin's values, in the order of the file.
using Twin = std::map<std::string, std::vector<std::pair<std::int64_t, json>>>;

// Adds the values of a twin; returns how many events of other kinds there are.
void AddTwin(const std::string& path, Twin& twin) {
  for (const json& event : json::parse(testing::ReadFileOrDie(path))) {
    if (!event.contains("summary")) continue;
    const json& step = event.value("step", json(0));
    const std::int64_t number =
        step.is_string() ? std::stoll(step.get<std::string>()) : step.get<std::int64_t>();
    for (const json& value : event["summary"].value("value", json::array()))
      twin[value.at("tag")].emplace_back(number, value);
  }
}

void ExpectPoint(const Run& run, const Series& series, std::size_t i,
                 const std::pair<std::int64_t, json>& expected) {
  EXPECT_EQ(series.steps()[i], expected.first);
  const json& value = expected.second;
  if (series.is_scalar()) {
    const char* field = value.contains("scalar_value") ? "scalar_value" : "simple_value";
    if (!value.contains(field))
      return;  // A tensor of one number; its decoder has tests of its own.
    const double number = NumberOf(value.at(field));
    const double got = series.values()[i];
    EXPECT_TRUE(got == number || (std::isnan(got) && std::isnan(number)) ||
                static_cast<float>(got) == static_cast<float>(number))
        << got << " " << number;
    return;
  }
  const auto stored = run.Read(series.point(i));
  ASSERT_THAT(stored, IsOk());
  EXPECT_EQ(stored->value().tag, series.key().tag);
  EXPECT_EQ(stored->event().step, expected.first);
  if (series.key().kind == ContentKind::kHistogram) {
    const auto histogram = stored->Histogram();
    ASSERT_THAT(histogram, IsOk());
    if (value.contains("histogram")) {
      EXPECT_EQ(histogram->buckets.size(),
                value["histogram"].value("buckets", json::array()).size());
    }
  } else if (series.key().kind == ContentKind::kImage) {
    const auto image = stored->Image();
    ASSERT_THAT(image, IsOk());
    if (value.contains("image") && value["image"].contains("width")) {
      EXPECT_EQ(image->width, value["image"]["width"].get<int>());
    }
  } else if (series.key().kind == ContentKind::kTensor) {
    EXPECT_THAT(stored->Tensor(), IsOk());
  } else if (series.key().kind == ContentKind::kText) {
    EXPECT_THAT(stored->Texts(), IsOk());
  } else if (series.key().kind == ContentKind::kAudio) {
    const auto sound = stored->Audio();
    ASSERT_THAT(sound, IsOk());
    EXPECT_FALSE(sound->encoded.empty());
  }
}

class RunCorpusTest : public ::testing::TestWithParam<std::string> {};

TEST_P(RunCorpusTest, EveryValueEqualsItsTwin) {
  const std::string directory = testing::CorpusPath(GetParam());
  const auto opened = sightline::Run::Open(directory);
  ASSERT_THAT(opened, IsOk());
  const sightline::Run& run = **opened;
  EXPECT_FALSE(run.damaged());
  EXPECT_NE(run.State(), RunState::kKilled);
  Twin twin;
  for (const RunFile& file : run.files()) {
    if (std::filesystem::exists(file.path + ".json")) AddTwin(file.path + ".json", twin);
  }
  ASSERT_FALSE(twin.empty());
  std::size_t values = 0;
  for (const auto& series : run.series()) {
    auto found = twin.find(series->key().tag);
    ASSERT_NE(found, twin.end()) << series->key().tag;
    auto& expected = found->second;
    std::stable_sort(expected.begin(), expected.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    ASSERT_EQ(series->size(), expected.size()) << series->key().tag;
    for (std::size_t i = 0; i < series->size(); ++i) ExpectPoint(run, *series, i, expected[i]);
    values += series->size();
  }
  std::size_t all = 0;
  for (const auto& [tag, points] : twin) all += points.size();
  EXPECT_EQ(values, all);
}

INSTANTIATE_TEST_SUITE_P(Corpus, RunCorpusTest,
                         ::testing::Values("mindspore/values", "mindspore/lenet",
                                           "mindspore/lenet_landscape",
                                           "mindspore/lenet_max_file_size"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           for (char& c : name) c = c == '/' ? '_' : c;
                           return name;
                         });

// TensorBoard's folders: every one that has event files in it.
TEST(RunTensorBoardCorpusTest, EveryFolderEqualsItsTwins) {
  std::size_t folders = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(testing::CorpusPath("tensorboard"))) {
    if (!entry.is_directory()) continue;
    const auto opened = sightline::Run::Open(entry.path().string());
    if (!opened) continue;
    ++folders;
    Twin twin;
    for (const RunFile& file : (*opened)->files()) AddTwin(file.path + ".json", twin);
    std::size_t values = 0;
    for (const auto& series : (*opened)->series()) {
      auto& expected = twin[series->key().tag];
      std::stable_sort(expected.begin(), expected.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      ASSERT_EQ(series->size(), expected.size()) << series->key().tag;
      for (std::size_t i = 0; i < series->size(); ++i)
        ExpectPoint(**opened, *series, i, expected[i]);
      values += series->size();
    }
    std::size_t all = 0;
    for (const auto& [tag, points] : twin) all += points.size();
    EXPECT_EQ(values, all) << entry.path();
  }
  EXPECT_GE(folders, 3U);
}

TEST(RunLenetTest, HasLineageAndGraph) {
  const auto run = sightline::Run::Open(testing::CorpusPath("mindspore/lenet"));
  ASSERT_THAT(run, IsOk());
  EXPECT_EQ((*run)->event_counts().count(EventKind::kGraph), 1U);
  const auto network = (*run)->lineage().find("network");
  ASSERT_NE(network, (*run)->lineage().end());
  EXPECT_EQ(std::get<std::string>(network->second), "LeNet5");
}

// MindInsight's response for a tag, which it calls "<tag>/<kind>": the last point of some steps.
struct MindInsightResponse {
  std::shared_ptr<const sightline::Run> run;
  const Series* series = nullptr;
  std::vector<std::size_t> points;  // The points in its response,
  json values;                      // and their values.

  MindInsightResponse(const std::string& directory, ContentKind kind, const std::string& tag,
                      const std::string& name)
      : run(*sightline::Run::Open(testing::CorpusPath(directory))), series(run->Find(kind, tag)) {
    const std::string path = testing::CorpusPath("mindinsight_answers/" + name + ".json");
    values = json::parse(testing::ReadFileOrDie(path)).at("body").front();
    for (const std::size_t point : series->LatestPerStep()) {
      if (points.size() == values.size()) break;
      const json& value_json = values[points.size()];
      if (series->steps()[point] != value_json.at("step")) continue;
      EXPECT_EQ(series->wall_times()[point], value_json.at("wall_time")) << name;
      points.push_back(point);
    }
    EXPECT_EQ(points.size(), values.size()) << name;
  }
};

TEST(MindInsightTest, HasTheSameScalars) {
  for (const auto& [directory, tag, name] :
       {std::tuple("mindspore/lenet", "loss/auto", "full.scalar.loss_auto_scalar"),
        std::tuple("mindspore/lenet", "logit_mean", "full.scalar.logit_mean_scalar"),
        std::tuple("mindspore/lenet_landscape", "logit_mean", "land.scalar.logit_mean_scalar")}) {
    const MindInsightResponse answer(directory, ContentKind::kScalar, tag, name);
    EXPECT_EQ(answer.points.size(), answer.series->LatestPerStep().size()) << name;
    for (std::size_t i = 0; i < answer.points.size(); ++i)
      EXPECT_EQ(answer.series->values()[answer.points[i]], answer.values[i].at("value")) << name;
  }
}

// It stores ten of the pictures.
TEST(MindInsightTest, HasTheSamePictures) {
  const MindInsightResponse answer("mindspore/lenet", ContentKind::kImage, "input_data/auto",
                                   "full.image.input_data_auto_image");
  ASSERT_EQ(answer.points.size(), 10U);
  for (std::size_t i = 0; i < answer.points.size(); ++i) {
    const auto value = answer.run->Read(answer.series->point(answer.points[i]));
    ASSERT_THAT(value, IsOk());
    EXPECT_EQ(value->Image()->width, answer.values[i].at("width"));
    EXPECT_EQ(value->Image()->height, answer.values[i].at("height"));
  }
}

}  // namespace
}  // namespace sightline
