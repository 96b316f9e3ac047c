// The demo's network: two convolutions and two dense layers, about 18,000 parameters. It
// learns handwritten digits in a few seconds on one thread.
//
//   image 8x8 -> conv1 3x3x32 -> relu -> maxpool -> conv2 3x3x32 -> relu -> maxpool -> dense1 64 ->
//   relu -> dense2 10
//
//   DigitsNet<float> net(std::mt19937_64(/*seed=*/1));
//   net.Forward(images);                        // (batch * 64, 1)
//   net.Loss(classes);                          // one loss an image
//   net.Backward(classes);
//   net.Step(/*learning_rate=*/0.05F, /*momentum=*/0.9F);
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "sightline/tools/demo/digits.h"
#include "sightline/tools/demo/layers.h"

namespace sightline::demo {

template <typename Scalar>
class DigitsNet {
 public:
  static constexpr int kConv1Channels = 32;
  static constexpr int kConv2Channels = 32;
  static constexpr int kHidden = 64;

  // The same generator gives the same network.
  explicit DigitsNet(std::mt19937_64 random);

  // Logits of a batch of images, one row a pixel.
  void Forward(const Matrix<Scalar>& images);

  // The cross entropy of each image; turns the logits into probabilities.
  const std::vector<Scalar>& Loss(std::span<const std::uint8_t> classes);

  // The parameters' gradients of the mean loss. REQUIRES: Forward and Loss with the same batch
  // before.
  void Backward(std::span<const std::uint8_t> classes);

  // One step of gradient descent with momentum and weight decay.
  void Step(Scalar learning_rate, Scalar momentum);

  // The number of rows of the logits (or probabilities) whose largest entry is their class.
  int CountCorrect(std::span<const std::uint8_t> classes) const;

  // In the order of the network; the pointers live as long as it does, at the same addresses.
  std::vector<Parameter<Scalar>*> Parameters();

  // Of the last Forward, after the ReLU: (batch, 64).
  const Matrix<Scalar>& dense1_activation() const { return hidden_; }

 private:
  Conv3x3<Scalar> conv1_;
  MaxPool2x2<Scalar> pool1_;
  Conv3x3<Scalar> conv2_;
  MaxPool2x2<Scalar> pool2_;
  Dense<Scalar> dense1_;
  Dense<Scalar> dense2_;

  // Activations and gradients, kept so that a step allocates nothing.
  Matrix<Scalar> conv1_out_, pool1_out_, conv2_out_, pool2_out_, flat_, hidden_, output_;
  Matrix<Scalar> conv1_gradient_, pool1_gradient_, conv2_gradient_, pool2_gradient_, flat_gradient_,
      hidden_gradient_;
  std::vector<Scalar> losses_;
};

}  // namespace sightline::demo
