// The layers of the demo's network, forward and backward by hand on Eigen matrices.
//
// Activations are matrices in row-major order: a picture layer has one row for each pixel of each
// image (batch * side * side) and one column a channel, that is NHWC; a dense layer has one row an
// image. Scalar is float in training and double where a test checks gradients against differences.
// One thread; a layer keeps what its Backward needs from its last Forward, so its input must not
// change in between.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace sightline::demo {

template <typename Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Weights or a bias, with their gradient and the optimizer's running mean of it.
template <typename Scalar>
struct Parameter {
  std::string name;                 // "conv1.weight"
  std::vector<std::int64_t> shape;  // Of `value`: (3, 3, in, out), (in, out) or (out).
  Matrix<Scalar> value;
  Matrix<Scalar> gradient;
  Matrix<Scalar> velocity;

  // Normal with the given deviation; the same seed gives the same values everywhere.
  Parameter(std::string parameter_name, std::vector<std::int64_t> parameter_shape, double deviation,
            std::mt19937_64& random);
};

// output = input * weight + bias, a row at a time.
template <typename Scalar>
class Dense {
 public:
  // He's initialisation, for a layer that a ReLU follows.
  Dense(const std::string& name, std::vector<std::int64_t> weight_shape, std::mt19937_64& random);

  void Forward(const Matrix<Scalar>& input, Matrix<Scalar>& output);
  // Sets the parameters' gradients, and `input_gradient` unless it is null. `input` as given to
  // Forward.
  void Backward(const Matrix<Scalar>& input, const Matrix<Scalar>& output_gradient,
                Matrix<Scalar>* input_gradient);

  Parameter<Scalar> weight;
  Parameter<Scalar> bias;
};

// A 3x3 convolution with zeros around the picture: a dense layer over each pixel's neighbourhood.
template <typename Scalar>
class Conv3x3 {
 public:
  Conv3x3(const std::string& name, int side, int in_channels, int out_channels,
          std::mt19937_64& random);

  void Forward(const Matrix<Scalar>& input, Matrix<Scalar>& output);
  void Backward(const Matrix<Scalar>& output_gradient, Matrix<Scalar>* input_gradient);

  Dense<Scalar> dense;

 private:
  int side_;
  int in_channels_;
  Matrix<Scalar> neighbourhoods_;  // A row a pixel: 9 * in_channels.
  Matrix<Scalar> neighbourhoods_gradient_;
};

// The largest of each 2x2 block; `side` is the input's and even.
template <typename Scalar>
class MaxPool2x2 {
 public:
  explicit MaxPool2x2(int side) : side_(side) {}

  void Forward(const Matrix<Scalar>& input, Matrix<Scalar>& output);
  void Backward(const Matrix<Scalar>& output_gradient, Matrix<Scalar>& input_gradient) const;

 private:
  int side_;
  Eigen::Index input_rows_ = 0;
  std::vector<Eigen::Index> winners_;  // For each element of the output, the input's row.
};

// Replaces negative values by 0.
template <typename Scalar>
void Relu(Matrix<Scalar>& values);

// Sets the gradient to 0 where the activation is not positive.
template <typename Scalar>
void ReluBackward(const Matrix<Scalar>& activation, Matrix<Scalar>& gradient);

// Turns logits (one row an image) into probabilities in place, and fills `losses` with the
// negative logarithms of those of the right classes.
template <typename Scalar>
void SoftmaxCrossEntropy(std::span<const std::uint8_t> classes, Matrix<Scalar>& logits,
                         std::vector<Scalar>& losses);

// Replaces the probabilities by the gradient of the mean loss with respect to the logits.
template <typename Scalar>
void SoftmaxCrossEntropyBackward(std::span<const std::uint8_t> classes,
                                 Matrix<Scalar>& probabilities);

}  // namespace sightline::demo
