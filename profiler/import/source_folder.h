// A folder of a profiler's files, of which each is read at most once. At the end those that were
// not read are noted in the profile with the reason.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "sightline/profiler/import/read_source.h"

namespace sightline::profile {

class SourceFolder {
 public:
  SourceFolder(const ImportTarget& target, std::string path);

  bool Has(const std::string& name) const { return names_.contains(name); }
  const std::set<std::string>& names() const { return names_; }

  // Each: whether the file is there and could be read. An `unseen` one is marked as such.
  bool Lines(const std::string& name, const std::function<void(ByteWindow&)>& read,
             bool unseen = false);
  bool Text(const std::string& name, const std::function<Status(std::string_view)>& read,
            bool unseen = false);
  // True where at least something was read: a cut trace is one.
  bool ChromeTrace(const std::string& name);
  // Of Sightline's recorder, with wall times.
  void PerfettoTrace(const std::string& name);

  // Notes every file that was not read, but folders and those that `leave` is true for.
  void NoteUnread(const std::function<bool(std::string_view)>& leave);

 private:
  // Whether it is there; then it counts as read.
  bool Take(const std::string& name);
  void Mark(bool unseen) const;

  const ImportTarget& target_;
  std::string path_;
  std::set<std::string> names_;
  std::set<std::string> unread_;
};

}  // namespace sightline::profile
