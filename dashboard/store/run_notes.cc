#include "sightline/dashboard/store/run_notes.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "sightline/base/digest/sha256.h"
#include "sightline/base/json/json_line.h"
#include "sightline/runs/keeping/notes_file.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;

std::string VersionOf(const json& value) { return Sha256Hex(IndentedJson(value, 1)).substr(0, 16); }

}  // namespace

std::pair<std::size_t, std::string> RunNotes::PlaceOf(const std::string& id) const {
  std::size_t root = 0;
  const std::size_t colon = id.find(':');
  if (roots_.size() == 1 || colon == std::string::npos) return {0, id};
  const auto [end, error] = std::from_chars(id.data(), id.data() + colon, root);
  if (error != std::errc() || end != id.data() + colon || root >= roots_.size()) return {0, id};
  return {root, id.substr(colon + 1)};
}

bool RunNotes::Any() const {
  struct stat info {};
  return writable() || std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) {
           return lstat((root + "/" + kNotesFile).c_str(), &info) == 0;
         });
}

json RunNotes::Read() const {
  json all = {{"runs", json::object()}, {"layouts", json::object()}};
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    auto held = ReadNotes(roots_[i]);
    if (!held) continue;
    const std::string before = roots_.size() == 1 ? "" : fmt::format("{}:", i);
    for (auto& [path, entry] : (*held)["runs"].items())
      all["runs"][before + path] = std::move(entry);
    if (i == 0) all["layouts"] = std::move((*held)["layouts"]);
  }
  all["version"] = VersionOf(all);
  all["writable"] = writable();
  return all;
}

Status RunNotes::MergeInto(std::size_t root, const json& runs, const json& layouts) const {
  return ChangeNotes(roots_[root], [&](json& notes) {
    for (const auto& [path, entry] : runs.items()) SetNotes(notes["runs"], path, entry);
    for (const auto& [name, layout] : layouts.items()) SetNotes(notes["layouts"], name, layout);
  });
}

Result<json> RunNotes::Merge(const json& patch) {
  if (!writable()) {
    return Error(StatusCode::kPermissionDenied,
                 "the server only reads; `sightline serve --allow-write` allows notes");
  }
  SIGHTLINE_RETURN_IF_ERROR(CheckNotesPatch(patch));
  std::map<std::size_t, json> runs;
  if (const auto at = patch.find("runs"); at != patch.end()) {
    for (const auto& [id, entry] : at->items()) {
      const auto [root, path] = PlaceOf(id);
      runs[root][path] = entry;
    }
  }
  json layouts = json::object();
  if (const auto at = patch.find("layouts"); at != patch.end() && !at->empty()) {
    layouts = *at;
    runs.emplace(0, json::object());
  }
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [root, entries] : runs)
      SIGHTLINE_RETURN_IF_ERROR(MergeInto(root, entries, root == 0 ? layouts : json::object()));
  }
  return Read();
}

bool RunNotes::ChangedSinceAsked() {
  std::vector<FileStamp> now;
  for (const std::string& root : roots_)
    now.push_back(StampOf(FileSystem::Local(), JoinPath(root, kNotesFile)));
  const std::lock_guard lock(mutex_);
  return std::exchange(stamps_, now) != now;
}

}  // namespace sightline::dashboard
