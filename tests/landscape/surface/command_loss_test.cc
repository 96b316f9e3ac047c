#include "sightline/landscape/surface/command_loss.h"

#include <cmath>

#include "sightline/landscape/surface/safetensors_file.h"
#include "sightline/landscape/surface/surface.h"
#include "sightline/tests/landscape/small_training.h"

namespace sightline::landscape {
namespace {

using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using sightline::testing::SmallTraining;
using ::testing::ElementsAre;

// What the command answers at the first point, x = -0.5, y = 2.
Result<std::vector<double>> Answer(const std::string& command) {
  const SmallTraining training;
  const Plane plane = training.PlaneOfAll();
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  CommandLoss loss(command);
  return loss({-0.5, 2, values, plane.parameters, 0});
}

TEST(CommandLoss, AnswersALineOfNumbers) {
  const auto echo = Answer("while read x y path; do echo $x $y nan; done");
  ASSERT_THAT(echo, IsOk());
  EXPECT_EQ((*echo)[0], -0.5);
  EXPECT_EQ((*echo)[1], 2);
  EXPECT_TRUE(std::isnan((*echo)[2]));
}

TEST(CommandLoss, GivesAFileOfAllTensors) {
  // The header's length, as od prints it, and the names.
  const auto answer = Answer(
      "while read x y path; do"
      " head -c 400 $path | grep -aq w.weight && head -c 400 $path | grep -aq steps && echo 1; "
      "done");
  ASSERT_THAT(answer, IsOk());
  EXPECT_THAT(*answer, ElementsAre(1));
}

TEST(CommandLoss, RunsOneProgramAWorker) {
  const SmallTraining training;
  const Plane plane = training.PlaneOfAll();
  CommandLoss loss("n=0; while read x y path; do n=$((n + 1)); echo $n; done");
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  for (const double expected : {1, 2, 3}) {
    const auto answer = loss({0, 0, values, plane.parameters, 0});
    ASSERT_THAT(answer, IsOk());
    EXPECT_THAT(*answer, ElementsAre(expected));
  }
  const auto other = loss({0, 0, values, plane.parameters, 1});
  ASSERT_THAT(other, IsOk());
  EXPECT_THAT(*other, ElementsAre(1));
}

// The tensor "steps" does not move: it is 42 in the checkpoint of one training, 43 in the other's.
TEST(CommandLoss, TheOtherTensorsAreThoseOfThePlanesCheckpoint) {
  CommandLoss loss("while read x y path; do tail -c 4 $path | od -An -t f4; done");
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  for (const float steps : {42.0F, 43.0F}) {
    const SmallTraining training(5, steps);
    const Plane plane = training.PlaneOfAll();
    const auto answer = loss({0, 0, values, plane.parameters, 0});
    ASSERT_THAT(answer, IsOk());
    EXPECT_THAT(*answer, ElementsAre(steps));
  }
}

// Answers the first two values in the file.
constexpr char kFirstTwo[] =
    "while read x y path; do tail -c +9 $path | od -An -t f4 -j $("
    "head -c 8 $path | od -An -t u8) -N 8; done";

TEST(CommandLoss, APointIsFormedWhereTheProgramReadsIt) {
  const SmallTraining training;
  const Plane plane = training.PlaneOfAll();
  CommandLoss loss(kFirstTwo);
  const std::span<float> values = loss.Buffer(plane.parameters, 0);
  ASSERT_EQ(values.size(), plane.parameters.size());
  for (const float first : {1.5F, 2.5F}) {
    values[0] = first;
    values[1] = 7;
    EXPECT_THAT(*loss({0, 0, values, plane.parameters, 0}), ElementsAre(first, 7));
  }
}

TEST(CommandLoss, APointThatLiesElsewhereIsCopied) {
  EXPECT_THAT(*Answer(kFirstTwo), ElementsAre(1, 2));
}

TEST(CommandLoss, ASurfaceIsFormedInItsBuffer) {
  const SmallTraining training;
  const Plane plane = training.PlaneOfAll();
  CommandLoss command(kFirstTwo);
  const float* buffer = nullptr;
  SurfaceOptions options;
  options.buffer = [&](const ParameterSet& parameters, int worker) {
    const std::span<float> values = command.Buffer(parameters, worker);
    buffer = values.data();
    return values;
  };
  const LossFunction loss = [&](const PointParameters& point) {
    EXPECT_EQ(point.values.data(), buffer);
    return command(point);
  };
  PointValues known;
  ASSERT_THAT(EvaluateSurface(plane, loss, options, known), IsOk());
  std::vector<float> last(plane.parameters.size());
  plane.parameters.Read(plane.parameters.checkpoint_count() - 1, 0, std::span<float>(last));
  std::vector<float> first_point(last.size());
  FormPoint(plane, last, PointAt(plane, 0), first_point);
  EXPECT_THAT(known.at(0), ElementsAre(::testing::DoubleNear(first_point[0], 1e-6),
                                       ::testing::DoubleNear(first_point[1], 1e-6)));
}

TEST(CommandLoss, SaysHowTheProgramEnded) {
  using enum StatusCode;
  EXPECT_THAT(Answer("exit 3").error(), IsStatus(kFailedPrecondition, "ended with exit code 3"));
  EXPECT_THAT(Answer("kill -9 $$").error(), IsStatus(kFailedPrecondition, "ended with signal 9"));
  EXPECT_THAT(Answer("read x; echo hello").error(),
              IsStatus(kInvalidArgument, "answered 'hello', which is not a line of numbers"));
}

TEST(SafetensorsFile, IsACheckpointOfThePoint) {
  const SmallTraining training;
  const Plane plane = training.PlaneOfAll();
  SafetensorsFile file;
  ASSERT_THAT(file.Create(plane.parameters), IsOk());
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  std::ranges::copy(values, file.values().begin());
  const auto read = Checkpoint::Open(file.path());
  ASSERT_THAT(read, IsOk());
  const auto set = ParameterSet::Make({*read}, {.pattern = ".*"});
  ASSERT_THAT(set, IsOk());
  std::vector<double> all(set->size());
  set->Read(0, 0, std::span<double>(all));
  EXPECT_THAT(all, ElementsAre(1, 2, 3, 4, 5, 6, 42));
}

}  // namespace
}  // namespace sightline::landscape
