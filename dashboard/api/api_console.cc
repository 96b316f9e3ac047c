// /api/v1/console, console/find: what the command of a run printed.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sightline/base/system/file_lock.h"
#include "sightline/base/utf8.h"
#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/runs/console/console_files.h"
#include "sightline/runs/console/console_reader.h"
#include "sightline/runs/console/console_times.h"
#include "sightline/runs/console/run_console.h"

namespace sightline::dashboard {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMostOfLine = std::size_t{64} << 10U;
constexpr std::int64_t kUsualBytes = 64 << 10;
constexpr std::int64_t kMostBytes = 1 << 20;

struct OpenConsole {
  RunConsole console;
  std::optional<std::int64_t> rank;
  std::string path;
  ConsoleReader reader;

  std::string TimesPath() const {
    return JoinPath(console.folder, ConsoleTimesName(BaseName(path)));
  }
};

// That of the parameters `run` and `rank`; without a rank, the first one.
Result<OpenConsole> Open(const CatalogSnapshot& catalog, FileSystem& files,
                         const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* of, RunOf(catalog, request));
  SIGHTLINE_ASSIGN_OR_RETURN(RunConsole console, ConsoleOf(files, *of->run));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t named,
                             request.target.Integer("rank", -1, 0, kLargest));
  const std::optional<std::int64_t> rank = named < 0 ? console.ranks.front() : named;
  std::string path = console.Path(rank);
  SIGHTLINE_ASSIGN_OR_RETURN(auto file, files.OpenForRead(path));
  return OpenConsole{std::move(console), rank, std::move(path), ConsoleReader(std::move(file))};
}

// The place that `around`, `time` or `step` names; the console's end if none is given.
Result<std::uint64_t> PlaceIn(const OpenConsole& open, const CatalogSnapshot& catalog,
                              FileSystem& files, const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t around,
                             request.target.Integer("around", -1, 0, kLargest));
  if (around >= 0) return static_cast<std::uint64_t>(around);
  SIGHTLINE_ASSIGN_OR_RETURN(std::optional<double> time, request.target.Number("time"));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t step,
                             request.target.Integer("step", kLargest, -kLargest, kLargest));
  if (!time && step == kLargest) return open.reader.Size();
  if (!time) {
    SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* of, RunOf(catalog, request));
    time = TimeOfStep(*of->run, step);
    if (!time) {
      return Error(StatusCode::kNotFound,
                   fmt::format("the run has no scalar at step {} or later", step));
    }
  }
  const ConsoleTimes times(files, open.TimesPath());
  if (times.empty())
    return Error(StatusCode::kNotFound, "when the console's lines were printed was not recorded");
  return times.OffsetAt(*time);
}

Json LinesOf(const ConsolePart& part, const ConsoleTimes& times) {
  const std::vector<ConsoleTime> rows = times.Between(part.begin, part.end);
  Json lines = Json::array();
  std::size_t row = 0;
  const std::string_view bytes = part.bytes;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view text = bytes.substr(at, end - at);
    const std::uint64_t offset = part.begin + at;
    while (row + 1 < rows.size() && rows[row + 1].offset <= offset) ++row;
    const bool is_timed = row < rows.size() && rows[row].offset <= offset;
    lines.push_back({{"offset", offset},
                     {"time", is_timed ? JsonOf(rows[row].seconds) : Json()},
                     {"text", ToUtf8(text, kMostOfLine)},
                     {"cut", text.size() > kMostOfLine}});
    at = end + 1;
  }
  return lines;
}

Result<Response> ConsoleResponse(const CatalogSnapshot& catalog, FileSystem& files,
                                 const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const OpenConsole open, Open(catalog, files, request));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t from,
                             request.target.Integer("from", -1, 0, kLargest));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t before,
                             request.target.Integer("before", -1, 0, kLargest));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t most,
                             request.target.Integer("bytes", kUsualBytes, 1024, kMostBytes));
  const auto mappable = files.MappablePath(open.path);
  const bool running = mappable && IsLocked(*mappable);
  const auto bytes = static_cast<std::size_t>(most);
  ConsolePart part;
  std::uint64_t at = 0;
  if (from >= 0) {
    at = static_cast<std::uint64_t>(from);
    SIGHTLINE_ASSIGN_OR_RETURN(part, open.reader.From(at, bytes));
  } else if (before >= 0) {
    at = static_cast<std::uint64_t>(before);
    SIGHTLINE_ASSIGN_OR_RETURN(part, open.reader.Before(at, bytes));
  } else {
    SIGHTLINE_ASSIGN_OR_RETURN(at, PlaceIn(open, catalog, files, request));
    SIGHTLINE_ASSIGN_OR_RETURN(part, open.reader.Around(at, bytes / 2));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, open.reader.Size());
  Json ranks = Json::array();
  for (const auto& rank : open.console.ranks) ranks.push_back(rank ? Json(*rank) : Json());
  return JsonResponse({{"run", request.target.Get("run")},
                       {"folder", open.console.folder},
                       {"ranks", std::move(ranks)},
                       {"rank", open.rank ? Json(*open.rank) : Json()},
                       {"running", running},
                       {"size", size},
                       {"at", at},
                       {"begin", part.begin},
                       {"end", part.end},
                       {"lines", LinesOf(part, ConsoleTimes(files, open.TimesPath()))}});
}

Result<Response> FindResponse(const CatalogSnapshot& catalog, FileSystem& files,
                              const Request& request) {
  const Target& target = request.target;
  SIGHTLINE_ASSIGN_OR_RETURN(const OpenConsole open, Open(catalog, files, request));
  const std::string text = target.Get("text");
  if (text.empty())
    return Error(StatusCode::kInvalidArgument, "text is missing: what to search for");
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t from, target.Integer("from", -1, 0, kLargest));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t before, target.Integer("before", -1, 0, kLargest));
  if (from >= 0 && before >= 0)
    return Error(StatusCode::kInvalidArgument, "from and before exclude each other");
  SIGHTLINE_ASSIGN_OR_RETURN(
      const ConsoleReader::Found found,
      before >= 0 ? open.reader.FindBefore(text, static_cast<std::uint64_t>(before))
                  : open.reader.FindAfter(
                        text, static_cast<std::uint64_t>(std::max(from, std::int64_t{0}))));
  return JsonResponse({{"run", target.Get("run")},
                       {"offset", found.offset ? Json(*found.offset) : Json()},
                       {"searched_to", found.searched_to}});
}

}  // namespace

void AddConsoleApi(Service& service, const Catalog& catalog, FileSystem& files) {
  AddResponseOfFiles(service, "/api/v1/console", catalog, files, ConsoleResponse);
  AddResponseOfFiles(service, "/api/v1/console/find", catalog, files, FindResponse);
}

}  // namespace sightline::dashboard
