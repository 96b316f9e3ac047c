// Translation: what one record of another recorder says, in the terms of event files.
//
// Plain data; one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sightline {

struct Translation {
  // A setting or a fact of the run. A later one of the same name replaces it, and all names below
  // it ("optimizer" replaces "optimizer.name").
  struct Setting {
    std::string name;
    std::string json;  // Empty: it is removed.
    // The recorder made it of a series of this name, so it says nothing that the series does not.
    std::string of_series = {};
  };

  std::string event;  // An event of TensorBoard's dialect; of kind kEmpty if there are no values.
  std::vector<Setting> settings;
  std::vector<std::string> unread;  // What the record has besides, by kind: "artifact", "list".
  bool ends = false;                // The record says that the run ended.

  // A setting that is a text; none if it is empty.
  void AddText(std::string name, std::string_view text);
  void Clear() {
    event.clear();
    settings.clear();
    unread.clear();
    ends = false;
  }
};

// What a translator remembers from record to record.
struct TranslatorState {
  std::int64_t last_step = 0;  // Of the newest values: what has no step of its own gets it.
};

}  // namespace sightline
