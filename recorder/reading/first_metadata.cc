#include "sightline/recorder/reading/first_metadata.h"

namespace sightline {

void FirstMetadata::Apply(EventFileKind file_kind, EventView& event) {
  for (ValueView& value : event.values) {
    const bool lacks = LacksMetadata(file_kind, value);
    if (value.metadata.empty() && !lacks) continue;
    const auto found = by_tag_.find(value.tag);
    if (found == by_tag_.end()) {
      if (!lacks) by_tag_.emplace(value.tag, value.metadata);
    } else if (lacks) {
      InheritMetadata(found->second, value);
    }
  }
}

}  // namespace sightline
