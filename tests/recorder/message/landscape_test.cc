#include "sightline/recorder/message/landscape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/tests/recorder/encoder_fixture.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using testing::IsOk;
using testing::IsStatus;
using testing::ReadFileOrDie;
using testing::RecordsIn;

// 0.1 is no float32: what comes back equal was not rounded.
LossLandscape Small() {
  LossLandscape landscape;
  landscape.x = {-0.1, 0, 0.1};
  landscape.y = {-1, 1};
  landscape.z = {1.1, 2.2, 3.3, 4.4, 1e-300, INFINITY};
  landscape.path = LossLandscape::Path{{1, 2}, {0.1, 0}, {0.2, 0}, {0.3, 0.4}};
  landscape.convergence_point = LossLandscape::Point{0, 0, 0.7};
  landscape.decomposition = "PCA";
  landscape.unit = "epoch";
  landscape.step_per_epoch = 10;
  return landscape;
}

LossLandscape WithDetails() {
  LossLandscape landscape = Small();
  LossLandscape::Details details;
  details.seed = 0xffffffffffffffffU;
  details.normalisation = "filter";
  details.explained_variance = {0.75, 0.125};
  details.distances = {0.5, 0};
  details.metrics = {{1, 2, 3, 4, 5, 6, 7, 8}};  // Six of the grid, two of the path.
  details.lines = {{"checkpoints", {0, 0.5, 1}, {3, 2, 1}, {{0.1, 0.2, 0.3}}}};
  details.evaluated = {true, true, false, true, true, true};
  landscape.details = details;
  return landscape;
}

mindspore::LossLandscape Proto(const LossLandscape& landscape) {
  mindspore::LossLandscape proto;
  EXPECT_TRUE(proto.ParseFromString(SerializeLandscape(landscape).value()));
  return proto;
}

TEST(LandscapeTest, ComesBackEqual) {
  EXPECT_EQ(ParseLandscape(SerializeLandscape(Small()).value()).value(), Small());
  EXPECT_EQ(ParseLandscape(SerializeLandscape({}).value()).value(), LossLandscape());
  EXPECT_EQ(ParseLandscape(SerializeLandscape(WithDetails()).value()).value(), WithDetails());
}

TEST(LandscapeTest, RefusesDetailsThatDoNotFit) {
  const auto refusal = [](auto change) {
    LossLandscape landscape = WithDetails();
    change(*landscape.details);
    return SerializeLandscape(landscape).error();
  };
  using Details = LossLandscape::Details;
  EXPECT_THAT(refusal([](Details& details) { details.distances.pop_back(); }),
              IsStatus(StatusCode::kInvalidArgument, "distances has 1 numbers, but needs 2"));
  EXPECT_THAT(refusal([](Details& details) { details.metrics[0].push_back(1); }),
              IsStatus(StatusCode::kInvalidArgument, "a metric has 9 numbers, but needs 8"));
  EXPECT_THAT(refusal([](Details& details) { details.evaluated.pop_back(); }),
              IsStatus(StatusCode::kInvalidArgument, "evaluated has 5 numbers, but needs 6"));
  EXPECT_THAT(refusal([](Details& details) { details.lines[0].z.clear(); }),
              IsStatus(StatusCode::kInvalidArgument, "a line has 0 numbers, but needs 3"));
  EXPECT_THAT(refusal([](Details& details) { details.lines[0].metrics[0].clear(); }),
              IsStatus(StatusCode::kInvalidArgument, "a line's metric has 0 numbers"));
  mindspore::LossLandscape forged = Proto(WithDetails());
  forged.mutable_details()->mutable_lines(0)->clear_loss();
  EXPECT_THAT(ParseLandscape(forged.SerializeAsString()).error(),
              IsStatus(StatusCode::kDataLoss, "a line has 0 numbers, but needs 3"));
}

TEST(LandscapeTest, HasFloatDataForMindInsightAndEveryDigitBesides) {
  const auto z = Proto(Small()).landscape().z();
  EXPECT_EQ(z.data_type(), mindspore::DT_FLOAT64);
  ASSERT_EQ(z.dims_size(), 2);
  EXPECT_EQ(z.dims(0), 2);  // [y][x]
  EXPECT_EQ(z.dims(1), 3);
  ASSERT_EQ(z.float_data_size(), 6);
  EXPECT_EQ(z.float_data(1), 2.2F);
  EXPECT_EQ(z.raw_data(), std::string(reinterpret_cast<const char*>(Small().z.data()), 48));
}

TEST(LandscapeTest, RefusesListsThatDoNotFitEachOther) {
  LossLandscape landscape = Small();
  landscape.z.pop_back();
  EXPECT_THAT(
      SerializeLandscape(landscape).error(),
      IsStatus(StatusCode::kInvalidArgument, "z has 5 numbers, but the grid of 3 x and 2 y has 6"));
  landscape = Small();
  landscape.path->y.push_back(1);
  EXPECT_THAT(SerializeLandscape(landscape).error(),
              IsStatus(StatusCode::kInvalidArgument, "the path has 2 intervals, 2 x, 3 y and 2 z"));
}

TEST(LandscapeTest, ReadsTheLandscapesOfMindSpore) {
  const auto records = RecordsIn(ReadFileOrDie(
      CorpusPath("mindspore/lenet_landscape/events.out.events.summary.1795189361.0.vm_MS")));
  mindspore::Event event;
  ASSERT_TRUE(event.ParseFromString(records.at(1)));
  const auto pca = ParseLandscape(event.summary().value(0).loss_landscape().SerializeAsString());
  ASSERT_THAT(pca, IsOk());
  EXPECT_EQ(pca->x.size(), 10U);
  EXPECT_EQ(pca->z.size(), 100U);
  EXPECT_EQ(pca->path->intervals, (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_EQ(pca->path->x[2], 0.0);
  EXPECT_EQ(pca->convergence_point->z, static_cast<double>(2.292551040649414F));
  EXPECT_EQ(pca->decomposition, "PCA");
  EXPECT_EQ(pca->step_per_epoch, 10);

  ASSERT_TRUE(event.ParseFromString(records.at(2)));
  const auto random = ParseLandscape(event.summary().value(0).loss_landscape().SerializeAsString());
  ASSERT_THAT(random, IsOk());
  EXPECT_EQ(random->decomposition, "Random");
  EXPECT_TRUE(!random->path || random->path->intervals.empty());
}

TEST(LandscapeTest, ReportsDamage) {
  EXPECT_THAT(ParseLandscape("x").error(), IsStatus(StatusCode::kDataLoss, "no LossLandscape"));
  mindspore::LossLandscape proto = Proto(Small());
  proto.mutable_landscape()->mutable_z()->clear_raw_data();
  proto.mutable_landscape()->mutable_z()->clear_float_data();
  EXPECT_THAT(ParseLandscape(proto.SerializeAsString()).error(),
              IsStatus(StatusCode::kDataLoss, "z has 0 numbers"));
  proto = Proto(Small());
  proto.mutable_loss_path()->clear_intervals();
  EXPECT_THAT(ParseLandscape(proto.SerializeAsString()).error(),
              IsStatus(StatusCode::kDataLoss, "0 intervals"));
}

// raw_data of half an element, or of a dtype that is none, is not believed.
TEST(LandscapeTest, FallsBackToFloatData) {
  mindspore::LossLandscape proto = Proto(Small());
  proto.mutable_landscape()->mutable_x()->set_raw_data("123");
  EXPECT_EQ(ParseLandscape(proto.SerializeAsString())->x[0], static_cast<double>(-0.1F));
  proto.mutable_landscape()->mutable_x()->set_data_type(mindspore::DT_TUPLE);
  EXPECT_EQ(ParseLandscape(proto.SerializeAsString())->x[0], static_cast<double>(-0.1F));
}

}  // namespace
}  // namespace sightline
