#include "sightline/tools/demo/digits_trainer.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sightline/profiler/record/span.h"

namespace sightline::demo {
namespace {

constexpr int kTestEvery = 5;
constexpr float kMomentum = 0.9F;

}  // namespace

DigitsTrainer::DigitsTrainer(const Digits& digits, const TrainerOptions& options)
    : digits_(digits),
      epochs_(options.epochs),
      random_(options.seed),
      net_(std::mt19937_64(options.seed)) {
  for (int index = 0; index < digits.count(); ++index) {
    (index % kTestEvery == kTestEvery - 1 ? test_ : train_).push_back(index);
  }
}

void DigitsTrainer::TrainStep() {
  NextBatch();
  const double progress = std::min(1.0, static_cast<double>(step_) / total_steps());
  learning_rate_ = kFirstLearningRate * 0.5 * (1 + std::cos(std::numbers::pi * progress));
  {
    SIGHTLINE_SPAN("forward");
    net_.Forward(images_);
    accuracy_ = static_cast<double>(net_.CountCorrect(classes_)) / kBatchSize;
    losses_ = net_.Loss(classes_);
  }
  {
    SIGHTLINE_SPAN("backward");
    net_.Backward(classes_);
  }
  {
    SIGHTLINE_SPAN("optimizer");
    net_.Step(static_cast<float>(learning_rate_), kMomentum);
  }
  ++step_;
}

void DigitsTrainer::NextBatch() {
  SIGHTLINE_DATA_SPAN("batch");
  const int batch = step_ % steps_per_epoch();
  if (batch == 0) ShuffleTrain();
  Gather(&train_[static_cast<std::size_t>(batch) * kBatchSize], kBatchSize, images_, classes_);
}

double DigitsTrainer::loss() const {
  return std::accumulate(losses_.begin(), losses_.end(), 0.0) / kBatchSize;
}

double DigitsTrainer::TestAccuracy() {
  Matrix<float> images;
  std::vector<std::uint8_t> classes;
  Gather(test_.data(), test_images(), images, classes);
  net_.Forward(images);
  return static_cast<double>(net_.CountCorrect(classes)) / test_images();
}

// Fisher and Yates; std::shuffle is not the same in every library.
void DigitsTrainer::ShuffleTrain() {
  for (std::size_t last = train_.size() - 1; last > 0; --last) {
    std::swap(train_[last], train_[random_() % (last + 1)]);
  }
}

void DigitsTrainer::Gather(const int* indices, int count, Matrix<float>& images,
                           std::vector<std::uint8_t>& classes) const {
  images.resize(Eigen::Index{count} * kImagePixels, 1);
  classes.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    std::ranges::copy(digits_.Image(indices[i]), images.data() + Eigen::Index{i} * kImagePixels);
    classes[static_cast<std::size_t>(i)] = digits_.classes[static_cast<std::size_t>(indices[i])];
  }
}

}  // namespace sightline::demo
