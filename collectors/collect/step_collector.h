// StepCollector: turns what a trainer tells about a step into the values of one event.
//
// One thread. Everything is borrowed for the call, and passed to the Recorder in one Record. A tag
// is interned when it first occurs, so that a step with known names allocates nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/collectors/collect/step_info.h"
#include "sightline/collectors/rules/collection_policy.h"
#include "sightline/collectors/rules/frequency_table.h"
#include "sightline/collectors/rules/nan_watch.h"
#include "sightline/collectors/rules/parameter_selection.h"
#include "sightline/collectors/rules/summary_options.h"
#include "sightline/recorder/recorder.h"

namespace sightline {

// Keeps what was made of each name, by the name's position in a list. The list is the same in every
// step, so a look-up compares one name.
template <typename Made>
class NameCache {
 public:
  template <typename Make>
  const Made& Get(std::size_t position, std::string_view name, const Make& make) {
    if (position >= slots_.size()) slots_.resize(position + 1);
    Slot& slot = slots_[position];
    if (!slot.made || slot.name != name) slot = {std::string(name), make(name)};
    return *slot.made;
  }

 private:
  struct Slot {
    std::string name;
    std::optional<Made> made;
  };
  std::vector<Slot> slots_;
};

class StepCollector {
 public:
  // `frequencies` are those of the decisions. `warn` gets a line when recording of input data is
  // switched off. The references must outlive the collector.
  StepCollector(Recorder& recorder, NanWatch& watch, const CollectSpecifiedData& what,
                const FrequencyTable& frequencies, ParameterSelection selection,
                std::function<void(std::string_view)> warn);

  // Records the values of `info` that `decision` selects. `loss` is LossOf(info), computed once for
  // each step. `batch_size` is the training's, for steps that have none. Returns the sources that
  // delivered heavy values.
  ValueSources Collect(const StepInfo& info, const std::optional<double>& loss,
                       const CollectionDecision& decision, std::int64_t batch_size);

  // Records scalars under `prefix` + their names as one event.
  void CollectScalars(std::int64_t step, std::string_view prefix,
                      std::span<const NamedScalar> scalars);

  // Whether the histogram of this parameter is recorded; `index` counts all parameters from 0.
  bool Selects(std::size_t index, std::string_view name) const {
    return what_.collect_histograms && selection_.Selects(index, name);
  }

  // Whether the next batch is used; false after a batch that was not an image.
  bool wants_input() const { return what_.collect_input_data && input_is_image_; }

  // The loss of a step, or none; the mean of `losses`.
  static std::optional<double> LossOf(const StepInfo& info);

 private:
  // The tag, kind and frequency of a series of values.
  struct Stream {
    TagId tag;
    ValueKind kind = ValueKind::kScalar;
    int frequency = FrequencyTable::kNone;
  };
  Stream StreamOf(ValueKind kind, std::string_view tag);

  void AddMetrics(const StepInfo& info, const std::optional<double>& loss);
  void AddThroughput(const StepInfo& info, std::int64_t batch_size);
  void AddScalars(const StepInfo& info);
  void AddInput(const StepInfo& info);
  void AddHistograms(const StepInfo& info);
  // Adds all `tensors` under their own names.
  void AddNamed(const TensorList& tensors, std::int64_t step, ValueKind kind,
                NameCache<Stream>& streams);
  // Whether values of the stream are recorded in the current step.
  bool Records(const Stream& stream) const {
    return decision_.Records(stream.kind, stream.frequency);
  }
  void AddScalar(const Stream& stream, std::int64_t step, double value);
  void AddTensor(const Stream& stream, std::int64_t step, const TensorView& tensor);

  Recorder& recorder_;
  NanWatch& watch_;
  const CollectSpecifiedData& what_;
  const FrequencyTable& frequencies_;
  const ParameterSelection selection_;
  const std::function<void(std::string_view)> warn_;
  bool input_is_image_ = true;

  const Stream loss_;
  const Stream learning_rate_;
  const Stream step_time_;
  const Stream samples_per_second_;
  const Stream input_;
  NameCache<std::optional<Stream>> histograms_;  // None: not selected.
  NameCache<Stream> named_histograms_;
  NameCache<Stream> named_images_;
  NameCache<Stream> tensors_;
  NameCache<Stream> scalars_;

  // For the current step.
  CollectionDecision decision_;
  ValueSources heavy_;
  std::vector<TaggedValue> values_;
};

}  // namespace sightline
