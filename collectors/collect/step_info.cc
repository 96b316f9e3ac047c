#include "sightline/collectors/collect/step_info.h"

namespace sightline {

void TensorList::Add(std::string_view name, DType dtype, std::span<const std::int64_t> shape,
                     const void* data) {
  entries_.push_back({name, data, shapes_.size(), shape.size(), dtype});
  shapes_.insert(shapes_.end(), shape.begin(), shape.end());
}

void TensorList::Clear() {
  entries_.clear();
  shapes_.clear();
}

TensorView TensorList::view(std::size_t index) const {
  const Entry& entry = entries_[index];
  return {entry.dtype, std::span(shapes_).subspan(entry.shape_begin, entry.shape_size), entry.data};
}

void StepInfo::Clear() {
  step = 0;
  loss.reset();
  losses.Clear();
  learning_rate.reset();
  batch_size.reset();
  input.Clear();
  parameters.Clear();
  tensors.Clear();
  scalars.clear();
  histograms.Clear();
  images.Clear();
  wants_scalars = wants_histograms = wants_images = wants_input = wants_tensors = true;
}

}  // namespace sightline
