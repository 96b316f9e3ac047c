// Every gradient that is written by hand against differences of the loss, in float64.
#include "sightline/tools/demo/layers.h"

#include <cmath>
#include <random>
#include <vector>

#include "sightline/tests/support/support.h"
#include "sightline/tools/demo/digits_net.h"

namespace sightline::demo {
namespace {

using ::testing::ElementsAre;

constexpr double kStep = 1e-6;

Matrix<double> RandomMatrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Matrix<double> matrix(rows, columns);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = normal(random);
  return matrix;
}

// The gradient of loss() by the elements of `values`, by central differences.
template <typename Loss>
Matrix<double> Numerical(Matrix<double>& values, const Loss& loss) {
  Matrix<double> gradient(values.rows(), values.cols());
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double kept = values.data()[i];
    values.data()[i] = kept + kStep;
    const double above = loss();
    values.data()[i] = kept - kStep;
    const double below = loss();
    values.data()[i] = kept;
    gradient.data()[i] = (above - below) / (2 * kStep);
  }
  return gradient;
}

void ExpectSame(const Matrix<double>& gradient, const Matrix<double>& numerical) {
  ASSERT_EQ(gradient.rows(), numerical.rows());
  ASSERT_EQ(gradient.cols(), numerical.cols());
  EXPECT_LT((gradient - numerical).cwiseAbs().maxCoeff(), 1e-7) << gradient << "\n\n" << numerical;
  EXPECT_GT(gradient.cwiseAbs().maxCoeff(), 1e-3);
}

// Layers are checked with the loss sum(output * weights), whose gradient by the output is
// `weights`.

TEST(DenseLayer, HasTheGradientOfItsOutput) {
  std::mt19937_64 random(1);
  Dense<double> dense("d", {5, 4}, random);
  Matrix<double> input = RandomMatrix(3, 5, 2);
  const Matrix<double> weights = RandomMatrix(3, 4, 3);
  Matrix<double> output;
  Matrix<double> input_gradient;
  const auto loss = [&] {
    dense.Forward(input, output);
    return output.cwiseProduct(weights).sum();
  };
  loss();
  dense.Backward(input, weights, &input_gradient);
  ExpectSame(dense.weight.gradient, Numerical(dense.weight.value, loss));
  ExpectSame(dense.bias.gradient, Numerical(dense.bias.value, loss));
  ExpectSame(input_gradient, Numerical(input, loss));
}

TEST(Conv3x3Layer, HasTheGradientOfItsOutput) {
  std::mt19937_64 random(1);
  Conv3x3<double> conv("c", 4, 2, 3, random);
  Matrix<double> input = RandomMatrix(2 * 16, 2, 2);
  const Matrix<double> weights = RandomMatrix(2 * 16, 3, 3);
  Matrix<double> output;
  Matrix<double> input_gradient;
  const auto loss = [&] {
    conv.Forward(input, output);
    return output.cwiseProduct(weights).sum();
  };
  loss();
  conv.Backward(weights, &input_gradient);
  ExpectSame(conv.dense.weight.gradient, Numerical(conv.dense.weight.value, loss));
  ExpectSame(conv.dense.bias.gradient, Numerical(conv.dense.bias.value, loss));
  ExpectSame(input_gradient, Numerical(input, loss));
}

TEST(Conv3x3Layer, SumsTheNeighboursInsideThePicture) {
  std::mt19937_64 random(1);
  Conv3x3<double> conv("c", 3, 1, 1, random);
  conv.dense.weight.value.setOnes();
  Matrix<double> input = Matrix<double>::Ones(9, 1);
  Matrix<double> output;
  conv.Forward(input, output);
  EXPECT_THAT(std::vector<double>(output.data(), output.data() + 9),
              ElementsAre(4, 6, 4, 6, 9, 6, 4, 6, 4));
}

TEST(MaxPoolLayer, HasTheGradientOfItsOutput) {
  MaxPool2x2<double> pool(4);
  Matrix<double> input = RandomMatrix(2 * 16, 3, 2);
  const Matrix<double> weights = RandomMatrix(2 * 4, 3, 3);
  Matrix<double> output;
  Matrix<double> input_gradient;
  const auto loss = [&] {
    pool.Forward(input, output);
    return output.cwiseProduct(weights).sum();
  };
  loss();
  pool.Backward(weights, input_gradient);
  ExpectSame(input_gradient, Numerical(input, loss));
}

TEST(ReluLayer, HasTheGradientOfItsOutput) {
  Matrix<double> input = RandomMatrix(6, 5, 2);
  Matrix<double> gradient = RandomMatrix(6, 5, 3);
  const Matrix<double> weights = gradient;
  Matrix<double> output;
  const auto loss = [&] {
    output = input;
    Relu(output);
    return output.cwiseProduct(weights).sum();
  };
  loss();
  ReluBackward(output, gradient);
  ExpectSame(gradient, Numerical(input, loss));
}

TEST(SoftmaxCrossEntropyLayer, HasTheGradientOfTheMeanLoss) {
  Matrix<double> logits = RandomMatrix(4, 6, 2);
  const std::vector<std::uint8_t> classes = {0, 5, 2, 2};
  std::vector<double> losses;
  Matrix<double> gradient;
  const auto loss = [&] {
    gradient = logits;
    SoftmaxCrossEntropy<double>(classes, gradient, losses);
    double sum = 0;
    for (const double value : losses) sum += value;
    return sum / 4;
  };
  const Matrix<double> numerical = Numerical(logits, loss);
  loss();
  SoftmaxCrossEntropyBackward<double>(classes, gradient);
  ExpectSame(gradient, numerical);
}

TEST(SoftmaxCrossEntropyLayer, TakesLogitsThatExpCannot) {
  Matrix<double> logits(1, 3);
  logits << 1000, 0, -1000;
  std::vector<double> losses;
  SoftmaxCrossEntropy<double>(std::vector<std::uint8_t>{1}, logits, losses);
  EXPECT_DOUBLE_EQ(losses[0], 1000);
  EXPECT_DOUBLE_EQ(logits(0, 0), 1);
}

TEST(DigitsNetwork, HasTheGradientsOfItsLoss) {
  DigitsNet<double> net(std::mt19937_64(1));
  const Matrix<double> images = RandomMatrix(2 * kImagePixels, 1, 2);
  const std::vector<std::uint8_t> classes = {3, 7};
  const auto loss = [&] {
    net.Forward(images);
    const std::vector<double>& losses = net.Loss(classes);
    return (losses[0] + losses[1]) / 2;
  };
  loss();
  net.Backward(classes);
  for (Parameter<double>* parameter : net.Parameters()) {
    SCOPED_TRACE(parameter->name);
    ExpectSame(parameter->gradient, Numerical(parameter->value, loss));
  }
}

TEST(DigitsNetwork, CountsTheImagesThatItKnows) {
  DigitsNet<double> net(std::mt19937_64(1));
  const Matrix<double> images = RandomMatrix(kImagePixels, 1, 2);
  net.Forward(images);
  int known = 0;
  for (std::uint8_t digit = 0; digit < kClasses; ++digit)
    known += net.CountCorrect(std::vector<std::uint8_t>{digit});
  EXPECT_EQ(known, 1);
}

TEST(DigitsNetwork, StepsAgainstTheGradientWithMomentum) {
  DigitsNet<double> net(std::mt19937_64(1));
  Parameter<double>& bias =
      *net.Parameters()[1];  // Begins at 0, so that weight decay does nothing at first.
  for (Parameter<double>* parameter : net.Parameters()) parameter->gradient.setConstant(1);
  net.Step(0.1, 0.5);
  EXPECT_DOUBLE_EQ(bias.value(0, 0), -0.1);
  net.Step(0.1, 0.5);
  EXPECT_NEAR(bias.value(0, 0), -0.1 - 0.1 * 1.5, 1e-5);
}

}  // namespace
}  // namespace sightline::demo
