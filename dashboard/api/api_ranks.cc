// /api/v1/ranks: what the ranks of one run have in common, and which of them leave the others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/runs/ranks/rank_band.h"
#include "sightline/runs/ranks/rank_comparison.h"
#include "sightline/runs/ranks/rank_stages.h"
#include "sightline/runs/ranks/rank_steps.h"
#include "sightline/runs/ranks/rank_summary.h"

namespace sightline::dashboard {
namespace {

// With these, a response about one tag of 1,024 ranks takes at most 200 kB.
constexpr std::int64_t kMaxColumns = 1500;
constexpr std::size_t kHeatRows = 64;
constexpr std::size_t kHeatCells = kHeatRows * 120;
constexpr std::size_t kNamed = 100;
constexpr std::size_t kMaxTags = 100;

struct Wanted {
  std::string show;  // "band", "heat", "table".
  std::optional<double> from;
  std::optional<double> to;
  std::size_t columns = 0;
};

Json JsonOf(const LeavingRank& one) {
  Json json = {{"rank", one.rank},
               {"above", one.above},
               {"excess", one.excess ? dashboard::JsonOf(*one.excess) : Json()},
               {"since", one.since}};
  if (one.until) json["until"] = *one.until;
  return json;
}

Json JsonOf(const NonFiniteRank& one) {
  Json json = {{"rank", one.rank}, {"since", one.since}};
  if (one.until) json["until"] = *one.until;
  return json;
}

Json JsonOf(const MissingSteps& one) {
  return {{"rank", one.rank},
          {"first", one.first},
          {"last", one.last},
          {"late", one.late},
          {"early", one.early}};
}

// {"total": 3, "named": [...]}: the first of them.
template <typename One>
Json Named(const std::vector<One>& all) {
  Json named = Json::array();
  for (std::size_t i = 0; i < std::min(all.size(), kNamed); ++i) named.push_back(JsonOf(all[i]));
  return {{"total", all.size()}, {"named", std::move(named)}};
}

// Appends arrays of equal length to the numbers of a response, a column each.
class Columns {
 public:
  Columns(std::size_t length, std::vector<double>& numbers, Json& header)
      : length_(length), numbers_(numbers) {
    header["length"] = length;
    header["offset"] = numbers.size();
  }
  template <typename Of>
  void Add(Of of) {
    for (std::size_t i = 0; i < length_; ++i) numbers_.push_back(static_cast<double>(of(i)));
  }

 private:
  std::size_t length_;
  std::vector<double>& numbers_;
};

void WriteBand(const RankBand& band, std::vector<double>& numbers, Json& header) {
  const auto& columns = band.columns;
  header["form"] = band.exact ? "points" : "columns";
  Columns into(columns.size(), numbers, header);
  into.Add([&](std::size_t i) { return columns[i].first_step; });
  if (!band.exact) into.Add([&](std::size_t i) { return columns[i].last_step; });
  into.Add([&](std::size_t i) { return columns[i].low; });
  into.Add([&](std::size_t i) { return columns[i].high; });
  into.Add([&](std::size_t i) { return columns[i].first; });
  if (!band.exact) {
    into.Add([&](std::size_t i) { return columns[i].last; });
    into.Add([&](std::size_t i) { return columns[i].least; });
    into.Add([&](std::size_t i) { return columns[i].most; });
  }
  into.Add([&](std::size_t i) { return columns[i].nan; });
  into.Add([&](std::size_t i) { return columns[i].pos_inf; });
  into.Add([&](std::size_t i) { return columns[i].neg_inf; });
}

void WriteHeat(const RankHeat& heat, std::vector<double>& numbers, Json& header) {
  header["form"] = "heat";
  header["columns"] = heat.columns;
  Json rows = Json::array();
  for (const RankHeat::Row& row : heat.rows) rows.push_back({row.first_rank, row.last_rank});
  header["rows"] = std::move(rows);
  Columns into(heat.cells.size(), numbers, header);
  into.Add([&](std::size_t i) { return heat.cells[i].value; });
  into.Add([&](std::size_t i) { return heat.cells[i].median; });
  into.Add([&](std::size_t i) { return heat.cells[i].recorded; });
}

void WriteTable(const std::vector<RankSummary>& ranks, std::vector<double>& numbers, Json& header) {
  header["form"] = "table";
  Columns into(ranks.size(), numbers, header);
  into.Add([&](std::size_t i) { return ranks[i].rank; });
  into.Add([&](std::size_t i) { return ranks[i].last_step; });
  into.Add([&](std::size_t i) { return ranks[i].last; });
  into.Add([&](std::size_t i) { return ranks[i].mean; });
  into.Add([&](std::size_t i) { return ranks[i].min; });
  into.Add([&](std::size_t i) { return ranks[i].max; });
  into.Add([&](std::size_t i) { return ranks[i].steps; });
  into.Add([&](std::size_t i) { return ranks[i].nonfinite; });
}

// One tag: who leaves the others in all steps, and what is shown of the range.
Json WriteTag(const CatalogSnapshot& catalog, const CatalogRun& of, const std::string& tag,
              const Wanted& wanted, std::vector<double>& numbers) {
  const Run& run = *of.run;
  Json header = {{"tag", tag}};
  std::vector<const Series*> ranks = RanksOf(run, tag);
  const auto valid = OnlyValidRank(run, tag);
  if (const Series* one = valid ? run.Find(ContentKind::kScalar, tag, *valid) : nullptr) {
    ranks = {one};
    header["only_valid"] = *valid;
  }
  if (ranks.empty()) {
    header["error"] = fmt::format("there is no scalar '{}'", tag);
    return header;
  }
  std::vector<std::shared_ptr<const Series>> opened;
  for (const Series*& rank : ranks) {
    opened.push_back(catalog.Open(of, rank));
    rank = opened.back().get();
  }
  const RankSteps steps = RankStepsOf(ranks);
  const RankComparison found = CompareRanks(ByStage(run, ranks), steps);
  header["ranks"] = ranks.size();
  header["stages"] = found.stages;
  header["leaving"] = Named(found.leaving);
  header["nonfinite"] = Named(found.nonfinite);
  header["missing"] = Named(found.missing);
  const std::int64_t first = wanted.from ? ToStep(std::ceil(*wanted.from)) : steps.steps.front();
  const std::int64_t last = wanted.to ? ToStep(std::floor(*wanted.to)) : steps.steps.back();
  header["from"] = first;
  header["to"] = std::max(first, last);
  if (wanted.show == "heat") {
    const std::size_t rows = std::min(ranks.size(), kHeatRows);
    const std::size_t columns = std::min(wanted.columns, kHeatCells / rows);
    WriteHeat(HeatOf(ranks, steps, first, std::max(first, last), rows, columns), numbers, header);
  } else if (wanted.show == "table") {
    WriteTable(SummariesOf(ranks, first, last), numbers, header);
  } else {
    WriteBand(BandOfRanks(steps, first, last, wanted.columns), numbers, header);
  }
  return header;
}

Result<Wanted> WantedIn(const Target& target) {
  Wanted wanted;
  wanted.show = target.Get("show", "band");
  if (wanted.show != "band" && wanted.show != "heat" && wanted.show != "table")
    return Error(StatusCode::kInvalidArgument, "show must be band, heat or table");
  SIGHTLINE_ASSIGN_OR_RETURN(wanted.from, target.Number("from"));
  SIGHTLINE_ASSIGN_OR_RETURN(wanted.to, target.Number("to"));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t columns,
                             target.Integer("columns", 1000, 1, kMaxColumns));
  wanted.columns = static_cast<std::size_t>(columns);
  return wanted;
}

}  // namespace

Result<Response> RanksResponse(const CatalogSnapshot& catalog, const Request& request,
                               const ApiLimits& limits) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Wanted wanted, WantedIn(request.target));
  const std::vector<std::string> tags = request.target.All("tag");
  if (tags.empty() || tags.size() > kMaxTags)
    return Error(StatusCode::kInvalidArgument, fmt::format("name 1 to {} tags", kMaxTags));
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* of, RunOf(catalog, request));
  Json header = {{"generation", catalog.generation}, {"run", of->id}, {"tags", Json::array()}};
  std::vector<double> numbers;
  for (const std::string& tag : tags) {
    header["tags"].push_back(WriteTag(catalog, *of, tag, wanted, numbers));
    if (numbers.size() * sizeof(double) > limits.response_bytes) {
      return Error(StatusCode::kInvalidArgument, "the response would be too long; name fewer tags");
    }
  }
  return PackColumns(header, numbers);
}

}  // namespace sightline::dashboard
