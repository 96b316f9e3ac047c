// StepInfo: what a trainer passes to SummaryMonitor at the end of a step.
//
// Names and elements are borrowed: they must live until EndStep returns. Shapes are copied.
// Everything is optional; what is left out is not recorded. A StepInfo may be kept and used again,
// so that a step allocates nothing. Parameters whose memory does not move need to be listed only
// once.
//
//   StepInfo info;
//   info.parameters.Add("dense.weight", weight.data(), {64, 10});
//   for (info.step = 1; info.step <= 1000; ++info.step) {
//     info.loss = Train();
//     monitor.EndStep(info);
//   }
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

struct NamedScalar {
  std::string_view name;
  double value = 0;
};

// Tensors with names. Shapes are stored here; names and elements stay with the caller.
class TensorList {
 public:
  void Add(std::string_view name, const TensorView& tensor) {
    Add(name, tensor.dtype, tensor.shape, tensor.data);
  }

  template <typename T>
  void Add(std::string_view name, const T* data, std::initializer_list<std::int64_t> shape) {
    Add(name, DTypeOf<T>(), {shape.begin(), shape.size()}, data);
  }

  void Clear();  // Keeps the memory.
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

  // REQUIRES: index < size(). A view is valid until the next Add or Clear.
  std::string_view name(std::size_t index) const { return entries_[index].name; }
  TensorView view(std::size_t index) const;

 private:
  struct Entry {
    std::string_view name;
    const void* data;
    std::size_t shape_begin;
    std::size_t shape_size;
    DType dtype;
  };

  void Add(std::string_view name, DType dtype, std::span<const std::int64_t> shape,
           const void* data);

  std::vector<Entry> entries_;
  std::vector<std::int64_t> shapes_;
};

// One tensor or none.
class TensorSlot {
 public:
  void Set(const TensorView& tensor) {
    list_.Clear();
    list_.Add({}, tensor);
  }

  template <typename T>
  void Set(const T* data, std::initializer_list<std::int64_t> shape) {
    list_.Clear();
    list_.Add({}, data, shape);
  }

  void Clear() { list_.Clear(); }
  bool empty() const { return list_.empty(); }
  TensorView view() const { return list_.view(0); }  // REQUIRES: !empty()

 private:
  TensorList list_;
};

struct StepInfo {
  std::int64_t step = 0;  // Counts from 1.

  std::optional<double> loss = std::nullopt;
  // Or the loss as the network returns it; the mean of its elements is recorded.
  TensorSlot losses = {};

  std::optional<double> learning_rate = std::nullopt;
  // For samples per second; none: the one in TrainInfo.
  std::optional<std::int64_t> batch_size = std::nullopt;

  // The batch that the step saw, if it is an image: (batch, channels 1 or 3, height, width).
  TensorSlot input = {};

  TensorList parameters = {};  // Trainable parameters, in the network's order: histograms.
  TensorList tensors = {};     // Recorded whole, under their names, at tensor steps.
  std::vector<NamedScalar> scalars = {};  // Recorded under their names.
  TensorList histograms = {};             // Recorded under their names.
  TensorList images = {};                 // The same; shaped like `input`.

  // SummaryMonitor sets these before it calls the function that was passed to EndStep: the values
  // that it will use.
  bool wants_scalars = true;     // Loss, learning rate, batch size, `scalars`.
  bool wants_histograms = true;  // `parameters`, `histograms`.
  bool wants_images = true;      // `images`.
  bool wants_input = true;       // `input`; false after a batch that was not one.
  bool wants_tensors = true;     // `tensors`.

  // Resets everything, but keeps the memory.
  void Clear();
};

}  // namespace sightline
