// /api/v1/compare: whether one run follows another one, its reference.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/runs/compare/comparison_json.h"
#include "sightline/runs/compare/comparison_request.h"

namespace sightline::dashboard {
namespace {

Result<const CatalogRun*> SideOf(const CatalogSnapshot& catalog, std::string_view name,
                                 std::string_view id) {
  if (const CatalogRun* run = catalog.Find(id)) return run;
  return Error(StatusCode::kNotFound, fmt::format("{}: there is no run '{}'", name, id));
}

// The run `a` or `b`.
Result<const CatalogRun*> SideIn(const CatalogSnapshot& catalog, const Target& target,
                                 std::string_view name) {
  const auto id = target.Find(name);
  if (!id) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("name a run with the parameter {}", name));
  }
  return SideOf(catalog, name, *id);
}

// Its series have their points while they are compared. `catalog` must outlive it.
Comparand SideFrom(const CatalogSnapshot& catalog, const CatalogRun& of) {
  Comparand side = ComparandOf(of.run, of.id);
  side.open = [&catalog, &of](const Series* series) { return catalog.Open(of, series); };
  return side;
}

// The work of a comparison is bounded by what it reads.
class Work {
 public:
  explicit Work(const TagFilter& tags) : tags_(tags) {}

  void Add(const Comparand& side) {
    for (const ComparandTag& tag : side.tags) {
      if (!IsCompared(tag.tag, tags_)) continue;
      series_ += tag.ranks.size();
      for (const Series* series : tag.ranks) points_ += series->size();
    }
  }

  Status Check(const ApiLimits& limits) const {
    if (series_ <= limits.compared_series && points_ <= limits.compared_points) return {};
    return {StatusCode::kInvalidArgument,
            fmt::format("the runs have {} series with {} points to compare, and at most {} series "
                        "and {} points are compared at once; choose fewer with the parameter tag",
                        series_, points_, limits.compared_series, limits.compared_points)};
  }

 private:
  const TagFilter& tags_;
  std::uint64_t series_ = 0;
  std::uint64_t points_ = 0;
};

}  // namespace

Result<Response> CompareResponse(const CatalogSnapshot& catalog, const Request& request,
                                 const ApiLimits& limits) {
  const Target& target = request.target;
  RunComparisonOptions options;
  SIGHTLINE_ASSIGN_OR_RETURN(options.tolerance,
                             ToleranceIn("tolerance", target.Get("tolerance", "2%")));
  SIGHTLINE_ASSIGN_OR_RETURN(options.tags, MakeTagFilter("tag", target.Get("tag")));
  const std::vector<std::string> names = target.All("like");
  SIGHTLINE_RETURN_IF_ERROR(CheckLike("like", names.size()));
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* of_a, SideIn(catalog, target, "a"));
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* of_b, SideIn(catalog, target, "b"));
  const Comparand a = SideFrom(catalog, *of_a);
  const Comparand b = SideFrom(catalog, *of_b);
  std::vector<Comparand> like;
  like.reserve(names.size());
  for (const std::string& name : names) {
    SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* of, SideOf(catalog, "like", name));
    like.push_back(SideFrom(catalog, *of));
  }
  Work work(options.tags);
  work.Add(a);
  work.Add(b);
  for (const Comparand& one : like) work.Add(one);
  SIGHTLINE_RETURN_IF_ERROR(work.Check(limits));
  options.like = like;
  return JsonResponse(
      ComparisonJson({a.name, b.name, options.tolerance, like.size(), CompareRuns(a, b, options)}));
}

}  // namespace sightline::dashboard
