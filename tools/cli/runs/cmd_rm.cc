// sightline rm: moves runs to the trash.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sightline/base/json/json_line.h"
#include "sightline/base/text/shell_word.h"
#include "sightline/runs/keeping/trash.h"
#include "sightline/tools/cli/runs/chosen_runs.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

constexpr char kHelp[] =
    R"(Moves runs to the trash, from where `sightline trash restore` brings them back.

Without --yes, nothing moves: prints which runs would, how large they are, and which are refused. A
run that is being recorded is refused. Notes and names that the dashboard keeps about a run go with
it. The trash is the folder .sightline-trash in ROOT, or in the folder that holds RUN, on the same
disk: space becomes free by `sightline trash empty`.
)";

constexpr char kExamples[] = R"(Examples:
  sightline rm output/lenet                              what would move
  sightline rm output/lenet output/resnet --yes          moves two runs
  sightline rm output --where 'state == "killed"' --yes  moves all that fit
  sightline trash restore                                brings back what was moved last

Exit codes: 0 moved, or could be; 1 a run is refused, or none fits --where; 2 not done.)";

int Fail(const Status& status) {
  std::fprintf(stderr, "sightline rm: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

// Moves what is not refused. A run that cannot be moved is refused then.
void Move(std::vector<PlannedMove>& moves, const std::string& id) {
  OpenTrashes trashes;
  std::size_t number = 0;
  for (PlannedMove& move : moves) {
    if (!move.refused.ok() || !move.within.empty()) continue;
    const auto& trash = trashes.Of(move.folder);
    move.refused = trash ? CheckNotRecording(*move.run, Clock::System()) : trash.error();
    if (!move.refused.ok()) continue;
    const auto record = RecordOf(move, fmt::format("{}.{}", id, ++number), Clock::System());
    move.refused = (*trash)->Put(record);
  }
}

std::string Summary(const MoveVerbOptions& options, const std::vector<PlannedMove>& moves,
                    const std::string& id) {
  const MoveTotal total = TotalOf(moves);
  const std::string what = TotalText(total);
  if (moves.empty()) return "no run fits --where\n";
  if (total.runs == 0) return "nothing was moved\n";
  if (!options.yes) return fmt::format("nothing was moved; --yes moves {} to the trash\n", what);
  std::set<std::string> folders;
  for (const PlannedMove& move : moves)
    if (move.refused.ok() && move.within.empty()) folders.insert(ShellWord(move.folder));
  return fmt::format(
      "moved {} to the trash\n"
      "back: sightline trash restore {} --in {}\n"
      "space becomes free by: sightline trash empty {}\n",
      what, id, fmt::join(folders, " --in "), fmt::join(folders, " "));
}

int Remove(const MoveVerbOptions& options) {
  const auto runs = LocateRuns(options.paths, options.where);
  if (!runs) return Fail(runs.error());
  auto moves = PlanMoves(*runs, {.whole = options.whole});
  const std::string id = NewMoveId(Clock::System());
  if (options.yes) Move(moves, id);
  if (options.json) {
    nlohmann::ordered_json json = {
        {"dry_run", !options.yes}, {"id", nullptr}, {"runs", nlohmann::ordered_json::array()}};
    if (options.yes) json["id"] = id;
    for (const PlannedMove& move : moves) json["runs"].push_back(MoveJson(move));
    std::puts(JsonLine(json).c_str());
  } else {
    std::fputs((MovesText(moves) + Summary(options, moves, id)).c_str(), stdout);
  }
  return moves.empty() || TotalOf(moves).refused > 0 ? kExitDamage : kExitOk;
}

}  // namespace

void AddRmCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<MoveVerbOptions>();
  CLI::App* command = app.add_subcommand("rm", kHelp);
  command->footer(kExamples);
  AddMoveOptions(*command, "Runs; with --where, directories above runs", *options);
  command->callback([options, &exit_code] { exit_code = Remove(*options); });
}

}  // namespace sightline
