// sightline mv: moves runs to another folder, or renames one.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/json/json_line.h"
#include "sightline/runs/keeping/folder_access.h"
#include "sightline/runs/keeping/trash.h"
#include "sightline/runs/source/run_directories.h"
#include "sightline/tools/cli/runs/chosen_runs.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;

constexpr char kHelp[] = R"(Moves runs into a folder, or gives one run another name.

Without --yes, nothing moves: prints which runs would, how large they are, and which are refused. A
run that is being recorded is refused. Notes and names that the dashboard keeps about a run go with
it. DEST is a folder that exists, or the new name of one run, on the same disk. Nothing that exists
is overwritten.
)";

constexpr char kExamples[] = R"(Examples:
  sightline mv output/lenet output/lenet-baseline --yes        another name
  sightline mv output/lenet output/resnet archive --yes        two runs into a folder
  sightline mv output archive --where 'name =~ "^sweep"' --yes all that fit

Exit codes: 0 moved, or could be; 1 a run is refused, or none fits --where; 2 not done.)";

int Fail(const Status& status) {
  std::fprintf(stderr, "sightline mv: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

// Where runs go: below a folder that exists, or one run to a new name.
struct Destination {
  std::string folder;  // Its real path.
  std::string name;    // Empty: each run keeps its own.
};

Result<Destination> ReadDestination(const std::string& given, std::size_t runs) {
  std::error_code error;
  if (fs::is_directory(given, error)) return Destination{fs::canonical(given, error).string(), ""};
  if (fs::exists(fs::symlink_status(given, error)))
    return Error(StatusCode::kAlreadyExists, given + " exists, and is not a folder");
  if (runs != 1) {
    return Error(StatusCode::kNotFound, fmt::format("{} is not a folder that exists; {} need one",
                                                    given, Count(runs, "run")));
  }
  const fs::path above = fs::path(given).parent_path();
  const std::string folder = fs::canonical(above.empty() ? "." : above, error).string();
  const std::string name(BaseName(given));
  if (error || name.empty() || name == "." || name == "..")
    return Error(StatusCode::kNotFound, fmt::format("there is no folder for {}; make it", given));
  return Destination{folder, name};
}

// Refuses what cannot go to `to`.
Status CheckTarget(const PlannedMove& move, const std::string& to, std::set<std::string>& taken) {
  std::error_code error;
  const auto refuse = [](StatusCode code, std::string why) { return Status(code, std::move(why)); };
  if (IsAtOrBelow(to, PathBelow(move.folder, move.directory)) &&
      to != PathBelow(move.folder, move.directory))
    return refuse(StatusCode::kInvalidArgument, to + " would be within the run itself");
  if (fs::exists(fs::symlink_status(to, error)))
    return refuse(StatusCode::kAlreadyExists, to + " exists");
  for (const auto& part : fs::path(to)) {
    if (part == kTrashFolder) {
      return refuse(StatusCode::kInvalidArgument,
                    to + " is in a trash; `sightline rm` moves there");
    }
  }
  if (!IsOnSameDisk(move.folder, DirectoryOf(to))) {
    return refuse(StatusCode::kUnimplemented,
                  fmt::format("{} is on another file system than {}; copy it there and verify the "
                              "copy (rsync -a, sightline verify), then `sightline rm`",
                              DirectoryOf(to), move.run->directory()));
  }
  if (!taken.insert(to).second)
    return refuse(StatusCode::kAlreadyExists, "another of these runs would be " + to + ", too");
  return {};
}

std::string TargetOf(const PlannedMove& move, const Destination& destination) {
  const std::string name =
      destination.name.empty() ? std::string(BaseName(move.directory)) : destination.name;
  return PathBelow(destination.folder, name);
}

Status MoveOne(const PlannedMove& move, const std::string& id, const std::string& to,
               OpenTrashes& trashes) {
  const auto& trash = trashes.Of(move.folder);
  if (!trash) return trash.error();
  SIGHTLINE_RETURN_IF_ERROR(CheckNotRecording(*move.run, Clock::System()));
  SIGHTLINE_RETURN_IF_ERROR((*trash)->Put(RecordOf(move, id, Clock::System())));
  return (*trash)->MoveOut(id, to);
}

// The last path is the destination.
int MoveRuns(MoveVerbOptions options) {
  if (options.paths.size() < 2)
    return Fail({StatusCode::kInvalidArgument, "give the runs, then where they go"});
  const std::string given = options.paths.back();
  options.paths.pop_back();
  const auto runs = LocateRuns(options.paths, options.where);
  if (!runs) return Fail(runs.error());
  auto moves = PlanMoves(*runs, {.whole = options.whole});
  const auto destination = ReadDestination(given, moves.size());
  if (!destination) return Fail(destination.error());
  const std::string id = NewMoveId(Clock::System());
  OpenTrashes trashes;
  std::set<std::string> taken;
  std::size_t number = 0;
  nlohmann::ordered_json json = {{"dry_run", !options.yes},
                                 {"runs", nlohmann::ordered_json::array()}};
  for (PlannedMove& move : moves) {
    const std::string to = TargetOf(move, *destination);
    const bool alone = move.within.empty();
    if (move.refused.ok() && alone) move.refused = CheckTarget(move, to, taken);
    if (move.refused.ok() && alone && options.yes)
      move.refused = MoveOne(move, fmt::format("{}.{}", id, ++number), to, trashes);
    json["runs"].push_back(MoveJson(move));
    if (move.refused.ok() && alone) json["runs"].back()["to"] = to;
  }
  const MoveTotal total = TotalOf(moves);
  const std::string what = TotalText(total);
  if (options.json) {
    std::puts(JsonLine(json).c_str());
  } else {
    std::fputs(MovesText(moves).c_str(), stdout);
    const std::string where = Printable(PathBelow(destination->folder, destination->name));
    std::fputs(
        (moves.empty()     ? "no run fits --where\n"
         : total.runs == 0 ? "nothing was moved\n"
         : options.yes     ? fmt::format("moved {} to {}\n", what, where)
                           : fmt::format("nothing was moved; --yes moves {} to {}\n", what, where))
            .c_str(),
        stdout);
  }
  return moves.empty() || total.refused > 0 ? kExitDamage : kExitOk;
}

}  // namespace

void AddMvCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<MoveVerbOptions>();
  CLI::App* command = app.add_subcommand("mv", kHelp);
  command->footer(kExamples);
  AddMoveOptions(*command,
                 "Runs, then DEST: a folder that exists, or the new name of one run. With --where, "
                 "directories above runs",
                 *options);
  command->callback([options, &exit_code] { exit_code = MoveRuns(*options); });
}

}  // namespace sightline
