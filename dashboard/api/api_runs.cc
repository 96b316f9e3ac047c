// /api/v1/runs, run, tags, lineage: everything about runs except their points.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/dashboard/store/keras_graph.h"
#include "sightline/runs/ranks/rank_stages.h"
#include "sightline/runs/run_group.h"

namespace sightline::dashboard {
namespace {

constexpr std::int64_t kMaxPage = 5000;
// A tag takes kilobytes while its JSON is made.
constexpr std::int64_t kTagsOfRun = 10'000;
constexpr std::size_t kTagsOfRuns = 50'000;
constexpr std::size_t kNamed = 100;
// Unless a request asks for more, a response about one run takes at most 200 kB.
constexpr std::int64_t kTags = 500;
constexpr std::int64_t kRows = 200;
constexpr std::int64_t kMaxRows = 10'000;

bool IsLive(const CatalogRun& run) {
  return run.state == RunState::kRunning || run.state == RunState::kStalled;
}

Json LineageOf(const Run& run) {
  Json json = Json::object();
  // The keys are unique, so appending is safe and avoids a search for each.
  auto& object = json.get_ref<Json::object_t&>();
  for (const auto& [key, value] : run.lineage()) object.emplace_back(key, JsonOf(value));
  return json;
}

// Ranges of neighbours, since a run may have a thousand ranks: [[0, 7], [9, 9]].
Json RangesOf(const std::set<std::int32_t>& ranks) {
  std::vector<std::pair<std::int32_t, std::int32_t>> ranges;
  for (const std::int32_t rank : ranks) {
    if (ranges.empty() || rank != ranges.back().second + 1) ranges.emplace_back(rank, rank);
    ranges.back().second = rank;
  }
  return ranges;
}

// The fields of a run in the list.
Json Summary(const CatalogRun& of) {
  const Run& run = *of.run;
  Json series = Json::object();
  for (const auto& [kind, count] : of.kinds) series[std::string(kind)] = count;
  return {{"id", of.id},
          {"name", of.name},
          {"state", RunStateName(of.state)},
          {"recovered", of.state == RunState::kKilled && run.signs().recovered},
          {"live", IsLive(of)},
          {"first_time", run.first_wall_time() ? JsonOf(*run.first_wall_time()) : Json()},
          {"last_time", run.last_wall_time() ? JsonOf(*run.last_wall_time()) : Json()},
          {"first_step", of.first_step},
          {"last_step", of.last_step},
          {"series", std::move(series)},
          {"points", of.points},
          {"ranks", RangesOf(of.ranks)},
          {"parts", run.parts().size()},
          {"damage", of.damage},
          {"unchecked", of.unchecked},
          {"nan", of.nonfinite},
          {"objective", of.objective},
          {"lineage", LineageOf(run)}};
}

Json LastValue(const Series& series) {
  const Extremes all = series.ExtremesOf(0, series.size());
  return {{"rank", series.key().rank},
          {"step", series.last_step()},
          {"time", JsonOf(series.last_wall_time())},
          {"value", JsonOf(series.last_value())},
          {"min", JsonOrNull(all.min)},
          {"max", JsonOrNull(all.max)},
          {"nan", all.nonfinite()},
          {"count", series.size()}};
}

Json ValuesOf(const CatalogRun& of, const std::vector<std::string>& tags) {
  Json values = Json::object();
  std::vector<std::string> wanted = tags;
  if (wanted.empty() && !of.objective.empty()) wanted.push_back(of.objective);
  for (const std::string& tag : wanted) {
    const Series* const series =
        of.run->Find(ContentKind::kScalar, tag, OnlyValidRank(*of.run, tag));
    if (series != nullptr) values[tag] = LastValue(*series);
  }
  return values;
}

// Sorts by a key of docs/http_api.md, or by an expression.
Status Sort(std::vector<const CatalogRun*>& runs, std::string key) {
  const bool falling = !key.empty() && key.front() == '-';
  if (falling) key.erase(0, 1);
  if (key.empty() || key == "id") {
    if (falling) std::reverse(runs.begin(), runs.end());
    return {};
  }
  const auto by = [&](auto value) {
    std::stable_sort(runs.begin(), runs.end(), [&](const CatalogRun* a, const CatalogRun* b) {
      return falling ? value(*b) < value(*a) : value(*a) < value(*b);
    });
  };
  if (key == "time") {
    by([](const CatalogRun& run) { return run.run->last_wall_time().value_or(0); });
  } else if (key == "start") {
    by([](const CatalogRun& run) { return run.run->first_wall_time().value_or(0); });
  } else if (key == "state") {
    by([](const CatalogRun& run) { return run.state; });
  } else if (key == "last_step") {
    by([](const CatalogRun& run) { return run.last_step; });
  } else {
    std::map<const Run*, const CatalogRun*> back;
    std::vector<std::shared_ptr<const Run>> plain;
    for (const CatalogRun* run : runs) {
      back[run->run.get()] = run;
      plain.push_back(run->run);
    }
    SIGHTLINE_ASSIGN_OR_RETURN(const RunGroup sorted,
                               RunGroup(std::move(plain)).Sorted(key, falling));
    runs.clear();
    for (const auto& run : sorted.runs()) runs.push_back(back.at(run.get()));
  }
  return {};
}

Json TagOf(const Run& run, const Series& series) {
  Json json = {{"kind", ContentKindName(series.key().kind)},
               {"tag", series.key().tag},
               {"rank", series.key().rank},
               {"count", series.size()},
               {"first_step", series.first_step()},
               {"last_step", series.last_step()}};
  if (series.key().kind == ContentKind::kPlugin) json["plugin"] = series.key().plugin;
  const auto shown = run.display_names().find(series.key().tag);
  if (shown != run.display_names().end()) json["display_name"] = shown->second;
  if (series.is_scalar()) {
    const Extremes all = series.ExtremesOf(0, series.size());
    json["last"] = JsonOf(series.last_value());
    json["min"] = JsonOrNull(all.min);
    json["max"] = JsonOrNull(all.max);
    json["nan"] = all.nonfinite();
  }
  return json;
}

// In which ranks values of which scalars are NaN or infinite.
Json NonFiniteOf(const Run& run) {
  std::set<std::int32_t> ranks;
  std::map<std::string_view, std::set<std::int32_t>> tags;
  for (const auto& series : run.series()) {
    if (!series->is_scalar() || series->ExtremesOf(0, series->size()).nonfinite() == 0) continue;
    ranks.insert(series->key().rank);
    tags[series->key().tag].insert(series->key().rank);
  }
  Json named = Json::array();
  for (const auto& [tag, of] : tags) {
    if (named.size() == kNamed) break;
    named.push_back({{"tag", tag}, {"ranks", RangesOf(of)}});
  }
  return {{"ranks", RangesOf(ranks)}, {"tags", tags.size()}, {"named", std::move(named)}};
}

// The path of a file below the run's directory.
std::string_view PathIn(const Run& run, const RunFile& file) {
  std::string_view path = file.path;
  if (!path.starts_with(run.directory() + "/")) return BaseName(path);
  path.remove_prefix(run.directory().size() + 1);
  return path;
}

// Of all files, and the number of all.
std::pair<Json, std::size_t> DamageOf(const Run& run, std::size_t most) {
  Json regions = Json::array();
  std::size_t count = 0;
  for (const RunFile& file : run.files()) {
    count += file.damage.size();
    for (const SkippedRegion& region : file.damage) {
      if (regions.size() == most) break;
      regions.push_back({{"file", PathIn(run, file)},
                         {"offset", region.offset},
                         {"length", region.length},
                         {"reason", SkipReasonName(region.reason)}});
    }
  }
  return {std::move(regions), count};
}

Json FilesOf(const Run& run, std::size_t most) {
  std::vector<const RunFile*> order;
  for (const RunFile& file : run.files()) order.push_back(&file);
  std::stable_partition(order.begin(), order.end(),
                        [](const RunFile* file) { return !file->status.ok(); });
  order.resize(std::min(order.size(), most));
  Json files = Json::array();
  for (const RunFile* file : order) {
    files.push_back({{"file", PathIn(run, *file)},
                     {"kind", file->KindName()},
                     {"bytes", file->bytes},
                     {"records", file->records},
                     {"journal_records", file->journal_records},
                     {"rank", file->rank},
                     {"error", file->status.message()}});
  }
  return files;
}

Json SessionsOf(const Run& run, std::size_t most) {
  Json sessions = Json::array();
  for (const RunSession& of : run.sessions()) {
    if (sessions.size() == most) break;
    Json json = {{"session", of.session.session_id},
                 {"writer", of.session.writer},
                 {"version", of.session.version},
                 {"rank", of.session.rank},
                 {"world_size", of.session.world_size}};
    if (of.session.resume_from_step) json["resume_from_step"] = *of.session.resume_from_step;
    if (of.superseded_from) json["superseded_from"] = *of.superseded_from;
    sessions.push_back(std::move(json));
  }
  return sessions;
}

// A graph that a session recorded in both dialects is listed once, like its values.
Json GraphsOf(const Run& run) {
  Json graphs = Json::array();
  const auto at = run.events().find(EventKind::kGraph);
  const auto session_of = [&](const HeavyPoint& graph) {
    const auto& session = run.files()[graph.file].session;
    return session ? session->session_id : "";
  };
  for (std::size_t i = 0; at != run.events().end() && i < at->second.size(); ++i) {
    const HeavyPoint& graph = at->second[i];
    const auto is_its_other = [&](const HeavyPoint& other) {
      return other.step == graph.step && session_of(other) == session_of(graph) &&
             run.files()[other.file].kind != EventFileKind::kTensorBoard;
    };
    if (run.files()[graph.file].kind == EventFileKind::kTensorBoard && !session_of(graph).empty() &&
        std::any_of(at->second.begin(), at->second.end(), is_its_other)) {
      continue;
    }
    graphs.push_back({{"graph", fmt::format("g{}", i)},
                      {"kind", "computational"},
                      {"title", fmt::format("step {}", at->second[i].step)}});
  }
  const std::vector<const Series*> models = KerasModelsOf(run);
  for (std::size_t i = 0; i < models.size(); ++i) {
    graphs.push_back(
        {{"graph", fmt::format("k{}", i)},
         {"kind", "computational"},
         {"title", fmt::format("{}, step {}", models[i]->key().tag, models[i]->last_step())}});
  }
  if (const auto dataset = run.events().find(EventKind::kDatasetGraph);
      dataset != run.events().end() && !dataset->second.empty()) {
    graphs.push_back({{"graph", "dataset"}, {"kind", "dataset"}, {"title", "dataset"}});
  }
  return graphs;
}

// By the tags of the curves that add_scalars(main, {key: value}) made: how long their main tag is.
std::map<std::string_view, std::size_t> MainTagsOf(const Run& run) {
  std::map<std::string_view, std::size_t> mains;
  for (const RunPart& part : run.parts()) {
    if (!part.tag.empty() && !part.run->series().empty())
      mains.emplace(part.tag, part.run->series()[0]->key().tag.size());
  }
  return mains;
}

// The runs that a body names by "runs" or "query".
Result<std::vector<const CatalogRun*>> RunsIn(const CatalogSnapshot& catalog, const Body& body) {
  std::vector<const CatalogRun*> runs;
  if (const auto at = body.find("runs"); at != body.end()) {
    for (const Body& id : *at) {
      if (!at->is_array() || !id.is_string())
        return Error(StatusCode::kInvalidArgument, "runs must be a list of texts");
      if (const CatalogRun* run = catalog.Find(id.get_ref<const std::string&>()))
        runs.push_back(run);
    }
    return runs;
  }
  const auto query = body.find("query");
  if (query != body.end() && !query->is_string())
    return Error(StatusCode::kInvalidArgument, "query must be a text");
  return Matching(catalog, query == body.end() ? "" : query->get<std::string>());
}

}  // namespace

Json StatusOf(const CatalogSnapshot& catalog, const ApiOptions& options) {
  return {{"version", options.version},       {"roots", options.roots},
          {"runs", catalog.runs.size()},      {"loading", catalog.loading},
          {"generation", catalog.generation}, {"read_only", !options.writable},
          {"kept", options.has_kept()},       {"source", options.has_sources},
          {"base_path", options.base_path},   {"join", options.join}};
}

Result<Response> RunsResponse(const CatalogSnapshot& catalog, const Request& request) {
  const Target& target = request.target;
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<const CatalogRun*> runs,
                             Matching(catalog, target.Get("query")));
  SIGHTLINE_RETURN_IF_ERROR(Sort(runs, target.Get("sort")));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t offset,
                             target.Integer("offset", 0, 0, 1'000'000'000));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t limit, target.Integer("limit", 1000, 0, kMaxPage));
  const std::vector<std::string> tags = target.All("tag");
  Json json = {{"generation", catalog.generation},
               {"total", catalog.runs.size()},
               {"matched", runs.size()},
               {"offset", offset},
               {"runs", Json::array()}};
  const auto begin = std::min(static_cast<std::size_t>(offset), runs.size());
  const auto end = std::min(begin + static_cast<std::size_t>(limit), runs.size());
  for (std::size_t i = begin; i < end; ++i) {
    Json one = Summary(*runs[i]);
    one["values"] = ValuesOf(*runs[i], tags);
    json["runs"].push_back(std::move(one));
  }
  return JsonResponse(json);
}

Result<Response> RunResponse(const CatalogSnapshot& catalog, const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* of, RunOf(catalog, request));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t offset,
                             request.target.Integer("offset", 0, 0, 1'000'000'000));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t limit,
                             request.target.Integer("limit", kTags, 0, kTagsOfRun));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t rows,
                             request.target.Integer("rows", kRows, 0, kMaxRows));
  const auto most = static_cast<std::size_t>(rows);
  Json json = Summary(*of);
  json["directory"] = of->run->directory();
  json["tags"] = Json::array();
  const auto& series = of->run->series();
  const auto begin = std::min(static_cast<std::size_t>(offset), series.size());
  const auto end = std::min(begin + static_cast<std::size_t>(limit), series.size());
  for (std::size_t i = begin; i < end; ++i) json["tags"].push_back(TagOf(*of->run, *series[i]));
  json["graphs"] = GraphsOf(*of->run);
  json["nonfinite"] = NonFiniteOf(*of->run);
  auto [regions, region_count] = DamageOf(*of->run, most);
  json["damage_regions"] = std::move(regions);
  json["files"] = FilesOf(*of->run, most);
  json["sessions"] = SessionsOf(*of->run, most);
  json["totals"] = {{"tags", series.size()},
                    {"files", of->run->files().size()},
                    {"sessions", of->run->sessions().size()},
                    {"damage_regions", region_count}};
  return JsonResponse(json);
}

Result<Response> TagsResponse(const CatalogSnapshot& catalog, const Request& request) {
  Body body = Body::object();
  if (request.method == Method::kPost) {
    SIGHTLINE_ASSIGN_OR_RETURN(body, BodyOf(request));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<const CatalogRun*> runs, RunsIn(catalog, body));
  std::optional<ContentKind> only;
  if (const auto kind = body.find("kind"); kind != body.end()) {
    if (!kind->is_string()) return Error(StatusCode::kInvalidArgument, "kind must be a text");
    SIGHTLINE_ASSIGN_OR_RETURN(only, KindOf(kind->get_ref<const std::string&>()));
  }
  struct Tag {
    std::set<std::int32_t> ranks;
    std::vector<std::size_t> runs;
    std::string plugin;    // Of the first run that has the tag.
    std::size_t main = 0;  // The length of the main tag of a curve, in some run.
  };
  std::map<std::pair<ContentKind, std::string>, Tag> tags;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto mains = MainTagsOf(*runs[i]->run);
    const SeriesKey* before = nullptr;
    Tag* tag = nullptr;
    for (const auto& series : runs[i]->run->series()) {
      const SeriesKey& key = series->key();
      if (only && key.kind != *only) continue;
      // The ranks of a tag, which may be a thousand, follow each other.
      if (before == nullptr || before->kind != key.kind || before->tag != key.tag) {
        tag = &tags[{key.kind, key.tag}];
        if (tag->runs.empty()) tag->plugin = key.plugin;
        if (const auto main = mains.find(key.tag); main != mains.end()) tag->main = main->second;
        if (tag->runs.empty() || tag->runs.back() != i) tag->runs.push_back(i);
      }
      tag->ranks.insert(tag->ranks.end(), key.rank);
      before = &key;
    }
  }
  Json json = {{"runs", Json::array()}, {"tags", Json::array()}};
  for (const CatalogRun* run : runs) json["runs"].push_back(run->id);
  for (const auto& [key, tag] : tags) {
    if (json["tags"].size() == kTagsOfRuns) {
      json["left_out"] = tags.size() - kTagsOfRuns;
      break;
    }
    json["tags"].push_back(
        {{"kind", ContentKindName(key.first)},
         {"tag", key.second},
         {"ranks", RangesOf(tag.ranks)},
         {"runs", tag.runs.size() == runs.size() ? Json("all") : Json(tag.runs)}});
    if (!tag.plugin.empty()) json["tags"].back()["plugin"] = tag.plugin;
    if (tag.main > 0) json["tags"].back()["main"] = key.second.substr(0, tag.main);
  }
  return JsonResponse(json);
}

Result<Response> LineageResponse(const CatalogSnapshot& catalog, const Request& request) {
  std::vector<const CatalogRun*> runs;
  if (const std::vector<std::string> ids = request.target.All("run"); !ids.empty()) {
    for (const std::string& id : ids)
      if (const CatalogRun* run = catalog.Find(id)) runs.push_back(run);
  } else {
    SIGHTLINE_ASSIGN_OR_RETURN(runs, Matching(catalog, request.target.Get("query")));
  }
  std::map<std::string, bool> keys;  // Whether every value is a number.
  for (const CatalogRun* run : runs) {
    for (const auto& [key, value] : run->run->lineage()) {
      bool& numeric = keys.emplace(key, true).first->second;
      numeric = numeric && !std::holds_alternative<std::string>(value);
    }
  }
  Json json = {{"columns", Json::array()}, {"rows", Json::array()}};
  for (const auto& [key, numeric] : keys)
    json["columns"].push_back({{"key", key}, {"numeric", numeric}});
  for (const CatalogRun* run : runs) {
    Json values = Json::array();
    for (const auto& [key, numeric] : keys) {
      const auto at = run->run->lineage().find(key);
      values.push_back(at == run->run->lineage().end() ? Json() : JsonOf(at->second));
    }
    json["rows"].push_back({{"run", run->id}, {"values", std::move(values)}});
  }
  return JsonResponse(json);
}

}  // namespace sightline::dashboard
