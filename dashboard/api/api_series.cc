// /api/v1/series: points of scalar series as columns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/runs/compare/ratio_series.h"
#include "sightline/runs/model/series_restarts.h"

namespace sightline::dashboard {
namespace {

constexpr std::size_t kMaxSeries = 20'000;
constexpr std::size_t kColumnArrays = 12;
constexpr std::size_t kTimeArrays[] = {2, 3};  // Which of the kColumnArrays are times.
constexpr std::size_t kMaxColumns = 10'000;

enum class Axis : std::uint8_t { kStep, kTime, kRelative };

struct Window {
  Axis axis = Axis::kStep;
  std::optional<double> from;
  std::optional<double> to;
  std::size_t columns = 1000;
  bool times = true;    // Whether the response contains the points' times.
  bool newest = false;  // Whether superseded points are left out (series_restarts.h).
};

struct Named {
  std::string run;
  std::string tag;
  std::int32_t rank = 0;
};

struct Wanted : Named {
  bool optional = false;      // Omitted if the run has no such series.
  std::optional<Named> over;  // The values are divided by those of this one.
};

Result<Axis> AxisOf(std::string_view name) {
  if (name == "step") return Axis::kStep;
  if (name == "time") return Axis::kTime;
  if (name == "relative") return Axis::kRelative;
  return Error(StatusCode::kInvalidArgument, "axis must be step, time or relative");
}

// Appends the arrays of one series to `numbers`, and describes them in `header`.
class SeriesWriter {
 public:
  SeriesWriter(const Window& window, std::vector<double>& numbers)
      : window_(window), numbers_(numbers) {}

  // `start`: the time of the run's first event.
  void Write(const Series& series, double start, Json& header) {
    start_ = start;
    header["total"] = series.size();
    if (window_.axis == Axis::kStep) {
      WriteBySteps(series, header);
    } else {
      WriteByTime(series, header);
    }
  }

 private:
  void WriteBySteps(const Series& series, Json& header) {
    std::int64_t first = series.steps().front();
    std::int64_t last = series.steps().back();
    if (window_.from) first = ToStep(std::ceil(*window_.from));
    if (window_.to) last = ToStep(std::floor(*window_.to));
    std::size_t begin = 0;
    std::size_t end = 0;
    if (first <= last) {
      begin = series.LowerBound(first);
      constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
      end = last == kLargest ? series.size() : series.LowerBound(last + 1);
    }
    header["in_range"] = end - begin;
    header["from"] = first;
    header["to"] = last;
    if (end - begin <= 2 * window_.columns) {
      std::vector<std::size_t> points(end - begin);
      for (std::size_t i = begin; i < end; ++i) points[i - begin] = i;
      return WritePoints(series, points, header);
    }
    const auto columns = series.ColumnsBySteps(first, last, window_.columns);
    Reserve(columns.size(), header);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const SeriesColumn& column = columns[i];
      Set(i, column, series.wall_times()[column.begin], series.wall_times()[column.end - 1]);
    }
  }

  void WriteByTime(const Series& series, Json& header) {
    const double zero = window_.axis == Axis::kRelative ? start_ : 0;
    const auto times = series.wall_times();
    const auto [earliest, latest] = std::minmax_element(times.begin(), times.end());
    const double first = window_.from.value_or(*earliest - zero);
    const double last = window_.to.value_or(*latest - zero);
    header["from"] = JsonOf(first);
    header["to"] = JsonOf(last);
    std::vector<std::size_t> points;
    for (std::size_t i = 0; i < times.size(); ++i)
      if (times[i] - zero >= first && times[i] - zero <= last) points.push_back(i);
    header["in_range"] = points.size();
    if (points.size() <= 2 * window_.columns) return WritePoints(series, points, header);
    struct Bin {
      SeriesColumn column;
      double first_time = 0;
      double last_time = 0;
    };
    std::vector<Bin> bins(window_.columns);
    const double width = (last - first) / static_cast<double>(window_.columns);
    for (const std::size_t i : points) {
      const double at = width > 0 ? (times[i] - zero - first) / width : 0;
      Bin& bin = bins[std::min(static_cast<std::size_t>(at), window_.columns - 1)];
      const double value = series.values()[i];
      if (bin.column.extremes.count == 0) {
        bin.column.first_step = bin.column.last_step = series.steps()[i];
        bin.column.first = value;
        bin.first_time = bin.last_time = times[i];
      }
      bin.column.first_step = std::min(bin.column.first_step, series.steps()[i]);
      bin.column.last_step = std::max(bin.column.last_step, series.steps()[i]);
      bin.first_time = std::min(bin.first_time, times[i]);
      bin.last_time = std::max(bin.last_time, times[i]);
      bin.column.last = value;
      bin.column.extremes.Add(value);
    }
    bins.erase(std::remove_if(bins.begin(), bins.end(),
                              [](const Bin& bin) { return bin.column.extremes.count == 0; }),
               bins.end());
    Reserve(bins.size(), header);
    for (std::size_t i = 0; i < bins.size(); ++i)
      Set(i, bins[i].column, bins[i].first_time, bins[i].last_time);
  }

  void WritePoints(const Series& series, const std::vector<std::size_t>& points, Json& header) {
    header["form"] = "points";
    header["length"] = points.size();
    header["steps"] = StepsOf(series, points);
    header["offset"] = numbers_.size();
    if (window_.times)
      for (const std::size_t i : points) numbers_.push_back(series.wall_times()[i]);
    for (const std::size_t i : points) numbers_.push_back(series.values()[i]);
  }

  // The offset of the points' steps. Series with equal steps share one array.
  std::size_t StepsOf(const Series& series, const std::vector<std::size_t>& points) {
    const auto same = [&](double known, std::size_t i) {
      return known == static_cast<double>(series.steps()[i]);
    };
    const auto known = numbers_.begin() + static_cast<std::ptrdiff_t>(steps_at_);
    if (points.size() == steps_length_ &&
        std::equal(known, known + static_cast<std::ptrdiff_t>(steps_length_), points.begin(), same))
      return steps_at_;
    steps_at_ = numbers_.size();
    steps_length_ = points.size();
    for (const std::size_t i : points) numbers_.push_back(static_cast<double>(series.steps()[i]));
    return steps_at_;
  }

  void Reserve(std::size_t length, Json& header) {
    header["form"] = "columns";
    header["length"] = length;
    base_ = numbers_.size();
    header["offset"] = base_;
    length_ = length;
    const std::size_t left_out = window_.times ? 0 : std::size(kTimeArrays);
    numbers_.resize(base_ + (kColumnArrays - left_out) * length);
  }

  void Set(std::size_t i, const SeriesColumn& column, double first_time, double last_time) {
    const Extremes& extremes = column.extremes;
    const double row[kColumnArrays] = {static_cast<double>(column.first_step),
                                       static_cast<double>(column.last_step),
                                       first_time,
                                       last_time,
                                       extremes.min,
                                       extremes.max,
                                       column.first,
                                       column.last,
                                       static_cast<double>(extremes.count),
                                       static_cast<double>(extremes.nan_count),
                                       static_cast<double>(extremes.pos_inf_count),
                                       static_cast<double>(extremes.neg_inf_count)};
    std::size_t at = base_ + i;
    for (std::size_t array = 0; array < kColumnArrays; ++array) {
      const bool time = array == kTimeArrays[0] || array == kTimeArrays[1];
      if (time && !window_.times) continue;
      numbers_[at] = row[array];
      at += length_;
    }
  }

  const Window window_;
  std::vector<double>& numbers_;
  double start_ = 0;
  std::size_t steps_at_ = 0;  // Of the last series that was written as points.
  std::size_t steps_length_ = 0;
  std::size_t base_ = 0;
  std::size_t length_ = 0;
};

// The steps within the series from which the training was resumed, ascending.
std::vector<std::int64_t> ResumedAt(const Run& run, const Series& series,
                                    std::vector<std::int64_t> steps) {
  const std::int32_t rank = series.key().rank;
  for (const RunSession& one : run.sessions()) {
    if (one.session.rank == rank && one.session.resume_from_step)
      steps.push_back(*one.session.resume_from_step);
  }
  for (const RunFile& file : run.files()) {
    if (file.rank == rank && file.superseded_from) steps.push_back(*file.superseded_from);
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  std::erase_if(steps, [&](std::int64_t step) {
    return step <= series.first_step() || step > series.last_step();
  });
  return steps;
}

// Writes the series; `header` also says where the training was resumed, and how many points are
// superseded.
void WriteSeries(SeriesWriter& writer, const Run& run, const Series& series, bool newest,
                 Json& header) {
  const SeriesRestarts& restarts = series.restarts();
  const auto kept = newest && restarts.superseded > 0 ? NewestOf(series) : nullptr;
  writer.Write(kept ? *kept : series, run.first_wall_time().value_or(0), header);
  if (const auto steps = ResumedAt(run, series, restarts.steps); !steps.empty())
    header["resumed"] = steps;
  if (restarts.superseded > 0) header["superseded"] = restarts.superseded;
}

// The series with its points. kNotFound if there is none.
Result<std::shared_ptr<const Series>> Find(const CatalogRun* run, const CatalogSnapshot& catalog,
                                           const Named& named) {
  if (run == nullptr)
    return Error(StatusCode::kNotFound, fmt::format("there is no run '{}'", named.run));
  auto series = catalog.Open(*run, run->run->Find(ContentKind::kScalar, named.tag, named.rank));
  if (series != nullptr) return series;
  return Error(StatusCode::kNotFound,
               fmt::format("there is no series '{}' of rank {}", named.tag, named.rank));
}

// `series` over the other one, at the steps that both have.
Result<std::shared_ptr<const Series>> Divided(const Series& series, const CatalogSnapshot& catalog,
                                              const Named& over) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto divisor, Find(catalog.Find(over.run), catalog, over));
  if (auto ratio = RatioSeries(series, *divisor)) return ratio;
  return Error(StatusCode::kNotFound, "the two series have no step in common");
}

Result<Response> Write(const CatalogSnapshot& catalog, const std::vector<Wanted>& wanted,
                       const Window& window, const ApiLimits& limits) {
  std::vector<double> numbers;
  SeriesWriter writer(window, numbers);
  Json header = {{"generation", catalog.generation}, {"series", Json::array()}};
  const CatalogRun* run = nullptr;
  for (const Wanted& one : wanted) {
    if (run == nullptr || run->id != one.run) run = catalog.Find(one.run);
    auto series = Find(run, catalog, one);
    if (!series && one.optional) continue;
    Json about = {{"run", one.run}, {"tag", one.tag}, {"rank", one.rank}};
    if (series && one.over) series = Divided(**series, catalog, *one.over);
    if (!series) {
      about["error"] = series.error().message();
    } else if (one.over) {
      writer.Write(**series, 0, about);
    } else {
      WriteSeries(writer, *run->run, **series, window.newest, about);
    }
    if (header["series"].size() >= kMaxSeries) {
      return Error(StatusCode::kInvalidArgument,
                   fmt::format("more than {} series at once", kMaxSeries));
    }
    if (numbers.size() * sizeof(double) > limits.response_bytes) {
      return Error(StatusCode::kInvalidArgument,
                   "the response would be too long; ask for fewer columns");
    }
    header["series"].push_back(std::move(about));
  }
  return PackColumns(header, numbers);
}

Status ReadWindow(const Body& body, Window& window) {
  const auto bad = [](const char* name) {
    return Status(StatusCode::kInvalidArgument, fmt::format("{} must be a number", name));
  };
  if (const auto at = body.find("axis"); at != body.end()) {
    if (!at->is_string()) return {StatusCode::kInvalidArgument, "axis must be a text"};
    SIGHTLINE_ASSIGN_OR_RETURN(window.axis, AxisOf(at->get_ref<const std::string&>()));
  }
  for (const auto& [name, bound] : {std::pair("from", &window.from), std::pair("to", &window.to)}) {
    const auto at = body.find(name);
    if (at == body.end() || at->is_null()) continue;
    if (!at->is_number() || !std::isfinite(at->get<double>())) return bad(name);
    *bound = at->get<double>();
  }
  if (const auto at = body.find("columns"); at != body.end()) {
    if (!at->is_number_unsigned()) return bad("columns");
    const auto columns = at->get<std::uint64_t>();
    if (columns < 1 || columns > kMaxColumns)
      return {StatusCode::kInvalidArgument, fmt::format("columns must be 1 to {}", kMaxColumns)};
    window.columns = columns;
  }
  for (const auto& [name, flag] :
       {std::pair("times", &window.times), std::pair("newest", &window.newest)}) {
    const auto at = body.find(name);
    if (at == body.end()) continue;
    if (!at->is_boolean())
      return {StatusCode::kInvalidArgument, fmt::format("{} must be true or false", name)};
    *flag = at->get<bool>();
  }
  return {};
}

Result<std::int32_t> RankIn(const Body& object) {
  const auto at = object.find("rank");
  if (at == object.end()) return 0;
  if (!at->is_number_unsigned() || at->get<std::uint64_t>() > 0x7fffffffU)
    return Error(StatusCode::kInvalidArgument, "rank must be a whole number");
  return static_cast<std::int32_t>(at->get<std::uint64_t>());
}

Result<std::vector<std::string>> Texts(const Body& body, const char* name) {
  std::vector<std::string> texts;
  const auto at = body.find(name);
  if (at == body.end()) return texts;
  for (const Body& text : *at) {
    if (!at->is_array() || !text.is_string())
      return Error(StatusCode::kInvalidArgument, fmt::format("{} must be a list of texts", name));
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

Result<Named> NamedIn(const Body& object, const char* what) {
  if (!object.is_object() || !object.contains("run") || !object.contains("tag") ||
      !object["run"].is_string() || !object["tag"].is_string()) {
    return Error(StatusCode::kInvalidArgument, fmt::format("{} {{\"run\", \"tag\"}}", what));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int32_t rank, RankIn(object));
  return Named{object["run"].get<std::string>(), object["tag"].get<std::string>(), rank};
}

Result<std::vector<Wanted>> WantedIn(const Body& body, Axis axis) {
  std::vector<Wanted> wanted;
  if (const auto at = body.find("series"); at != body.end()) {
    for (const Body& one : *at) {
      SIGHTLINE_ASSIGN_OR_RETURN(
          Named named, NamedIn(at->is_array() ? one : Body(), "series must be a list of"));
      wanted.push_back({{std::move(named)}, false, {}});
      const auto over = one.find("over");
      if (over == one.end()) continue;
      if (axis != Axis::kStep)
        return Error(StatusCode::kInvalidArgument, "a series over another one needs the axis step");
      SIGHTLINE_ASSIGN_OR_RETURN(wanted.back().over, NamedIn(*over, "over must be"));
    }
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<std::string> runs, Texts(body, "runs"));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<std::string> tags, Texts(body, "tags"));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int32_t rank, RankIn(body));
  if (!tags.empty() && runs.size() > 50 * kMaxSeries / tags.size())
    return Error(StatusCode::kInvalidArgument, "too many runs and tags at once");
  for (const std::string& run : runs)
    for (const std::string& tag : tags) wanted.push_back({{run, tag, rank}, true, {}});
  return wanted;
}

}  // namespace

Result<Response> SeriesResponse(const CatalogSnapshot& catalog, const Request& request,
                                const ApiLimits& limits) {
  Window window;
  if (request.method == Method::kPost) {
    SIGHTLINE_ASSIGN_OR_RETURN(const Body body, BodyOf(request));
    SIGHTLINE_RETURN_IF_ERROR(ReadWindow(body, window));
    SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<Wanted> wanted, WantedIn(body, window.axis));
    return Write(catalog, wanted, window, limits);
  }
  const Target& target = request.target;
  SIGHTLINE_ASSIGN_OR_RETURN(window.axis, AxisOf(target.Get("axis", "step")));
  SIGHTLINE_ASSIGN_OR_RETURN(window.from, target.Number("from"));
  SIGHTLINE_ASSIGN_OR_RETURN(window.to, target.Number("to"));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t columns,
                             target.Integer("columns", 1000, 1, kMaxColumns));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t rank, target.Integer("rank", 0, 0, 0x7fffffff));
  window.columns = static_cast<std::size_t>(columns);
  const Named named{target.Get("run"), target.Get("tag"), static_cast<std::int32_t>(rank)};
  return Write(catalog, {{named, false, {}}}, window, limits);
}

}  // namespace sightline::dashboard
