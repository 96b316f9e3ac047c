// sightline trash: what `rm` moved; back again, or deleted for good.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "sightline/base/byte_size.h"
#include "sightline/base/clock.h"
#include "sightline/base/json/json_line.h"
#include "sightline/base/text/duration_text.h"
#include "sightline/runs/keeping/folder_access.h"
#include "sightline/runs/keeping/trash.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

using nlohmann::ordered_json;

struct TrashVerbOptions {
  std::vector<std::string> folders;
  std::vector<std::string> ids;
  std::string older_than;
  bool yes = false;
  bool json = false;
};

constexpr char kHelp[] =
    R"(The runs that `sightline rm` moved to the trash: lists, restores and deletes them.

The trash is a folder .sightline-trash beside the runs. These verbs look for it in and below a
folder, which is this one if you name none.
)";

constexpr char kExamples[] = R"(Examples:
  sightline trash list output
  sightline trash restore                                   what was moved last, below this folder
  sightline trash restore 20261130T110305-3f2a --in output
  sightline trash empty output --older-than 30d             what would be deleted
  sightline trash empty output --older-than 30d --yes)";

int Fail(const Status& status) {
  std::fprintf(stderr, "sightline trash: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

struct Entry {
  std::string folder;  // Real path of the one with the trash.
  TrashRecord record;
  std::string directory() const { return PathBelow(folder, record.run); }
};

struct Found {
  std::vector<std::string> folders;
  std::vector<Entry> entries;
};

// An error if a folder cannot be read.
Result<Found> FindEntries(const std::vector<std::string>& folders) {
  Found found;
  std::vector<std::string> notes;
  for (const std::string& folder : folders) {
    std::error_code error;
    const std::string real = std::filesystem::canonical(folder, error).string();
    if (error || !std::filesystem::is_directory(real, error))
      return Error(StatusCode::kNotFound, folder + " is not a folder");
    for (std::string& one : Trash::Find(real)) {
      if (std::find(found.folders.begin(), found.folders.end(), one) != found.folders.end())
        continue;
      for (TrashRecord& record : Trash::List(one, &notes))
        found.entries.push_back({one, std::move(record)});
      found.folders.push_back(std::move(one));
    }
  }
  for (const std::string& note : notes)
    std::fprintf(stderr, "sightline trash: %s\n", Printable(note).c_str());
  return found;
}

ordered_json ToJson(const Entry& entry) {
  return {{"id", entry.record.id},
          {"directory", entry.directory()},
          {"time", entry.record.time},
          {"files", entry.record.files},
          {"bytes", entry.record.bytes},
          {"notes", entry.record.notes.size()},
          {"kept", entry.record.state == TrashRecord::State::kKept}};
}

std::string TableOf(const std::vector<Entry>& entries) {
  Table table({{"id", Table::Align::kLeft},
               {"moved", Table::Align::kLeft},
               {"files", Table::Align::kRight},
               {"size", Table::Align::kRight},
               {"run", Table::Align::kLeft}},
              0);
  for (const Entry& entry : entries) {
    const bool kept = entry.record.state == TrashRecord::State::kKept;
    table.AddRow({Printable(entry.record.id), FormatTime(entry.record.time),
                  fmt::to_string(entry.record.files), FormatByteSize(entry.record.bytes),
                  Printable(entry.directory()) + (kept ? "" : " (interrupted; comes back)")});
  }
  return table.ToString(Style(stdout));
}

std::string Sum(const std::vector<Entry>& entries) {
  std::uint64_t bytes = 0;
  for (const Entry& entry : entries) bytes += entry.record.bytes;
  return fmt::format("{} ({})", Count(entries.size(), "run"), FormatByteSize(bytes));
}

int PrintList(const TrashVerbOptions& options) {
  const auto found = FindEntries(options.folders);
  if (!found) return Fail(found.error());
  if (options.json) {
    ordered_json json = {{"runs", ordered_json::array()}};
    for (const Entry& entry : found->entries) json["runs"].push_back(ToJson(entry));
    std::puts(JsonLine(json).c_str());
  } else {
    std::fputs(found->entries.empty() ? "the trash is empty\n" : TableOf(found->entries).c_str(),
               stdout);
  }
  return kExitOk;
}

// The id of the call that moved the run: "20261130T110305-3f2a" of "20261130T110305-3f2a.1".
std::string_view CallOf(const Entry& entry) {
  const std::string_view id = entry.record.id;
  return id.substr(0, id.rfind('.'));
}

// Those with one of the ids; without ids, those of the last call.
Result<std::vector<Entry>> Choose(std::vector<Entry> all, const std::vector<std::string>& ids) {
  const auto has = [](const Entry& entry, const std::string& id) {
    return entry.record.id == id || CallOf(entry) == id;
  };
  for (const std::string& id : ids) {
    if (std::none_of(all.begin(), all.end(), [&](const Entry& one) { return has(one, id); })) {
      return Error(
          StatusCode::kNotFound,
          fmt::format("there is no '{}' in the trash; `sightline trash list` names what is "
                      "there, and --in says where to look",
                      id));
    }
  }
  std::vector<std::string> wanted = ids;
  if (ids.empty() && !all.empty()) {
    const auto last = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.record.time < b.record.time;
    });
    wanted.emplace_back(CallOf(*last));
  }
  std::erase_if(all, [&](const Entry& entry) {
    return std::none_of(wanted.begin(), wanted.end(),
                        [&](const std::string& id) { return has(entry, id); });
  });
  return all;
}

int Restore(const TrashVerbOptions& options) {
  const auto found = FindEntries(options.folders);
  if (!found) return Fail(found.error());
  const auto chosen = Choose(found->entries, options.ids);
  if (!chosen) return Fail(chosen.error());
  ordered_json json = {{"runs", ordered_json::array()}};
  bool failed = false;
  OpenTrashes trashes({.make = false});
  for (const Entry& entry : *chosen) {
    const auto& trash = trashes.Of(entry.folder);
    // Opening puts back what was interrupted.
    const bool back = trash && entry.record.state != TrashRecord::State::kKept;
    const Status restored = !trash ? trash.error()
                            : back ? Status()
                                   : (*trash)->Restore(entry.record.id);
    failed = failed || !restored.ok();
    json["runs"].push_back(ToJson(entry));
    if (!restored.ok()) json["runs"].back()["error"] = restored.message();
    if (options.json) continue;
    if (restored.ok()) {
      std::printf("restored %s\n", Printable(entry.directory()).c_str());
    } else {
      (void)Fail(restored);
    }
  }
  if (options.json) std::puts(JsonLine(json).c_str());
  if (chosen->empty() && !options.json) std::puts("the trash is empty");
  if (failed) return kExitError;
  return chosen->empty() ? kExitDamage : kExitOk;
}

int Empty(const TrashVerbOptions& options) {
  auto found = FindEntries(options.folders);
  if (!found) return Fail(found.error());
  const double now = Clock::System().WallSeconds();
  const double age = options.older_than.empty() ? 0 : ParseDuration(options.older_than).value_or(0);
  std::erase_if(found->entries, [&](const Entry& entry) {
    return entry.record.state != TrashRecord::State::kKept ||
           (age > 0 && !(now - entry.record.time > age));
  });
  ordered_json json = {{"dry_run", !options.yes}, {"runs", ordered_json::array()}};
  for (const Entry& entry : found->entries) json["runs"].push_back(ToJson(entry));
  Status failed;
  for (const std::string& folder : options.yes ? found->folders : std::vector<std::string>()) {
    const auto trash = Trash::Open(folder, {.make = false});
    Status status = trash ? (*trash)->DeleteRest() : trash.error();
    for (const Entry& entry : found->entries) {
      if (status.ok() && entry.folder == folder) status = (*trash)->Delete(entry.record.id);
    }
    if (!status.ok()) failed = status;
  }
  if (options.json) std::puts(JsonLine(json).c_str());
  if (!failed.ok()) return Fail(failed);
  if (options.json) return kExitOk;
  if (!found->entries.empty()) std::fputs(TableOf(found->entries).c_str(), stdout);
  std::fputs((found->entries.empty() ? "there is nothing to delete\n"
              : options.yes          ? fmt::format("deleted {}\n", Sum(found->entries))
                            : fmt::format("nothing was deleted; --yes deletes {} for good\n",
                                          Sum(found->entries)))
                 .c_str(),
             stdout);
  return kExitOk;
}

CLI::App* AddVerb(CLI::App& app, const std::string& name, const std::string& help,
                  TrashVerbOptions& options) {
  CLI::App* command = app.add_subcommand(name, help);
  command->add_flag("--json", options.json, "One JSON object");
  return command;
}

}  // namespace

void AddTrashCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<TrashVerbOptions>();
  options->folders = {"."};
  CLI::App* command = app.add_subcommand("trash", kHelp);
  command->footer(kExamples);
  command->require_subcommand(1);
  CLI::App* list = AddVerb(*command, "list", "Lists what is in the trash.", *options);
  list->add_option("FOLDER", options->folders, "Folders with a trash in or below them");
  list->callback([options, &exit_code] { exit_code = PrintList(*options); });

  CLI::App* restore = AddVerb(
      *command, "restore",
      "Moves runs back to where they were, with their notes. Overwrites nothing.", *options);
  restore->add_option("ID", options->ids,
                      "As `rm` and `trash list` print them; without one, what was moved last");
  restore
      ->add_option("--in", options->folders,
                   "A folder with a trash in or below it; may be "
                   "given several times")
      ->allow_extra_args(false);
  restore->callback([options, &exit_code] { exit_code = Restore(*options); });

  CLI::App* empty =
      AddVerb(*command, "empty",
              "Deletes what is in the trash, for good. Without --yes, only says what.", *options);
  empty->add_option("FOLDER", options->folders, "Folders with a trash in or below them");
  empty->add_option("--older-than", options->older_than, "Only what was moved before: 30d, 12h")
      ->check([](const std::string& text) {
        return ParseDuration(text)
                   ? std::string()
                   : "'" + text + "' is not a time: write a number and s, m, h or d";
      });
  empty->add_flag("--yes", options->yes, "Delete it");
  empty->callback([options, &exit_code] { exit_code = Empty(*options); });
}

}  // namespace sightline
