// FirstMetadata: TensorBoard's SummaryMetadata of the first value of each tag, which hold for its
// later values (InheritMetadata in event_view.h).
//
//   FirstMetadata metadata;
//   while (...) metadata.Apply(file_kind, event);  // In reading order, over all files of a run.
//
// One thread.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "sightline/recorder/reading/event_view.h"

namespace sightline {

class FirstMetadata {
 public:
  // Notes the metadata of the event's values, and gives them to values that lack them. Those values
  // borrow them from this object.
  void Apply(EventFileKind file_kind, EventView& event);

 private:
  std::map<std::string, std::string, std::less<>> by_tag_;
};

}  // namespace sightline
