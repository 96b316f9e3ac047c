// DigitsTrainer: an ordinary training loop, one step at a time, without any recording.
//
//   DigitsTrainer trainer(digits, {.epochs = 12, .seed = 1});
//   while (trainer.step() < trainer.total_steps()) trainer.TrainStep();
//   trainer.TestAccuracy();   // 0.98
//
// Every fifth image is used for the test; the others are shuffled in each epoch, into batches
// of 32. Stochastic gradient descent with momentum and weight decay, the learning rate falling
// along a half cosine. One thread; the same options give the same losses.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "sightline/tools/demo/digits.h"
#include "sightline/tools/demo/digits_net.h"

namespace sightline::demo {

struct TrainerOptions {
  int epochs = 12;
  std::uint64_t seed = 1;
};

class DigitsTrainer {
 public:
  static constexpr int kBatchSize = 32;
  static constexpr double kFirstLearningRate = 0.05;

  // `digits` must outlive the trainer. REQUIRES: at least 40 images.
  DigitsTrainer(const Digits& digits, const TrainerOptions& options);

  void TrainStep();
  // The share of test images that the network classifies correctly. Does not affect the training.
  double TestAccuracy();

  int step() const { return step_; }  // How many were trained.
  int epochs() const { return epochs_; }
  int steps_per_epoch() const { return static_cast<int>(train_.size()) / kBatchSize; }
  int total_steps() const { return epochs_ * steps_per_epoch(); }
  int train_images() const { return static_cast<int>(train_.size()); }
  int test_images() const { return static_cast<int>(test_.size()); }

  // Of the last step.
  const Matrix<float>& images() const { return images_; }  // (32 * 64, 1)
  const std::vector<float>& losses() const { return losses_; }
  double loss() const;  // Their mean.
  double accuracy() const { return accuracy_; }
  double learning_rate() const { return learning_rate_; }
  DigitsNet<float>& net() { return net_; }

 private:
  void NextBatch();
  void ShuffleTrain();
  // Copies the images of `indices` and their classes.
  void Gather(const int* indices, int count, Matrix<float>& images,
              std::vector<std::uint8_t>& classes) const;

  const Digits& digits_;
  const int epochs_;
  std::mt19937_64 random_;
  std::vector<int> train_;  // Indices, in this epoch's order.
  std::vector<int> test_;
  DigitsNet<float> net_;
  int step_ = 0;
  Matrix<float> images_;
  std::vector<std::uint8_t> classes_;
  std::vector<float> losses_;
  double accuracy_ = 0;
  double learning_rate_ = kFirstLearningRate;
};

}  // namespace sightline::demo
