// sightline tail: the scalars of a run, as they come.
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/json/json_line.h"
#include "sightline/base/json/number_json.h"
#include "sightline/base/text/number_text.h"
#include "sightline/runs/query/tag_filter.h"
#include "sightline/runs/run_changes.h"
#include "sightline/runs/run_follower.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct TailOptions {
  std::string run;
  std::string tags;
  std::size_t points = 10;
  bool follow = false;
  bool json = false;
};

constexpr char kHelp[] = R"(Prints the last scalars of a run; with -f also new ones.

One line for each point: step, tag and value, in the order of their times. Values appear as soon as
they are recorded, even before the recorder writes them into a file. Changes nothing.
)";

constexpr char kExamples[] = R"(Examples:
  sightline tail ./run                       the last ten
  sightline tail -f ./run --tags '^loss'     and new ones, of some tags
  sightline tail -f --json ./run | jq -r '[.step, .tag, .value] | @tsv'

-f ends when the run does: when its recorder closed it, or was killed. For runs of other programs,
which do not mark their end, Ctrl-C ends it. If there is no event file yet, it waits for one.

Exit codes: 0 printed, 2 the run cannot be read; ended by a signal it ends as that does.)";

constexpr int kPollMilliseconds = 100;

struct Point {
  const SeriesKey* key = nullptr;
  std::int64_t step = 0;
  double wall_time = 0;
  double value = 0;
};

// The points that `after` has beyond `before` (null: all), in the order of their times.
std::vector<Point> NewPoints(const Run* before, const Run& after, const TagFilter& tags) {
  std::vector<Point> points;
  const auto add = [&](const Series& series, std::size_t from) {
    const SeriesKey& key = series.key();
    if (!series.is_scalar() || (tags && !tags(key.tag))) return;
    for (std::size_t i = from; i < series.size(); ++i)
      points.push_back({&key, series.steps()[i], series.wall_times()[i], series.values()[i]});
  };
  if (before == nullptr) {
    for (const auto& series : after.series()) add(*series, 0);
  } else {
    for (const SeriesChange& change : SeriesChanges(*before, after)) {
      const Series* series = after.Find(change.key.kind, change.key.tag, change.key.rank);
      if (series != nullptr) add(*series, change.appended_from);
    }
  }
  // Points whose time is NaN come first.
  const auto time_of = [](const Point& point) {
    return std::isnan(point.wall_time) ? 0 : point.wall_time;
  };
  std::stable_sort(points.begin(), points.end(), [&](const Point& a, const Point& b) {
    return std::pair(time_of(a), a.step) < std::pair(time_of(b), b.step);
  });
  return points;
}

std::string Line(const Point& point, bool json) {
  const SeriesKey& key = *point.key;
  if (!json) {
    const std::string rank = key.rank == 0 ? "" : fmt::format(" (rank {})", key.rank);
    return fmt::format("{:>10}  {}{}  {}\n", point.step, Printable(key.tag), rank,
                       NumberText(point.value));
  }
  nlohmann::ordered_json line = {{"step", point.step}, {"tag", key.tag}, {"rank", key.rank}};
  line["wall_time"] = NumberJson(point.wall_time);
  line["value"] = NumberJson(point.value);
  return JsonLine(line) + "\n";
}

Status Print(const std::vector<Point>& points, std::size_t most, bool json) {
  const std::size_t begin = points.size() - std::min(points.size(), most);
  for (std::size_t i = begin; i < points.size(); ++i)
    std::fputs(Line(points[i], json).c_str(), stdout);
  return std::fflush(stdout) == 0 ? Status() : ErrnoStatus("standard output", errno);
}

bool IsOver(const Run& run) {
  const RunState state = run.State();
  return state == RunState::kFinished || state == RunState::kKilled;
}

Status Tail(const TailOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(const TagFilter tags, MakeTagFilter("--tags", options.tags));
  SIGHTLINE_ASSIGN_OR_RETURN(const FileInfo info, FileSystem::Local().Stat(options.run));
  if (!info.is_directory) {
    return Status(StatusCode::kInvalidArgument,
                  options.run + ": is a file; a run is a directory that holds event files");
  }
  RunFollower follower(options.run);
  std::shared_ptr<const Run> shown;
  for (;;) {
    const auto run = follower.Refresh();
    // It has no event file yet, or no longer.
    const bool missing = !run && run.error().code() == StatusCode::kNotFound;
    if (!run && !(missing && options.follow)) return run.error();
    if (run && *run != shown) {
      SIGHTLINE_RETURN_IF_ERROR(Print(NewPoints(shown.get(), **run, tags),
                                      shown == nullptr ? options.points : SIZE_MAX, options.json));
      shown = *run;
    }
    if (!options.follow || (run && IsOver(**run))) return {};
    poll(nullptr, 0, kPollMilliseconds);
  }
}

int RunTail(const TailOptions& options) {
  const Status status = Tail(options);
  if (status.ok()) return kExitOk;
  std::fprintf(stderr, "sightline tail: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

}  // namespace

void AddTailCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<TailOptions>();
  CLI::App* command = app.add_subcommand("tail", kHelp);
  command->footer(kExamples);
  command->add_option("RUN", options->run, "A directory that holds event files")->required();
  command->add_flag("-f,--follow", options->follow, "Go on with new points");
  command->add_option("-n,--points", options->points, "Points to begin with (10)");
  command->add_option("--tags", options->tags,
                      "Only tags that the regular expression (RE2) matches anywhere");
  command->add_flag("--json", options->json,
                    "One line of JSON for each point: step, tag, rank, wall_time, value");
  command->callback([options, &exit_code] { exit_code = RunTail(*options); });
}

}  // namespace sightline
