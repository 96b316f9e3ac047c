#include "sightline/runs/keeping/trash_record.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/json/json_line.h"
#include "sightline/runs/keeping/notes_file.h"
#include "sightline/runs/keeping/run_id.h"

namespace sightline {
namespace {

using nlohmann::json;

constexpr char kForm[] = "sightline_trash";
constexpr std::size_t kMaxUp = 1000;

std::string_view StateName(TrashRecord::State state) {
  switch (state) {
    case TrashRecord::State::kMoving:
      return "moving";
    case TrashRecord::State::kKept:
      return "kept";
    case TrashRecord::State::kLeaving:
      return "leaving";
  }
  return "";
}

// "a/b": names only, none of which leads up.
bool IsPathBelow(std::string_view path) {
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find('/'));
    if (name.empty() || name == "." || name == ".." || name.find('\0') != name.npos) return false;
    if (name.size() == path.size()) return true;
    path.remove_prefix(name.size() + 1);
  }
  return false;
}

std::optional<std::string> PathIn(const json& value) {
  if (!value.is_string()) return std::nullopt;
  std::string path = BytesOfRunId(value.get_ref<const std::string&>());
  if (!IsPathBelow(path)) return std::nullopt;
  return path;
}

bool ReadNotesOf(const json& notes, std::vector<MovedNote>& read) {
  if (!notes.is_array()) return false;
  for (const json& note : notes) {
    if (!note.is_object() || !note.value("up", json()).is_number_unsigned() ||
        note["up"] > kMaxUp || !note.value("run", json()).is_string() ||
        !note.value("entry", json()).is_object())
      return false;
    const auto& run = note["run"].get_ref<const std::string&>();
    if (!CheckNotesPatch({{"runs", {{run, note["entry"]}}}}).ok()) return false;
    read.push_back({note["up"], run, note["entry"]});
  }
  return true;
}

bool ReadRecord(const json& from, TrashRecord& record) {
  if (!from.is_object() || from.value(kForm, json()) != 1) return false;
  const auto run = PathIn(from.value("run", json()));
  const json paths = from.value("paths", json());
  if (!run || !paths.is_array()) return false;
  record.run = *run;
  for (const json& value : paths) {
    auto path = PathIn(value);
    if (!path) return false;
    record.paths.push_back(*std::move(path));
  }
  using State = TrashRecord::State;
  const State all[] = {State::kMoving, State::kKept, State::kLeaving};
  const json name = from.value("state", json());
  const auto* state = std::find_if(std::begin(all), std::end(all),
                                   [&](State one) { return name == json(StateName(one)); });
  const json time = from.value("time", json());
  const json files = from.value("files", json());
  const json bytes = from.value("bytes", json());
  if (state == std::end(all) || !time.is_number() || !files.is_number_unsigned() ||
      !bytes.is_number_unsigned())
    return false;
  record.state = *state;
  record.time = time;
  record.files = files;
  record.bytes = bytes;
  return ReadNotesOf(from.value("notes", json()), record.notes);
}

}  // namespace

std::string TrashRecordText(const TrashRecord& record) {
  json text = {{kForm, 1},
               {"state", StateName(record.state)},
               {"time", record.time},
               {"run", RunId(record.run)},
               {"paths", json::array()},
               {"notes", json::array()},
               {"files", record.files},
               {"bytes", record.bytes}};
  for (const std::string& path : record.paths) text["paths"].push_back(RunId(path));
  for (const MovedNote& note : record.notes)
    text["notes"].push_back({{"up", note.up}, {"run", note.run}, {"entry", note.entry}});
  return IndentedJson(text, 1) + "\n";
}

Result<TrashRecord> ParseTrashRecord(std::string id, std::string_view text) {
  TrashRecord record;
  record.id = std::move(id);
  if (!ReadRecord(ParseForeignJson<json>(text), record))
    return Error(StatusCode::kDataLoss, "move.json is damaged, or another program wrote it");
  return record;
}

}  // namespace sightline
