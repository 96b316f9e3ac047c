#include "sightline/landscape/directions/directions.h"

#include <Eigen/SVD>
#include <cmath>

#include "sightline/tests/support/support.h"

namespace sightline::landscape {
namespace {

using sightline::testing::IsOk;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Checkpoints of a matrix "w.weight" and a vector "b.bias", made from numbers.
class Network {
 public:
  Network(std::int64_t rows, std::int64_t columns) : rows_(rows), columns_(columns) {}

  std::size_t size() const { return static_cast<std::size_t>(rows_ * columns_ + rows_); }

  void Save(std::vector<float> values) {
    ASSERT_EQ(values.size(), size());
    values_.push_back(std::make_shared<std::vector<float>>(std::move(values)));
  }

  const std::vector<float>& saved(std::size_t i) const { return *values_[i]; }

  Result<ParameterSet> Set() const {
    std::vector<Checkpoint> all;
    for (const auto& values : values_) {
      const auto* bytes = reinterpret_cast<const char*>(values->data());
      const auto weights = static_cast<std::size_t>(rows_ * columns_) * sizeof(float);
      const auto biases = static_cast<std::size_t>(rows_) * sizeof(float);
      all.push_back(
          *Checkpoint::Make("checkpoint",
                            {{"w.weight", DType::kFloat32, {rows_, columns_}, {{bytes, weights}}},
                             {"b.bias", DType::kFloat32, {rows_}, {{bytes + weights, biases}}}},
                            values));
    }
    return ParameterSet::Make(std::move(all), {});
  }

 private:
  std::int64_t rows_;
  std::int64_t columns_;
  std::vector<std::shared_ptr<std::vector<float>>> values_;
};

// Numbers without a pattern, the same on every machine.
std::vector<float> Noise(std::size_t n, std::uint32_t seed, float scale) {
  std::vector<float> out(n);
  std::uint32_t state = seed * 2654435761U + 1;
  for (float& value : out) {
    state = state * 1664525U + 1013904223U;
    value = scale * (static_cast<float>(state >> 8U) / 8388608.0F - 1);
  }
  return out;
}

Network Trained(std::int64_t rows, std::int64_t columns, int checkpoints) {
  Network network(rows, columns);
  std::vector<float> values = Noise(network.size(), 1, 1);
  for (int i = 0; i < checkpoints; ++i) {
    network.Save(values);
    const auto step = Noise(values.size(), static_cast<std::uint32_t>(i) + 2, 0.1F);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] += step[k];
  }
  return network;
}

double NormOf(std::span<const float> values) {
  double squares = 0;
  for (const float value : values) squares += static_cast<double>(value) * value;
  return std::sqrt(squares);
}

TEST(PcaDirections, AreTheLeadingLeftSingularVectors) {
  const Network network = Trained(7, 600, 6);
  const auto set = network.Set();
  ASSERT_THAT(set, IsOk());
  const auto found = PcaDirections(*set, {.normalisation = Normalisation::kNone});
  ASSERT_THAT(found, IsOk());

  const auto n = static_cast<Eigen::Index>(network.size());
  Eigen::MatrixXd d(n, 5);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index k = 0; k < 5; ++k) {
      d(i, k) = static_cast<double>(
                    network.saved(static_cast<std::size_t>(k))[static_cast<std::size_t>(i)]) -
                static_cast<double>(network.saved(5)[static_cast<std::size_t>(i)]);
    }
  }
  d.rowwise() -= d.colwise().mean().eval();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(d, Eigen::ComputeThinU);
  const Eigen::VectorXd squares = svd.singularValues().array().square();
  for (Eigen::Index k = 0; k < 2; ++k) {
    Eigen::VectorXd expected = svd.matrixU().col(k) * svd.singularValues()[k];
    Eigen::Index largest = 0;
    expected.cwiseAbs().maxCoeff(&largest);
    if (expected[largest] < 0) expected = -expected;
    const std::vector<float>& ours = k == 0 ? found->first : found->second;
    for (Eigen::Index i = 0; i < n; ++i)
      ASSERT_NEAR(ours[static_cast<std::size_t>(i)], expected[i], 1e-6 * svd.singularValues()[k]);
    EXPECT_NEAR((*found->explained_variance)[static_cast<std::size_t>(k)],
                squares[k] / squares.sum(), 1e-12);
  }
}

TEST(PcaDirections, AreTheSameBitsWhateverTheNumberOfThreads) {
  const Network network = Trained(50, 2000, 4);
  const auto set = network.Set();
  ASSERT_THAT(set, IsOk());
  const auto one = PcaDirections(*set, {.threads = 1});
  ASSERT_THAT(one, IsOk());
  const auto path = ProjectCheckpoints(*set, *one, 1);
  ASSERT_THAT(path, IsOk());
  for (const int threads : {2, 3, 8}) {
    const auto more = PcaDirections(*set, {.threads = threads});
    ASSERT_THAT(more, IsOk());
    EXPECT_EQ(more->first, one->first);
    EXPECT_EQ(more->second, one->second);
    EXPECT_EQ(ProjectCheckpoints(*set, *more, threads)->x, path->x);
    EXPECT_EQ(ProjectCheckpoints(*set, *more, threads)->distances, path->distances);
  }
}

TEST(PcaDirections, GetTheNormOfEachParameterOrFilter) {
  const Network network = Trained(3, 40, 4);
  const auto set = network.Set();
  ASSERT_THAT(set, IsOk());
  const std::span<const float> last = network.saved(3);
  const auto layer = PcaDirections(*set, {});
  const auto filter = PcaDirections(*set, {.normalisation = Normalisation::kFilter});
  ASSERT_THAT(layer, IsOk());
  ASSERT_THAT(filter, IsOk());
  for (const auto* direction : {&layer->first, &layer->second}) {
    EXPECT_NEAR(NormOf(std::span(*direction).first(120)), NormOf(last.first(120)), 1e-5);
    EXPECT_NEAR(NormOf(std::span(*direction).last(3)), NormOf(last.last(3)), 1e-5);
  }
  for (const auto* direction : {&filter->first, &filter->second}) {
    for (std::size_t row = 0; row < 3; ++row) {
      EXPECT_NEAR(NormOf(std::span(*direction).subspan(row * 40, 40)),
                  NormOf(last.subspan(row * 40, 40)), 1e-5);
    }
    EXPECT_NEAR(NormOf(std::span(*direction).last(3)), NormOf(last.last(3)), 1e-5);
  }
}

TEST(PcaDirections, AreZeroWhereAParameterIsZeroOrDidNotMove) {
  Network network(1, 3);
  network.Save({1, 2, 3, 0});
  network.Save({3, 1, 2, 0});
  network.Save({2, 2, 5, 0});
  const auto set = network.Set();
  ASSERT_THAT(set, IsOk());
  const auto found = PcaDirections(*set, {});
  ASSERT_THAT(found, IsOk());
  EXPECT_EQ(found->first[3], 0);
  EXPECT_EQ(found->second[3], 0);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(std::isfinite(found->first[i])) << i;
}

TEST(PcaDirections, OfALineNeedARandomSecond) {
  Network network(2, 2000);
  const auto start = Noise(network.size(), 1, 1);
  const auto step = Noise(network.size(), 2, 1);
  for (const float at : {0.0F, 2.0F, 1.0F}) {
    std::vector<float> values(start.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = at * step[i];
    network.Save(values);
  }
  const auto set = network.Set();
  ASSERT_THAT(set, IsOk());
  const auto refused = PcaDirections(*set, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().ToString(), HasSubstr("are on a line"));
  const auto found =
      PcaDirections(*set, {.normalisation = Normalisation::kNone, .random_second = true});
  ASSERT_THAT(found, IsOk());
  double product = 0;
  for (std::size_t i = 0; i < network.size(); ++i)
    product += static_cast<double>(found->first[i]) * found->second[i];
  EXPECT_NEAR(product / (NormOf(found->first) * NormOf(found->second)), 0, 1e-6);
  EXPECT_NEAR(NormOf(found->first), NormOf(found->second), 1e-3);
}

TEST(PcaDirections, SayWhatIsWrongWithTheCheckpoints) {
  Network same(1, 2);
  for (int i = 0; i < 3; ++i) same.Save({1, 2, 3});
  EXPECT_THAT(PcaDirections(*same.Set(), {}).error().ToString(), HasSubstr("do not differ"));
  Network two(1, 2);
  two.Save({1, 2, 3});
  two.Save({2, 2, 3});
  EXPECT_THAT(PcaDirections(*two.Set(), {}).error().ToString(),
              HasSubstr("need 3 checkpoints, but there are 2"));
  Network broken(1, 2);
  broken.Save({1, 2, NAN});
  broken.Save({1, 5, 3});
  broken.Save({2, 2, 3});
  EXPECT_THAT(PcaDirections(*broken.Set(), {}).error().ToString(), HasSubstr("NaN"));
}

TEST(RandomDirections, DependOnTheSeedAlone) {
  const Network network = Trained(50, 2000, 1);
  const auto set = network.Set();
  ASSERT_THAT(set, IsOk());
  const auto one = RandomDirections(*set, {.seed = 7, .threads = 1});
  const auto again = RandomDirections(*set, {.seed = 7, .threads = 3});
  const auto other = RandomDirections(*set, {.seed = 8, .threads = 1});
  EXPECT_EQ(one->first, again->first);
  EXPECT_EQ(one->second, again->second);
  EXPECT_NE(one->first, other->first);
  EXPECT_NE(one->first, one->second);
}

TEST(RandomDirections, AreStandardNormal) {
  const Network network = Trained(50, 2000, 1);
  const auto set = network.Set();
  ASSERT_THAT(set, IsOk());
  const auto found = RandomDirections(*set, {.normalisation = Normalisation::kNone});
  ASSERT_THAT(found, IsOk());
  const auto n = static_cast<double>(network.size());
  for (const auto* direction : {&found->first, &found->second}) {
    double sum = 0;
    double fourth = 0;
    for (const float value : *direction) {
      sum += value;
      fourth += std::pow(static_cast<double>(value), 4);
    }
    EXPECT_NEAR(sum / n, 0, 0.02);
    EXPECT_NEAR(NormOf(*direction) / std::sqrt(n), 1, 0.02);
    EXPECT_NEAR(fourth / n, 3, 0.2);
  }
}

TEST(ProjectCheckpoints, FindsKnownCoordinatesAndDistances) {
  Network network(1, 3);
  network.Save({2, 0, 0, 5});   // 2 a, and 5 away.
  network.Save({1, -3, 0, 0});  // a - 3 b.
  network.Save({0, 0, 0, 0});
  const auto set = network.Set();
  ASSERT_THAT(set, IsOk());
  const Directions directions{{1, 0, 0, 0}, {1, 1, 0, 0}, {}};  // a and a + b.
  const auto path = ProjectCheckpoints(*set, directions, 1);
  ASSERT_THAT(path, IsOk());
  EXPECT_THAT(path->x, ElementsAre(2, 4, 0));
  EXPECT_THAT(path->y, ElementsAre(0, -3, 0));
  EXPECT_THAT(path->distances, ElementsAre(5, 0, 0));
  const Directions parallel{{1, 0, 0, 0}, {2, 0, 0, 0}, {}};
  EXPECT_THAT(ProjectCheckpoints(*set, parallel, 1).error().ToString(), HasSubstr("parallel"));
}

}  // namespace
}  // namespace sightline::landscape
