// sightline verify: is every byte of the event files sound?
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sightline/base/byte_size.h"
#include "sightline/base/json/json_line.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/source/event_source.h"
#include "sightline/runs/source/run_directories.h"
#include "sightline/tools/cli/runs/file_notes.h"
#include "sightline/tools/cli/runs/journal_notes.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct VerifyOptions {
  std::vector<std::string> paths;
  bool json = false;
};

constexpr char kHelp[] = R"(Checks that event files are sound.

Reads them from end to end, and verifies both checksums of every record and that each record is an
event. Prints what is damaged, changes nothing. Directories are searched for event files.
)";

constexpr char kExamples[] = R"(Examples:
  sightline verify ./output            every event file below a directory
  sightline verify --json run/*_MS     one line of JSON for each file

Reasons: "length checksum", "payload checksum": bytes changed; "truncated": a record that does not
end (the last one of a file may be one that a running program has not finished); "malformed event":
the checksums hold, but the record is not an event.

Exit codes: 0 every file is sound, 1 damage was found, 2 a file cannot be read.)";

RunFile Unreadable(const std::string& path, const Status& status) {
  RunFile file;
  file.path = path;
  file.status = status;
  return file;
}

// Stores no values, so that a file of any size takes little memory.
RunFile Check(const EventSource& source) {
  auto reader = OpenEventSource(source);
  if (!reader) return Unreadable(source.path, reader.error());
  while ((*reader)->Next() == ReadOutcome::kRecord) {
  }
  Status status = (*reader)->status();
  if (status.ok()) status = CheckIsEventFile(source, **reader);
  if (!status.ok()) return Unreadable(source.path, status);
  RunFile file;
  file.path = source.path;
  file.bytes = (*reader)->position();
  file.records = (*reader)->records();
  file.damage = (*reader)->skipped();
  return file;
}

std::string ToJson(const RunFile& file) {
  nlohmann::ordered_json json;
  json["file"] = file.path;
  if (!file.status.ok()) json["error"] = file.status.message();
  json["records"] = file.records;
  json["bytes"] = file.bytes;
  json["regions"] = nlohmann::ordered_json::array();
  for (const SkippedRegion& region : file.damage) {
    json["regions"].push_back({{"offset", region.offset},
                               {"length", region.length},
                               {"reason", SkipReasonName(region.reason)}});
  }
  json["journals"] = JournalsToJson(ListJournals(FileSystem::Local(), DirectoryOf(file.path)));
  return JsonLine(json);
}

std::string Verdict(const RunFile& file, const Style& style) {
  if (!file.status.ok()) return style.Red("cannot be read: " + Printable(file.status.message()));
  if (file.damage.empty()) return "sound";
  std::uint64_t lost = 0;
  for (const SkippedRegion& region : file.damage) lost += region.length;
  return style.Red(fmt::format("{}, {} lost", Count(file.damage.size(), "damaged region"),
                               FormatByteSize(lost)));
}

void PrintTables(const std::vector<RunFile>& files) {
  const Style style(stdout);
  using enum Table::Align;
  Table table({{"file", kLeft}, {"records", kRight}, {"bytes", kRight}, {"", kLeft}}, 0);
  Table regions({{"file", kLeft}, {"offset", kRight}, {"length", kRight}, {"reason", kLeft}}, 0);
  bool damaged = false;
  for (const RunFile& file : files) {
    table.AddRow({Printable(file.path), fmt::to_string(file.records), fmt::to_string(file.bytes),
                  Verdict(file, style)});
    for (const SkippedRegion& region : file.damage) {
      regions.AddRow({Printable(file.path), fmt::to_string(region.offset),
                      fmt::to_string(region.length), std::string(SkipReasonName(region.reason))});
      damaged = true;
    }
  }
  std::fputs(table.ToString(style).c_str(), stdout);
  if (damaged) std::fputs(("\n" + regions.ToString(style)).c_str(), stdout);
  std::set<std::string> directories;
  for (const RunFile& file : files) directories.insert(DirectoryOf(file.path));
  for (const std::string& directory : directories) {
    std::fputs(JournalNotes(ListJournals(FileSystem::Local(), directory), 0).c_str(), stdout);
  }
}

int Verify(const VerifyOptions& options) {
  std::vector<RunFile> files;
  const auto add = [&](RunFile file) {
    if (options.json) std::puts(ToJson(file).c_str());
    files.push_back(std::move(file));
  };
  for (const std::string& path : options.paths) {
    std::vector<std::string> notes;
    const auto sources = EventSourcesAt(FileSystem::Local(), path, &notes);
    PrintNotes("verify", notes);
    if (!sources) {
      add(Unreadable(path, sources.error()));
      continue;
    }
    for (const EventSource& source : *sources) add(Check(source));
  }
  int exit_code = kExitOk;
  for (const RunFile& file : files) {
    if (!file.status.ok()) exit_code = kExitError;
    if (!file.damage.empty() && exit_code == kExitOk) exit_code = kExitDamage;
  }
  if (!options.json) PrintTables(files);
  return exit_code;
}

}  // namespace

void AddVerifyCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand("verify", kHelp);
  command->footer(kExamples);
  command->add_option("PATH", options->paths, "Event files, or directories to search for some")
      ->required();
  command->add_flag("--json", options->json,
                    "One line of JSON for each file: file, records, bytes, regions [{offset, "
                    "length, reason}], and "
                    "journals [{journal, session_id, owner}] beside it");
  command->callback([options, &exit_code] { exit_code = Verify(*options); });
}

}  // namespace sightline
