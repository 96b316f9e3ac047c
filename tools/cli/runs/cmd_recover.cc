// sightline recover: completes files that a killed recorder left, and copies sound records of
// damaged ones.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/byte_size.h"
#include "sightline/base/clock.h"
#include "sightline/base/fault_log.h"
#include "sightline/base/json/json_line.h"
#include "sightline/export/runs/export_target.h"
#include "sightline/export/runs/recovered_copy.h"
#include "sightline/recorder/writing/journal_owner.h"
#include "sightline/recorder/writing/journal_replay.h"
#include "sightline/recorder/writing/killed_mark.h"
#include "sightline/runs/source/run_directories.h"
#include "sightline/tools/cli/runs/file_notes.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/remove_on_signal.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct RecoverOptions {
  std::vector<std::string> paths;
  std::string output;
  bool json = false;
  bool other_machines = false;
};

constexpr char kHelp[] = R"(Completes the files of runs whose recorder was killed.

A recorder that is killed leaves a journal beside its event files, with what it had accepted but not
yet written. Without -o, what the journals in and below each PATH hold is written into their files, as
the next recorder there would do. Journals of live recorders are left alone, and so are those that
another machine wrote on a shared drive, unless you give --other-machines. Damage is not mended.

With -o, nothing in PATH changes: every sound record, and what journals hold, is written to new
files in a new folder, under the same names. These are read again and compared with the sound
records that a second search found. Prints what is lost, with file, offset and steps.
)";

constexpr char kExamples[] = R"(Examples:
  sightline recover ./output                 complete what killed runs left
  sightline recover run_a run_b              only in these
  sightline recover ./output -o ./recovered  sound copies of everything
  sightline recover run/*_lineage -o ./recovered   a sound copy of one file
  sightline recover --json ./output -o ./recovered | jq 'select(.lost != [])'

Exit codes: 0 nothing is lost, 1 done but something is lost, 2 not done.)";

int Fail(const Status& status) {
  std::fprintf(stderr, "sightline recover: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

void PrintLine(const nlohmann::ordered_json& json) { std::puts(JsonLine(json).c_str()); }

// The event files at PATH, each with its path below the output.
struct Work {
  EventSource source;
  std::string folder;
};

Result<std::vector<Work>> ListWork(const std::string& path) {
  FileSystem& file_system = FileSystem::Local();
  std::vector<Work> work;
  const auto info = file_system.Stat(path);
  if (!info || !info->is_directory) {
    SIGHTLINE_ASSIGN_OR_RETURN(EventSource source, FindEventSource(path, &file_system));
    if (source.kind && IsTranslated(*source.kind)) {
      return Error(StatusCode::kInvalidArgument,
                   fmt::format("{}: a file of {}, which is read as it is, damage included", path,
                               EventFileKindName(*source.kind)));
    }
    work.push_back({std::move(source), "."});
    return work;
  }
  std::vector<std::string> notes;
  SIGHTLINE_ASSIGN_OR_RETURN(auto directories, FindRunDirectories(file_system, path, &notes));
  PrintNotes("recover", notes);
  for (RunDirectory& directory : directories) {
    for (EventSource& source : directory.sources) {
      if (!IsTranslated(source.kind.value_or(EventFileKind::kTensorBoard)))
        work.push_back({std::move(source), directory.name});
    }
  }
  if (work.empty())
    return Error(StatusCode::kNotFound, path + ": there are no event files in or below it");
  return work;
}

// --- In place ---

struct Completed {
  std::string directory;
  int journals = 0;
  std::uint64_t events = 0;
  std::size_t live = 0;
  Status fault;
  std::size_t left = 0;  // Journals of dead recorders that remain.
};

Completed Complete(const std::string& directory, bool other_machines) {
  FaultLog faults;
  // The marks come first, so that a kill leaves no recovered run without one.
  std::vector<std::string> marked;
  for (const LeftJournal& journal : ListJournals(FileSystem::Local(), directory)) {
    if (journal.owner == JournalOwner::kLives) continue;
    const Status status = MarkKilled(FileSystem::Local(), directory, journal.session_id);
    if (status.ok()) marked.push_back(journal.session_id);
    faults.Note(status);
  }
  const ReplaySummary replayed =
      ReplayJournals(directory, FileSystem::Local(), Clock::System(), faults, Host::This(),
                     other_machines ? OtherMachines::kAdopt : OtherMachines::kLeaveAlone);
  Completed completed{
      directory, replayed.completed, replayed.events, replayed.live.size(), faults.first(), 0};
  for (const LeftJournal& journal : ListJournals(FileSystem::Local(), directory)) {
    if (journal.owner != JournalOwner::kLives) ++completed.left;
    if (std::find(marked.begin(), marked.end(), journal.session_id) != marked.end())
      (void)RemoveKilledMark(FileSystem::Local(), directory, journal.session_id);
  }
  return completed;
}

void Print(const Completed& completed, bool json) {
  const std::string fault = Printable(completed.fault.message());
  if (json) {
    nlohmann::ordered_json line = {{"directory", completed.directory},
                                   {"journals_completed", completed.journals},
                                   {"events", completed.events},
                                   {"live_journals", completed.live}};
    if (!completed.fault.ok()) line["error"] = completed.fault.message();
    PrintLine(line);
    return;
  }
  std::string text = Printable(completed.directory) + ": ";
  if (completed.journals > 0) {
    text += fmt::format("{} completed, {} moved into the files",
                        Count(static_cast<std::uint64_t>(completed.journals), "journal"),
                        Count(completed.events, "event"));
  } else {
    text += "no journal to complete";
  }
  if (completed.live > 0) {
    text +=
        fmt::format("; {} left alone, since its recorder lives", Count(completed.live, "journal"));
  }
  if (!completed.fault.ok()) text += "; " + fault;
  std::puts(text.c_str());
}

// The folders of runs in and below `path`.
Result<std::vector<std::string>> FoldersOf(const std::string& path) {
  FileSystem& file_system = FileSystem::Local();
  SIGHTLINE_ASSIGN_OR_RETURN(const auto info, file_system.Stat(path));
  if (!info.is_directory) {
    return Error(StatusCode::kInvalidArgument,
                 path + ": is a file; give its folder, or -o for a sound copy");
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const auto runs, FindRunDirectories(file_system, path));
  std::vector<std::string> folders;
  folders.reserve(runs.size() + 1);
  for (const RunDirectory& run : runs) folders.push_back(run.path);
  // A damaged journal shows no file, so the folder itself is always included.
  const bool itself = !runs.empty() && runs.front().name == ".";
  if (!itself && !FindJournals(path, file_system).empty()) folders.insert(folders.begin(), path);
  if (folders.empty())
    return Error(StatusCode::kNotFound, path + ": there are no event files in or below it");
  return folders;
}

int CompleteInPlace(const RecoverOptions& options) {
  std::vector<std::string> directories;  // All are found before any is changed.
  for (const std::string& path : options.paths) {
    auto folders = FoldersOf(path);
    if (!folders) return Fail(folders.error());
    std::move(folders->begin(), folders->end(), std::back_inserter(directories));
  }
  int exit_code = kExitOk;
  for (const std::string& directory : directories) {
    const Completed completed = Complete(directory, options.other_machines);
    Print(completed, options.json);
    if (!completed.fault.ok() && exit_code == kExitOk) exit_code = kExitDamage;
    if (completed.left > 0) exit_code = kExitError;
  }
  return exit_code;
}

// --- To new files ---

std::string StepsOf(const LostRegion& lost) {
  if (lost.after_step && lost.before_step)
    return fmt::format("between {} and {}", *lost.after_step, *lost.before_step);
  if (lost.after_step) return fmt::format("after {}", *lost.after_step);
  if (lost.before_step) return fmt::format("before {}", *lost.before_step);
  return "unknown";
}

nlohmann::ordered_json ToJson(const std::string& path, const std::string& output,
                              const RecoveredFile& file) {
  nlohmann::ordered_json json = {{"file", path},
                                 {"output", output},
                                 {"records", file.records},
                                 {"journal_records", file.journal_records},
                                 {"bytes", file.bytes},
                                 {"lost", nlohmann::ordered_json::array()}};
  for (const LostRegion& lost : file.lost) {
    nlohmann::ordered_json region = {{"offset", lost.region.offset},
                                     {"length", lost.region.length},
                                     {"reason", SkipReasonName(lost.region.reason)}};
    if (lost.after_step) region["after_step"] = *lost.after_step;
    if (lost.before_step) region["before_step"] = *lost.before_step;
    json["lost"].push_back(std::move(region));
  }
  return json;
}

// A row for each file, and one for each region that is lost.
class Tables {
 public:
  void Add(const std::string& path, const RecoveredFile& file) {
    files_.AddRow({Printable(path), fmt::to_string(file.records),
                   fmt::to_string(file.journal_records), FormatByteSize(file.bytes),
                   file.lost.empty() ? "nothing lost" : Count(file.lost.size(), "lost region")});
    for (const LostRegion& lost : file.lost) {
      any_lost_ = true;
      lost_.AddRow({Printable(path), fmt::to_string(lost.region.offset),
                    fmt::to_string(lost.region.length),
                    std::string(SkipReasonName(lost.region.reason)), StepsOf(lost)});
    }
  }
  bool any_lost() const { return any_lost_; }
  void Print() const {
    const Style style(stdout);
    std::fputs(files_.ToString(style).c_str(), stdout);
    if (any_lost_) std::fputs(("\nlost:\n" + lost_.ToString(style)).c_str(), stdout);
  }

 private:
  using Align = Table::Align;
  Table files_{{{"file", Align::kLeft},
                {"records", Align::kRight},
                {"from journals", Align::kRight},
                {"size", Align::kRight},
                {"", Align::kLeft}},
               0};
  Table lost_{{{"file", Align::kLeft},
               {"offset", Align::kRight},
               {"length", Align::kRight},
               {"reason", Align::kLeft},
               {"steps", Align::kLeft}},
              2};
  bool any_lost_ = false;
};

int CopyTo(const RecoverOptions& options) {
  FileSystem& file_system = FileSystem::Local();
  if (options.paths.size() > 1) {
    return Fail(Status(StatusCode::kInvalidArgument,
                       "-o takes one PATH, since files of several may have the same name; call it "
                       "for each, or give the folder above them"));
  }
  const auto work = ListWork(options.paths.front());
  if (!work) return Fail(work.error());
  std::optional<RemoveOnSignal> remove;
  auto target =
      ExportTarget::Open(options.output, ExportTarget::Kind::kFolder, false,
                         [&remove](const std::string& temporary) { remove.emplace(temporary); });
  if (!target) return Fail(target.error());
  Tables tables;
  std::vector<nlohmann::ordered_json> lines;
  for (const Work& item : *work) {
    const std::string folder = JoinPath(target->temporary(), item.folder);
    const std::string name(BaseName(item.source.path));
    const Status made = file_system.CreateDirectories(folder);
    if (!made.ok()) return Fail(made);
    const auto copied = CopySoundRecords(file_system, item.source, JoinPath(folder, name));
    if (!copied) return Fail(copied.error().WithContext(item.source.path));
    const Status checked = CheckRecoveredCopy(file_system, item.source, JoinPath(folder, name));
    if (!checked.ok()) return Fail(checked);
    tables.Add(item.source.path, *copied);
    const std::string below = item.folder == "." ? name : JoinPath(item.folder, name);
    lines.push_back(ToJson(item.source.path, JoinPath(options.output, below), *copied));
  }
  if (const Status named = target->Commit(); !named.ok()) return Fail(named);
  if (options.json) {
    for (const auto& line : lines) PrintLine(line);
  } else {
    tables.Print();
  }
  return tables.any_lost() ? kExitDamage : kExitOk;
}

int Run(const RecoverOptions& options) {
  const int exit_code = options.output.empty() ? CompleteInPlace(options) : CopyTo(options);
  return exit_code;
}

}  // namespace

void AddRecoverCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RecoverOptions>();
  CLI::App* command = app.add_subcommand("recover", kHelp);
  command->footer(kExamples);
  command
      ->add_option("PATH", options->paths,
                   "Runs and folders above runs; with -o one of them, or one event file")
      ->required();
  command->add_option("-o,--output", options->output,
                      "A new folder for sound copies, in place of completing the files");
  command->add_flag("--other-machines", options->other_machines,
                    "Also complete journals that other machines wrote on this drive, whose "
                    "recorders have ended");
  command->add_flag("--json", options->json,
                    "One line of JSON for each folder, with -o for each file");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
