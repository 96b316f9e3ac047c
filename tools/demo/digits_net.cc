#include "sightline/tools/demo/digits_net.h"

namespace sightline::demo {
namespace {

constexpr int kPool1Side = kImageSide / 2;
constexpr int kPool2Pixels = (kImageSide / 4) * (kImageSide / 4);

// It also keeps velocities from fading into denormal numbers, which are slow.
template <typename Scalar>
constexpr Scalar kWeightDecay = static_cast<Scalar>(1e-4);

}  // namespace

template <typename Scalar>
DigitsNet<Scalar>::DigitsNet(std::mt19937_64 random)
    : conv1_("conv1", kImageSide, 1, kConv1Channels, random),
      pool1_(kImageSide),
      conv2_("conv2", kPool1Side, kConv1Channels, kConv2Channels, random),
      pool2_(kPool1Side),
      dense1_("dense1", {kPool2Pixels * kConv2Channels, kHidden}, random),
      dense2_("dense2", {kHidden, kClasses}, random) {}

template <typename Scalar>
void DigitsNet<Scalar>::Forward(const Matrix<Scalar>& images) {
  conv1_.Forward(images, conv1_out_);
  Relu(conv1_out_);
  pool1_.Forward(conv1_out_, pool1_out_);
  conv2_.Forward(pool1_out_, conv2_out_);
  Relu(conv2_out_);
  pool2_.Forward(conv2_out_, pool2_out_);
  flat_ = pool2_out_.template reshaped<Eigen::RowMajor>(images.rows() / kImagePixels,
                                                        kPool2Pixels * kConv2Channels);
  dense1_.Forward(flat_, hidden_);
  Relu(hidden_);
  dense2_.Forward(hidden_, output_);
}

template <typename Scalar>
const std::vector<Scalar>& DigitsNet<Scalar>::Loss(std::span<const std::uint8_t> classes) {
  SoftmaxCrossEntropy(classes, output_, losses_);
  return losses_;
}

template <typename Scalar>
void DigitsNet<Scalar>::Backward(std::span<const std::uint8_t> classes) {
  SoftmaxCrossEntropyBackward(classes, output_);
  dense2_.Backward(hidden_, output_, &hidden_gradient_);
  ReluBackward(hidden_, hidden_gradient_);
  dense1_.Backward(flat_, hidden_gradient_, &flat_gradient_);
  pool2_gradient_ =
      flat_gradient_.template reshaped<Eigen::RowMajor>(pool2_out_.rows(), pool2_out_.cols());
  pool2_.Backward(pool2_gradient_, conv2_gradient_);
  ReluBackward(conv2_out_, conv2_gradient_);
  conv2_.Backward(conv2_gradient_, &pool1_gradient_);
  pool1_.Backward(pool1_gradient_, conv1_gradient_);
  ReluBackward(conv1_out_, conv1_gradient_);
  conv1_.Backward(conv1_gradient_, nullptr);
}

template <typename Scalar>
void DigitsNet<Scalar>::Step(Scalar learning_rate, Scalar momentum) {
  for (Parameter<Scalar>* parameter : Parameters()) {
    auto& velocity = parameter->velocity;
    velocity = momentum * velocity + parameter->gradient + kWeightDecay<Scalar> * parameter->value;
    parameter->value -= learning_rate * velocity;
  }
}

template <typename Scalar>
int DigitsNet<Scalar>::CountCorrect(std::span<const std::uint8_t> classes) const {
  int correct = 0;
  for (Eigen::Index row = 0; row < output_.rows(); ++row) {
    Eigen::Index best = 0;
    output_.row(row).maxCoeff(&best);
    if (best == classes[static_cast<std::size_t>(row)]) ++correct;
  }
  return correct;
}

template <typename Scalar>
std::vector<Parameter<Scalar>*> DigitsNet<Scalar>::Parameters() {
  return {&conv1_.dense.weight, &conv1_.dense.bias, &conv2_.dense.weight, &conv2_.dense.bias,
          &dense1_.weight,      &dense1_.bias,      &dense2_.weight,      &dense2_.bias};
}

template class DigitsNet<float>;
template class DigitsNet<double>;

}  // namespace sightline::demo
