// StoredValue: one value of an event file, read on demand. It holds the record's bytes and views
// into them.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const StoredValue stored, run->Read(series.point(i)));
//   SIGHTLINE_ASSIGN_OR_RETURN(const EncodedImage image, stored.Image());
//
// Plain data; may be read from any thread. Views live as long as the object, also if it is moved.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/reading/event_view.h"

namespace sightline {

class StoredValue {
 public:
  // Value number `value` of the event in `payload`, and of that value picture or sound number
  // `item`; only the event, if it is of a kind without values. kDataLoss if there is no such value.
  static Result<StoredValue> Parse(EventFileKind file_kind, std::string payload,
                                   std::uint32_t value, std::uint32_t item = 0);

  // Gives the value the metadata of the first value of its tag. REQUIRES: LacksMetadata.
  void Inherit(std::string metadata);
  bool has_inherited() const { return metadata_ != nullptr; }

  EventFileKind file_kind() const { return file_kind_; }
  const EventView& event() const { return event_; }
  // An empty value of kUnknown if the event has no values.
  const ValueView& value() const { return value_; }
  // Which of the value's pictures or sounds Image and Audio return. The value itself is the same.
  std::uint32_t item() const { return item_; }

  // The decoded value, see event_decode.h. kInvalidArgument for a value of another kind.
  Result<TensorData> Tensor() const;
  Result<HistogramData> Histogram() const;
  Result<EncodedImage> Image() const;                   // Points into this object.
  Result<std::vector<std::string_view>> Texts() const;  // The same; kText of either dialect.
  Result<EncodedAudio> Audio() const;                   // The same.

 private:
  std::unique_ptr<const std::string> payload_;
  std::unique_ptr<const std::string> metadata_;  // Inherited; else null.
  EventFileKind file_kind_ = EventFileKind::kMindSporeSummary;
  EventView event_;
  ValueView value_;
  std::uint32_t item_ = 0;
};

}  // namespace sightline
