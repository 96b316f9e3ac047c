#include "sightline/landscape/surface/surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "sightline/tests/landscape/small_training.h"

namespace sightline::landscape {
namespace {

using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using sightline::testing::Quadratic;
using sightline::testing::SmallTraining;
using ::testing::ElementsAre;
using ::testing::SizeIs;

LossFunction QuadraticLoss() {
  return [](const PointParameters& point) -> Result<std::vector<double>> {
    return std::vector<double>{Quadratic(point.values)};
  };
}

// Rosenbrock's valley, of any even number of parameters.
double Rosenbrock(std::span<const float> values) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
    const double a = values[i];
    const double b = values[i + 1];
    sum += 100 * (b - a * a) * (b - a * a) + (1 - a) * (1 - a);
  }
  return sum;
}

double UlpOf(double value) {
  const auto magnitude = static_cast<float>(std::abs(value));
  return static_cast<double>(std::nextafter(magnitude, std::numeric_limits<float>::infinity())) -
         magnitude;
}

class AnalyticSurface : public ::testing::TestWithParam<double (*)(std::span<const float>)> {};

// Each point's parameters are those of a float64 reference to 1 float32 ulp of its largest term,
// and its loss is the bare function's there, to the bit.
TEST_P(AnalyticSurface, IsTheBareFunctionAtTheParametersOfEachPoint) {
  const SmallTraining training(17);
  const Plane plane = training.PlaneOfAll();
  std::vector<float> last(plane.parameters.size());
  plane.parameters.Read(2, 0, std::span<float>(last));
  PointValues values;
  const LossFunction loss = [&](const PointParameters& point) -> Result<std::vector<double>> {
    for (std::size_t i = 0; i < last.size(); ++i) {
      const double terms[] = {last[i], point.x * plane.directions.first[i],
                              point.y * plane.directions.second[i]};
      const double largest =
          std::max({std::abs(terms[0]), std::abs(terms[1]), std::abs(terms[2]), 1e-30});
      const double reference = terms[0] + terms[1] + terms[2];
      EXPECT_NEAR(point.values[i], reference, UlpOf(largest));
      EXPECT_NEAR(point.values[i], reference, 0.5000001 * UlpOf(reference));  // Rounded once.
    }
    return std::vector<double>{GetParam()(point.values), point.x, point.y};
  };
  ASSERT_THAT(EvaluateSurface(plane, loss, {}, values), IsOk());
  ASSERT_THAT(values, SizeIs(17 * 17 + 3));
  std::vector<float> there(last.size());
  for (const auto& [index, measured] : values) {
    const PlanePoint point = PointAt(plane, index);
    FormPoint(plane, last, point, there);
    EXPECT_EQ(measured, (std::vector<double>{GetParam()(there), point.x, point.y}));
  }
  // The path ends at the last checkpoint.
  EXPECT_EQ(values.at(17 * 17 + 2).front(), GetParam()(last));
}

INSTANTIATE_TEST_SUITE_P(Functions, AnalyticSurface, ::testing::Values(&Quadratic, &Rosenbrock));

TEST(Surface, IsTheSameBitsWhateverTheNumberOfWorkers) {
  const SmallTraining training(17);
  const Plane plane = training.PlaneOfAll();
  PointValues one;
  ASSERT_THAT(EvaluateSurface(plane, QuadraticLoss(), {}, one), IsOk());
  for (const int workers : {2, 4}) {
    PointValues more;
    ASSERT_THAT(EvaluateSurface(plane, QuadraticLoss(), {.workers = workers}, more), IsOk());
    EXPECT_EQ(more, one);
  }
}

TEST(Surface, GoesFromCoarseToFineOverEveryPointOnce) {
  const SmallTraining training(5);
  const Plane plane = training.PlaneOfAll();
  const auto order = EvaluationOrder(plane);
  EXPECT_EQ(std::set(order.begin(), order.end()).size(), PointCount(plane));
  EXPECT_EQ(order.size(), PointCount(plane));
  EXPECT_THAT(std::vector(order.begin(), order.begin() + 7),
              ElementsAre(25, 26, 27, 0, 4, 20, 24));  // The path, then the corners.
}

TEST(Surface, KeepsNanAndInfinity) {
  const SmallTraining training;
  const Plane plane = training.PlaneOfAll();
  PointValues values;
  const LossFunction loss = [](const PointParameters& point) -> Result<std::vector<double>> {
    return std::vector<double>{point.x < 0 ? NAN : INFINITY};
  };
  ASSERT_THAT(EvaluateSurface(plane, loss, {}, values), IsOk());
  EXPECT_TRUE(std::isnan(values.at(0).front()));
  EXPECT_TRUE(std::isinf(values.at(4).front()));
}

TEST(Surface, AsksOnlyForWhatIsNotKnown) {
  const SmallTraining training;
  const Plane plane = training.PlaneOfAll();
  PointValues values = {{0, {1.5}}, {7, {2.5}}};
  int calls = 0;
  const LossFunction loss = [&](const PointParameters&) -> Result<std::vector<double>> {
    ++calls;
    return std::vector<double>{0};
  };
  ASSERT_THAT(EvaluateSurface(plane, loss, {}, values), IsOk());
  EXPECT_EQ(calls, 26);
  EXPECT_EQ(values.at(7).front(), 2.5);
}

TEST(Surface, EndsWithWhatTheLossSays) {
  const SmallTraining training;
  const Plane plane = training.PlaneOfAll();
  const auto run = [&plane](const LossFunction& loss) {
    PointValues values;
    return EvaluateSurface(plane, loss, {}, values);
  };
  using enum StatusCode;
  EXPECT_THAT(run([](const PointParameters&) -> Result<std::vector<double>> {
                return Error(kIoError, "no data");
              }),
              IsStatus(kIoError, "no data"));
  EXPECT_THAT(run([](const PointParameters&) -> Result<std::vector<double>> {
                throw std::runtime_error("bad weather");
              }),
              IsStatus(kFailedPrecondition, "bad weather"));
  int calls = 0;
  EXPECT_THAT(run([&calls](const PointParameters&) -> Result<std::vector<double>> {
                return std::vector<double>(calls++ == 0 ? 2 : 1);
              }),
              IsStatus(kInvalidArgument, "the loss returned 1 numbers, but 2 were expected"));
  EXPECT_THAT(run([](const PointParameters&) -> Result<std::vector<double>> {
                return std::vector<double>();
              }),
              IsStatus(kInvalidArgument, "the loss returned 0 numbers"));
  PointValues values;
  EXPECT_THAT(EvaluateSurface(plane, QuadraticLoss(), {.workers = 0}, values),
              IsStatus(kInvalidArgument, "workers is 0"));
}

TEST(Surface, EndsWhenCancelledAndKeepsWhatIsKnown) {
  const SmallTraining training;
  const Plane plane = training.PlaneOfAll();
  std::atomic<bool> cancelled = false;
  PointValues values;
  const LossFunction loss = [&](const PointParameters&) -> Result<std::vector<double>> {
    cancelled = true;
    return std::vector<double>{1};
  };
  EXPECT_THAT(EvaluateSurface(plane, loss, {.cancelled = &cancelled}, values),
              IsStatus(StatusCode::kUnavailable, "cancelled"));
  EXPECT_THAT(values, SizeIs(1));
}

}  // namespace
}  // namespace sightline::landscape
