#include "sightline/tools/demo/layers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sightline::demo {
namespace {

using Eigen::Index;

// (0, 1]: std::uniform_real_distribution is not the same in every library.
double Uniform(std::mt19937_64& random) {
  return (static_cast<double>(random() >> 11U) + 1) * 0x1p-53;
}

// A normal value by Box and Muller's method.
double Normal(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log(Uniform(random)));
  return radius * std::cos(2 * std::numbers::pi * Uniform(random));
}

// Calls visit(pixel, neighbour, place) for every pixel of one picture and each of its neighbours
// inside it; place is 0 to 8 within the 3x3 window.
template <typename Visit>
void ForEachNeighbour(int side, const Visit& visit) {
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if (y + dy < 0 || y + dy >= side || x + dx < 0 || x + dx >= side) continue;
          visit(y * side + x, (y + dy) * side + (x + dx), (dy + 1) * 3 + (dx + 1));
        }
      }
    }
  }
}

}  // namespace

template <typename Scalar>
Parameter<Scalar>::Parameter(std::string parameter_name, std::vector<std::int64_t> parameter_shape,
                             double deviation, std::mt19937_64& random)
    : name(std::move(parameter_name)), shape(std::move(parameter_shape)) {
  Index rows = 1;
  for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) rows *= shape[axis];
  value.resize(rows, shape.back());
  for (Index i = 0; i < value.size(); ++i) {
    value.data()[i] = static_cast<Scalar>(deviation == 0 ? 0 : deviation * Normal(random));
  }
  gradient.setZero(value.rows(), value.cols());
  velocity.setZero(value.rows(), value.cols());
}

template <typename Scalar>
Dense<Scalar>::Dense(const std::string& name, std::vector<std::int64_t> weight_shape,
                     std::mt19937_64& random)
    : weight(
          name + ".weight", weight_shape,
          [&weight_shape] {
            double inputs = 1;
            for (std::size_t axis = 0; axis + 1 < weight_shape.size(); ++axis) {
              inputs *= static_cast<double>(weight_shape[axis]);
            }
            return std::sqrt(2 / inputs);
          }(),
          random),
      bias(name + ".bias", {weight_shape.back()}, 0, random) {}

template <typename Scalar>
void Dense<Scalar>::Forward(const Matrix<Scalar>& input, Matrix<Scalar>& output) {
  output.noalias() = input * weight.value;
  output.rowwise() += bias.value.row(0);
}

template <typename Scalar>
void Dense<Scalar>::Backward(const Matrix<Scalar>& input, const Matrix<Scalar>& output_gradient,
                             Matrix<Scalar>* input_gradient) {
  weight.gradient.noalias() = input.transpose() * output_gradient;
  bias.gradient = output_gradient.colwise().sum();
  if (input_gradient != nullptr)
    input_gradient->noalias() = output_gradient * weight.value.transpose();
}

template <typename Scalar>
Conv3x3<Scalar>::Conv3x3(const std::string& name, int side, int in_channels, int out_channels,
                         std::mt19937_64& random)
    : dense(name, {3, 3, in_channels, out_channels}, random),
      side_(side),
      in_channels_(in_channels) {}

template <typename Scalar>
void Conv3x3<Scalar>::Forward(const Matrix<Scalar>& input, Matrix<Scalar>& output) {
  neighbourhoods_.setZero(input.rows(), 9 * in_channels_);
  for (Index first = 0; first < input.rows(); first += Index{side_} * side_) {
    ForEachNeighbour(side_, [&](int pixel, int neighbour, int place) {
      std::copy_n(&input(first + neighbour, 0), in_channels_,
                  &neighbourhoods_(first + pixel, Index{place} * in_channels_));
    });
  }
  dense.Forward(neighbourhoods_, output);
}

template <typename Scalar>
void Conv3x3<Scalar>::Backward(const Matrix<Scalar>& output_gradient,
                               Matrix<Scalar>* input_gradient) {
  if (input_gradient == nullptr) return dense.Backward(neighbourhoods_, output_gradient, nullptr);
  dense.Backward(neighbourhoods_, output_gradient, &neighbourhoods_gradient_);
  input_gradient->setZero(output_gradient.rows(), in_channels_);
  for (Index first = 0; first < output_gradient.rows(); first += Index{side_} * side_) {
    ForEachNeighbour(side_, [&](int pixel, int neighbour, int place) {
      const Scalar* from = &neighbourhoods_gradient_(first + pixel, Index{place} * in_channels_);
      Scalar* to = &(*input_gradient)(first + neighbour, 0);
      for (int channel = 0; channel < in_channels_; ++channel) to[channel] += from[channel];
    });
  }
}

template <typename Scalar>
void MaxPool2x2<Scalar>::Forward(const Matrix<Scalar>& input, Matrix<Scalar>& output) {
  input_rows_ = input.rows();
  output.resize(input.rows() / 4, input.cols());
  winners_.resize(static_cast<std::size_t>(output.size()));
  const Index half = side_ / 2;
  auto winner = winners_.begin();
  for (Index row = 0; row < output.rows(); ++row) {
    const Index image = row / (half * half);
    const Index y = row % (half * half) / half;
    const Index x = row % half;
    const Index corner = image * side_ * side_ + 2 * y * side_ + 2 * x;
    for (Index channel = 0; channel < input.cols(); ++channel) {
      Index best = corner;
      for (const Index other : {corner + 1, corner + side_, corner + side_ + 1}) {
        if (input(other, channel) > input(best, channel)) best = other;
      }
      output(row, channel) = input(best, channel);
      *winner++ = best;
    }
  }
}

template <typename Scalar>
void MaxPool2x2<Scalar>::Backward(const Matrix<Scalar>& output_gradient,
                                  Matrix<Scalar>& input_gradient) const {
  input_gradient.setZero(input_rows_, output_gradient.cols());
  auto winner = winners_.begin();
  for (Index row = 0; row < output_gradient.rows(); ++row) {
    for (Index channel = 0; channel < output_gradient.cols(); ++channel) {
      input_gradient(*winner++, channel) = output_gradient(row, channel);
    }
  }
}

template <typename Scalar>
void Relu(Matrix<Scalar>& values) {
  values = values.cwiseMax(Scalar{0});
}

template <typename Scalar>
void ReluBackward(const Matrix<Scalar>& activation, Matrix<Scalar>& gradient) {
  gradient = (activation.array() > Scalar{0}).select(gradient, Scalar{0});
}

template <typename Scalar>
void SoftmaxCrossEntropy(std::span<const std::uint8_t> classes, Matrix<Scalar>& logits,
                         std::vector<Scalar>& losses) {
  losses.resize(classes.size());
  for (Index row = 0; row < logits.rows(); ++row) {
    auto scores = logits.row(row);
    scores.array() -= scores.maxCoeff();  // The same result, and exp cannot overflow.
    const Index right = classes[static_cast<std::size_t>(row)];
    const Scalar right_score = scores(right);
    scores = scores.array().exp().matrix();
    const Scalar sum = scores.sum();
    scores /= sum;
    losses[static_cast<std::size_t>(row)] = std::log(sum) - right_score;
  }
}

template <typename Scalar>
void SoftmaxCrossEntropyBackward(std::span<const std::uint8_t> classes,
                                 Matrix<Scalar>& probabilities) {
  for (Index row = 0; row < probabilities.rows(); ++row) {
    probabilities(row, classes[static_cast<std::size_t>(row)]) -= 1;
  }
  probabilities /= static_cast<Scalar>(probabilities.rows());
}

#define SIGHTLINE_DEMO_INSTANTIATE_(Scalar)                                         \
  template struct Parameter<Scalar>;                                                \
  template class Dense<Scalar>;                                                     \
  template class Conv3x3<Scalar>;                                                   \
  template class MaxPool2x2<Scalar>;                                                \
  template void Relu(Matrix<Scalar>&);                                              \
  template void ReluBackward(const Matrix<Scalar>&, Matrix<Scalar>&);               \
  template void SoftmaxCrossEntropy(std::span<const std::uint8_t>, Matrix<Scalar>&, \
                                    std::vector<Scalar>&);                          \
  template void SoftmaxCrossEntropyBackward(std::span<const std::uint8_t>, Matrix<Scalar>&)
SIGHTLINE_DEMO_INSTANTIATE_(float);
SIGHTLINE_DEMO_INSTANTIATE_(double);
#undef SIGHTLINE_DEMO_INSTANTIATE_

}  // namespace sightline::demo
