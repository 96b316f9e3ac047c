// sightline watch: says what is wrong with runs while they are recorded.
#include <fmt/format.h>
#include <poll.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/json/json_line.h"
#include "sightline/runs/run_group.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"
#include "sightline/watch/event_json.h"
#include "sightline/watch/notify/http_client.h"
#include "sightline/watch/notify/outbox.h"
#include "sightline/watch/notify/target.h"
#include "sightline/watch/run_watch.h"

namespace sightline {
namespace {

using watch::RunWatch;
using watch::WatchEvent;
using watch::WatchState;

struct WatchVerbOptions {
  std::vector<std::string> roots;
  std::vector<std::string> rules;
  std::string where;
  std::vector<std::string> notify;
  std::string targets;
  std::string state;
  std::string index_folder = DefaultIndexFolder().value_or("");
  bool json = false;
  bool join = true;
};

constexpr char kHelp[] = R"(Says what is wrong with runs while they are recorded.

One line when a rule begins to hold for a run, and one when it is over. Changes nothing in the runs.
What was said is kept in the user's state folder, so that a restart does not repeat it.
)";

constexpr char kExamples[] = R"(Rules (docs/watch.md has the formula of each):
  nan, nan(TAG)          a scalar is NaN or infinite
  spike(TAG), (TAG, 8)   a value is far above those before it
  plateau(TAG, STEPS)    no new minimum or maximum for so many recorded steps
  rank(TAG)              a rank leaves the others
  killed, finished       a run of ours was killed, was closed
  stalled, stalled(10m)  a run of ours records nothing, and its program lives
  ended, ended(10m)      the files of another program's run do not grow any more
  disk, disk(10%)        little is free on the disk; also disk(20GB)
  device                 a GPU or an NPU is ill, or does not answer any more
  a query                'last(loss) > 3', 'spread(last("iteration-time")) > 0.2'

Examples:
  sightline watch ./output --on nan --on killed --on 'stalled(10m)'
  sightline watch ./output --where 'network =~ "llama"' --on 'spike(lm loss)' --json

Ctrl-C ends it. Exit codes: 2 a rule or a root is wrong, or another process watches these roots;
ended by a signal it ends as that does.)";

constexpr int kPauseMilliseconds = 1000;

std::string Line(const WatchEvent& event) {
  const Style style(stdout);
  const std::string said = Printable(event.rule) + ": " + Printable(event.cause.text);
  return fmt::format("{}  {}  {}\n", style.Dim(FormatTime(event.time)),
                     style.Bold(Printable(event.run)),
                     event.over ? style.Green("over: ") + said : style.Red(said));
}

void Note(std::string_view text) {
  std::fprintf(stderr, "sightline watch: %s\n", Printable(text).c_str());
}

Result<watch::WatchOptions> ReadOptions(const WatchVerbOptions& given) {
  watch::WatchOptions options;
  options.roots = given.roots;
  options.rules.reserve(given.rules.size());
  for (const std::string& text : given.rules) {
    auto rule = watch::ParseRule(text);
    if (!rule) return Error(rule.error().WithContext("--on"));
    options.rules.push_back(*std::move(rule));
  }
  if (!given.where.empty()) {
    auto where = Query::Parse(given.where);
    if (!where) return Error(where.error().WithContext("--where"));
    options.where = *std::move(where);
  }
  options.join = given.join;
  if (!given.index_folder.empty()) options.index_folder = given.index_folder;
  return options;
}

// The state, or one that is in no file: whoever cannot write is told of faults all the same.
Result<std::unique_ptr<WatchState>> OpenState(const WatchVerbOptions& options) {
  auto path = options.state.empty() ? watch::DefaultStatePath(options.roots)
                                    : Result<std::string>(options.state);
  Status status;
  if (path) {
    auto state = WatchState::Open(*path);
    if (state || state.error().code() == StatusCode::kFailedPrecondition) return state;
    status = state.error();
  } else {
    status = path.error();
  }
  Note(fmt::format("{}; a restart may repeat what is said", status.message()));
  return std::make_unique<WatchState>();
}

// Those that --notify names. An error if one cannot be told of anything.
Result<std::vector<watch::Target>> ReadTargets(const WatchVerbOptions& options) {
  std::vector<watch::Target> targets;
  if (options.notify.empty()) return targets;
  targets.reserve(options.notify.size());
  std::string path = options.targets;
  if (path.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(path, watch::DefaultTargetsPath());
  }
  for (const std::string& name : options.notify) {
    auto target = watch::ReadTarget(name, path, options.roots);
    if (!target) return Error(target.error().WithContext("--notify"));
    if (target->kind != watch::TargetKind::kCommand && watch::HttpClientVersion().empty()) {
      return Error(StatusCode::kUnimplemented,
                   fmt::format("--notify {}: this program was built without libcurl, and can notify"
                               " by a command only",
                               name));
    }
    targets.push_back(*std::move(target));
  }
  return targets;
}

class Watching {
 public:
  Watching(watch::WatchOptions options, std::vector<watch::Target> targets, WatchState& state,
           bool json)
      : watch_(std::move(options), state),
        outbox_(std::move(targets), state.outbox),
        state_(state),
        json_(json) {
    watch_.WatchDirectories();
  }

  Status Start() { return outbox_.Start(); }
  // Looks once, and tells what there is to say.
  Status Look() {
    const auto events = watch_.Poll();
    if (events)
      for (const WatchEvent& event : *events) outbox_.Add(watch::EventJson(event));
    state_.outbox = outbox_.Content();
    Save();
    for (const std::string& note : outbox_.TakeNotes()) Note("--notify " + note);
    if (!events) return events.error();
    for (const WatchEvent& event : *events)
      std::fputs((json_ ? JsonLine(watch::EventJson(event)) + "\n" : Line(event)).c_str(), stdout);
    return std::fflush(stdout) == 0 ? Status() : ErrnoStatus("standard output", errno);
  }
  void Introduce() const {
    Note(fmt::format("{}, {} of them growing", Count(watch_.runs(), "run"), watch_.growing()));
    if (watch_.runs() == 0) return;
    for (const std::string& tag : watch_.MissingTags())
      Note(fmt::format("no run has the scalar {} so far", tag));
  }

 private:
  void Save() {
    const Status saved = state_.Save();
    if (saved.ok() || failed_) return;
    failed_ = true;
    Note(fmt::format("{}; a restart may repeat what is said", saved.message()));
  }

  RunWatch watch_;
  watch::Outbox outbox_;
  WatchState& state_;
  bool json_;
  bool failed_ = false;  // Saving did.
};

Status WatchRuns(const WatchVerbOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(watch::WatchOptions watched, ReadOptions(options));
  SIGHTLINE_ASSIGN_OR_RETURN(auto targets, ReadTargets(options));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto state, OpenState(options));
  Watching watching(std::move(watched), std::move(targets), *state, options.json);
  SIGHTLINE_RETURN_IF_ERROR(watching.Start());
  SIGHTLINE_RETURN_IF_ERROR(watching.Look());
  watching.Introduce();
  std::string said;
  for (;;) {
    poll(nullptr, 0, kPauseMilliseconds);
    Status looked = watching.Look();
    if (std::ferror(stdout) != 0) return looked;
    // A root that cannot be listed for now.
    if (!looked.ok() && looked.message() != said) Note(looked.message());
    said = looked.message();
  }
}

int RunWatchVerb(const WatchVerbOptions& options) {
  const Status status = WatchRuns(options);
  if (status.ok()) return kExitOk;
  Note(status.message());
  return kExitError;
}

}  // namespace

void AddWatchCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<WatchVerbOptions>();
  CLI::App* command = app.add_subcommand("watch", kHelp);
  command->footer(kExamples);
  command->add_option("ROOT", options->roots, "Runs, or directories above runs")->required();
  command->add_option("--on", options->rules, "What to look for; give it again for more")
      ->required()
      ->allow_extra_args(false);
  command->add_option("--where", options->where, "Only in the runs that this query fits");
  command->add_flag("--json", options->json,
                    "One line of JSON for each: id, time, what, rule, run, directory, text, tag,"
                    " ranks, step");
  command
      ->add_option("--notify", options->notify,
                   "Tell this target, too; give it again for more. Its name in the file of"
                   " targets, or env:VARIABLE")
      ->allow_extra_args(false);
  command->add_option("--targets", options->targets,
                      "The file of targets; by default notify.json in the user's configuration"
                      " folder");
  command->add_option("--state", options->state,
                      "Where what was said is kept; by default in the user's state folder");
  command->add_option("--index-dir", options->index_folder,
                      "Where what was read is kept; by default in the user's cache folder");
  command->add_flag(
      "!--no-join", options->join,
      "Each directory is a run, also the ranks of a training and the curves of add_scalars");
  command->callback([options, &exit_code] { exit_code = RunWatchVerb(*options); });
}

}  // namespace sightline
