#include "sightline/runs/keeping/notes_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>
#include <string_view>
#include <utility>

#include "sightline/base/descriptor.h"
#include "sightline/base/json/foreign_json.h"
#include "sightline/base/json/json_line.h"
#include "sightline/runs/keeping/folder_access.h"

namespace sightline {
namespace {

using nlohmann::json;

constexpr char kForm[] = "sightline_notes";
constexpr std::size_t kMaxFile = std::size_t{8} << 20U;
constexpr std::size_t kMaxId = 4096;
constexpr std::size_t kMaxName = 200;
constexpr std::size_t kMaxNote = 65'536;
constexpr std::size_t kMaxTag = 100;
constexpr std::size_t kMaxTags = 50;
constexpr unsigned kMaxColor = 1000;
constexpr std::size_t kMaxLayout = 16'384;
// A server holds the lock while it writes one file. Anybody who may read the directory can hold it,
// for any time.
constexpr std::chrono::seconds kLockPatience{1};
constexpr int kLockPauseMilliseconds = 5;

Status Invalid(std::string message) { return {StatusCode::kInvalidArgument, std::move(message)}; }

bool IsText(const json& value, std::size_t most) {
  return value.is_string() && value.get_ref<const std::string&>().size() <= most;
}

// A value that removes its field.
bool IsNothing(const json& value) {
  const bool empty_text = value.is_string() && value.get_ref<const std::string&>().empty();
  return value.is_null() || empty_text || value == false || (value.is_array() && value.empty());
}

Status CheckField(const std::string& name, const json& value) {
  if (IsNothing(value)) return {};
  if (name == "name" || name == "note") {
    const std::size_t most = name == "name" ? kMaxName : kMaxNote;
    return IsText(value, most)
               ? Status()
               : Invalid(fmt::format("{} must be a text of {} bytes at most", name, most));
  }
  if (name == "hidden" || name == "pinned")
    return value.is_boolean() ? Status() : Invalid(fmt::format("{} must be true or false", name));
  if (name == "color") {
    return value.is_number_integer() && value >= 0 && value <= kMaxColor
               ? Status()
               : Invalid(fmt::format("color must be a number from 0 to {}", kMaxColor));
  }
  if (name != "tags") return Invalid(fmt::format("'{}' is not a field of a run's notes", name));
  const bool fits =
      value.is_array() && value.size() <= kMaxTags &&
      std::all_of(value.begin(), value.end(), [](const json& tag) { return IsText(tag, kMaxTag); });
  return fits ? Status()
              : Invalid(fmt::format("tags must be a list of {} texts of {} bytes at most", kMaxTags,
                                    kMaxTag));
}

Status CheckRuns(const json& runs) {
  if (!runs.is_object()) return Invalid("runs must be an object");
  for (const auto& [id, run] : runs.items()) {
    if (run.is_null()) continue;
    if (id.size() > kMaxId || !run.is_object())
      return Invalid("the notes of a run must be an object");
    for (const auto& [field, value] : run.items())
      SIGHTLINE_RETURN_IF_ERROR(CheckField(field, value));
  }
  return {};
}

Status CheckLayouts(const json& layouts) {
  if (!layouts.is_object()) return Invalid("layouts must be an object");
  for (const auto& [name, layout] : layouts.items()) {
    if (name.size() > kMaxName || !(layout.is_null() || IsText(layout, kMaxLayout)))
      return Invalid(fmt::format("a layout must be a text of {} bytes at most", kMaxLayout));
  }
  return {};
}

// A patch may have values that remove something; in a file they say nothing.
void RemoveNothings(json& entries) {
  for (auto at = entries.begin(); at != entries.end();)
    at = IsNothing(*at) ? entries.erase(at) : std::next(at);
}

json Empty() { return {{kForm, 1}, {"runs", json::object()}, {"layouts", json::object()}}; }

Descriptor OpenRoot(const std::string& root) {
  return Descriptor(open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// Lets one server at a time change the root's file. The lock is on the directory, since the file is
// replaced. Where locks are not supported (network drives), the last of two servers wins.
Status Lock(int directory, const std::string& root) {
  const auto end = std::chrono::steady_clock::now() + kLockPatience;
  while (flock(directory, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return {};
    if (std::chrono::steady_clock::now() >= end) {
      return {StatusCode::kUnavailable,
              fmt::format("another program has locked {}; nothing was written, try again", root)};
    }
    poll(nullptr, 0, kLockPauseMilliseconds);
  }
  return {};
}

// The content of the root's file; kNotFound if it is missing, kFailedPrecondition if another
// program wrote it.
Result<json> ReadFile(int root) {
  const auto text = ReadSmallFile(root, kNotesFile, kMaxFile);
  if (!text && text.error().code() == StatusCode::kNotFound)
    return Error(StatusCode::kNotFound, kNotesFile);
  json held = ParseForeignJson<json>(text.value_or(""));
  const bool ours = held.is_object() && held.contains(kForm) && held.contains("runs") &&
                    held.contains("layouts") && held.size() == 3;
  // Checked in place: copying values that are nested very deep would overflow the stack.
  if (!ours || held[kForm] != 1 || !CheckRuns(held["runs"]).ok() ||
      !CheckLayouts(held["layouts"]).ok()) {
    return Error(StatusCode::kFailedPrecondition,
                 fmt::format("{} in the served directory is damaged, or another program wrote it; "
                             "move it away to write notes",
                             kNotesFile));
  }
  RemoveNothings(held["layouts"]);
  RemoveNothings(held["runs"]);
  for (auto& [id, run] : held["runs"].items()) RemoveNothings(run);
  return held;
}

}  // namespace

Status CheckNotesPatch(const json& patch) {
  for (const auto& [part, entries] : patch.items()) {
    if (part != "runs" && part != "layouts")
      return Invalid("notes are {\"runs\": {...}, \"layouts\": {...}}");
    SIGHTLINE_RETURN_IF_ERROR(part == "runs" ? CheckRuns(entries) : CheckLayouts(entries));
  }
  return {};
}

void SetNotes(json& entries, const std::string& name, const json& patch) {
  if (!patch.is_object()) {
    if (IsNothing(patch)) {
      entries.erase(name);
    } else {
      entries[name] = patch;
    }
    return;
  }
  json& entry = entries.emplace(name, json::object()).first.value();
  for (const auto& [field, value] : patch.items()) {
    if (IsNothing(value)) {
      entry.erase(field);
    } else {
      entry[field] = value;
    }
  }
  if (entry.empty()) entries.erase(name);
}

Result<json> ReadNotes(const std::string& root) {
  const Descriptor directory = OpenRoot(root);
  if (directory.get() < 0) return Error(ErrnoStatus("cannot open " + root, errno));
  return ReadFile(directory.get());
}

Status ChangeNotes(const std::string& root, const std::function<void(json&)>& change) {
  const Descriptor directory = OpenRoot(root);
  if (directory.get() < 0) return ErrnoStatus("cannot open " + root, errno);
  SIGHTLINE_RETURN_IF_ERROR(Lock(directory.get(), root));
  auto held = ReadFile(directory.get());
  if (!held && held.error().code() != StatusCode::kNotFound) return held.error();
  json notes = held ? *std::move(held) : Empty();
  change(notes);
  const std::string text = IndentedJson(notes, 1) + "\n";
  if (text.size() > kMaxFile)
    return Invalid(fmt::format("notes take {} MB at most", kMaxFile >> 20U));
  return WriteWholeFile(directory.get(), kNotesFile, text);
}

}  // namespace sightline
