// The track events of a Perfetto trace, and what their sequence of packets has defined for them.
//
// Source: track_event/{track_event,debug_annotation}.proto, interned_data.proto,
// trace_packet_defaults.proto. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/profiler/model/model_builder.h"

namespace sightline::profiler {

// Interned names by their ids, which writers count up from 1.
class InternedNames {
 public:
  void Set(std::uint64_t iid, NameId name);
  // kNoName if there is none.
  NameId Find(std::uint64_t iid) const {
    if (iid < dense_.size() && dense_[iid] != kNoName) return dense_[iid];
    if (sparse_.empty()) return kNoName;
    const auto found = sparse_.find(iid);
    return found == sparse_.end() ? kNoName : found->second;
  }

 private:
  std::vector<NameId> dense_;
  std::unordered_map<std::uint64_t, NameId> sparse_;  // Ids far greater than all before them.
};

// What the packets of a sequence say once for the events after them.
struct EventDefinitions {
  InternedNames categories, names, annotation_names;
  std::uint64_t track = 0;                                           // Of events that name none,
  std::vector<std::uint64_t> extra_counters, extra_double_counters;  // like these tracks.
};

// What few events have.
struct RareFields {
  char phase = 0;  // Of a legacy event, like the next two.
  std::int64_t duration_us = 0;
  std::optional<std::uint64_t> id;
  std::optional<std::int64_t> delta_us, absolute_us;
  std::vector<std::uint64_t> extra_counters, extra_double_counters;  // Tracks
  std::vector<std::int64_t> extra_values;                            // and their values.
  std::vector<double> extra_double_values;
};
struct TrackEvent {
  std::uint64_t type = 0;
  std::uint64_t track = 0;
  NameId name = kNoName;
  NameId category = kNoName;
  double value = 0;
  std::vector<std::pair<std::uint64_t, bool>> flows;  // Id, and whether it ends here.
  std::string detail;                                 // A JSON object without its braces.
  NameId operator_type = kNoName;
  std::unique_ptr<RareFields> rare;

  RareFields& MakeRare() {
    if (!rare) rare = std::make_unique<RareFields>();
    return *rare;
  }
};

// Adds the entries of an InternedData, and the fields of the TrackEventDefaults.
void ReadInterned(std::string_view bytes, ModelBuilder& builder, EventDefinitions& definitions);
void ReadEventDefaults(std::string_view bytes, EventDefinitions& definitions);

TrackEvent ParseTrackEvent(std::string_view bytes, const EventDefinitions& definitions,
                           ModelBuilder& builder);

}  // namespace sightline::profiler
