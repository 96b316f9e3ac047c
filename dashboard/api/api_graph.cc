// /api/v1/graph, graph/node, graph/search, dataset.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "sightline/base/parse_number.h"
#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/dashboard/store/graph_view.h"
#include "sightline/dashboard/store/ir_store.h"
#include "sightline/dashboard/store/keras_graph.h"
#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/message/graph_def.h"
#include "sightline/recorder/message/lineage.h"

namespace sightline::dashboard {
namespace {

constexpr ImportKind<GraphView> kRunGraphs{"run graph", 4};

Result<std::shared_ptr<const GraphView>> ReadGraph(const Run& run, const HeavyPoint& place) {
  SIGHTLINE_ASSIGN_OR_RETURN(const StoredValue stored, run.Read(place));
  if (stored.value().plugin == kKerasPlugin) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto texts, DecodeStrings(stored.value().message));
    SIGHTLINE_ASSIGN_OR_RETURN(const Graph model,
                               ParseKerasModel(texts.empty() ? "" : texts.front()));
    return std::make_shared<const GraphView>(model);
  }
  const bool tensorboard = stored.file_kind() == EventFileKind::kTensorBoard;
  SIGHTLINE_ASSIGN_OR_RETURN(const Graph graph, tensorboard ? ParseGraphDef(stored.event().body)
                                                            : ParseGraph(stored.event().body));
  return std::make_shared<const GraphView>(graph);
}

// The place of the graph that a run's list calls `name` (api_runs.cc): "g0", or "k0" for a Keras
// model.
std::optional<HeavyPoint> PlaceOfGraph(const Run& run, std::string_view name) {
  const auto number = ParseNumber<std::size_t>(name.substr(std::min<std::size_t>(1, name.size())));
  if (!number) return std::nullopt;
  if (name.starts_with('k')) {
    const auto models = KerasModelsOf(run);
    if (*number >= models.size()) return std::nullopt;
    return models[*number]->point(models[*number]->size() - 1);
  }
  const auto graphs = run.events().find(EventKind::kGraph);
  if (!name.starts_with('g') || graphs == run.events().end() || *number >= graphs->second.size())
    return std::nullopt;
  return graphs->second[*number];
}

// The graph of a run that the parameter `graph` names.
Result<Opened<GraphView>> GraphOfRun(const CatalogRun& of, const Request& request,
                                     BackgroundImports& imports) {
  const std::string name = request.target.Get("graph", "g0");
  const auto found = PlaceOfGraph(*of.run, name);
  if (!found) return Error(StatusCode::kNotFound, "there is no graph '" + name + "'");
  const HeavyPoint place = *found;
  // Records do not change, so the graph stays valid while the run grows.
  const std::string id =
      fmt::format("{}\n{}\n{}", of.run->files()[place.file].path, place.offset, place.value);
  if (auto known = imports.Find(kRunGraphs, id)) return *std::move(known);
  return imports.Start(kRunGraphs, id, [run = of.run, place](ImportFiles& /*files*/) {
    return ReadGraph(*run, place);
  });
}

Result<Opened<GraphView>> GraphOf(const CatalogSnapshot& catalog, const Request& request,
                                  const GraphSources& sources) {
  if (const auto dump = request.target.Find("ir")) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto opened, sources.dumps.Dump(std::string(*dump)));
    if (opened.value == nullptr) return Opened<GraphView>{nullptr, opened.progress};
    return Opened<GraphView>{{opened.value, opened.value->graph.get()}, opened.progress};
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* of, RunOf(catalog, request));
  return GraphOfRun(*of, request, sources.imports);
}

// Adds the graph's name to the response, as its first member.
Json Named(const Request& request, Json json) {
  const auto dump = request.target.Find("ir");
  Json named = {{"graph", dump ? std::string(*dump) : request.target.Get("graph", "g0")},
                {"kind", dump ? "ir" : "computational"}};
  for (auto& entry : json.items()) named[entry.key()] = std::move(entry.value());
  return named;
}

// Whether the response for a scope lists one scope and nothing else.
bool ListsOneScope(const Json& json) {
  return json["more"] == 0 && json["nodes"].size() == 1 && json["nodes"][0]["kind"] == "scope";
}

Json JsonOf(const DatasetGraph::Parameter& parameter) {
  struct Printer {
    Json operator()(bool v) const { return v; }
    Json operator()(std::int64_t v) const { return v; }
    Json operator()(double v) const { return dashboard::JsonOf(v); }
    Json operator()(const std::string& v) const { return v; }
    Json operator()(const std::vector<std::string>& v) const { return v; }
  };
  return std::visit(Printer{}, parameter);
}

Json JsonOf(const std::map<std::string, DatasetGraph::Parameter>& parameters) {
  Json json = Json::object();
  for (const auto& [key, value] : parameters) json[key] = JsonOf(value);
  return json;
}

Json JsonOf(const DatasetGraph::Operation& operation) {
  Json weights = Json::array();
  for (const float weight : operation.weights) weights.push_back(dashboard::JsonOf(weight));
  return {{"parameters", JsonOf(operation.parameters)},
          {"size", operation.size},
          {"weights", std::move(weights)}};
}

// ParseDatasetGraph bounds the depth.
Json JsonOf(const DatasetGraph& stage) {
  Json json = {{"parameters", JsonOf(stage.parameters)},
               {"operations", Json::array()},
               {"sampler", stage.sampler ? JsonOf(*stage.sampler) : Json()},
               {"children", Json::array()}};
  const auto type = stage.parameters.find("op_type");
  json["op_type"] = type == stage.parameters.end() ? Json("") : JsonOf(type->second);
  for (const DatasetGraph::Operation& operation : stage.operations)
    json["operations"].push_back(JsonOf(operation));
  for (const DatasetGraph& child : stage.children) json["children"].push_back(JsonOf(child));
  return json;
}

}  // namespace

Result<Response> GraphResponse(const CatalogSnapshot& catalog, const Request& request,
                               const GraphSources& sources) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto view, GraphOf(catalog, request, sources));
  if (view.value == nullptr) return ImportingResponse(view.progress);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t from,
                             request.target.Integer("from", 0, 0, 1'000'000'000));
  SIGHTLINE_ASSIGN_OR_RETURN(
      Json json, view.value->Scope(request.target.Get("scope"), static_cast<std::size_t>(from)));
  Json response = Named(request, std::move(json));
  // A page would ask next for the only scope in a scope. GraphView bounds the depth.
  for (Json* last = &response; from == 0 && ListsOneScope(*last); last = &(*last)["only"]) {
    SIGHTLINE_ASSIGN_OR_RETURN(Json only,
                               view.value->Scope((*last)["nodes"][0]["id"].get<std::string>(), 0));
    (*last)["only"] = Named(request, std::move(only));
  }
  return JsonResponse(response);
}

Result<Response> GraphNodeResponse(const CatalogSnapshot& catalog, const Request& request,
                                   const GraphSources& sources) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto view, GraphOf(catalog, request, sources));
  if (view.value == nullptr) return ImportingResponse(view.progress);
  SIGHTLINE_ASSIGN_OR_RETURN(const Json json, view.value->Node(request.target.Get("node")));
  return JsonResponse(json);
}

Result<Response> GraphSearchResponse(const CatalogSnapshot& catalog, const Request& request,
                                     const GraphSources& sources) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto view, GraphOf(catalog, request, sources));
  if (view.value == nullptr) return ImportingResponse(view.progress);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t limit,
                             request.target.Integer("limit", 100, 1, 1000));
  return JsonResponse(
      view.value->Search(request.target.Get("text"), static_cast<std::size_t>(limit)));
}

Result<Response> DatasetResponse(const CatalogSnapshot& catalog, const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* of, RunOf(catalog, request));
  const auto found = of->run->events().find(EventKind::kDatasetGraph);
  if (found == of->run->events().end() || found->second.empty())
    return Error(StatusCode::kNotFound, "the run has no dataset graph");
  SIGHTLINE_ASSIGN_OR_RETURN(const StoredValue stored, of->run->Read(found->second.back()));
  SIGHTLINE_ASSIGN_OR_RETURN(const DatasetGraph dataset, ParseDatasetGraph(stored.event().body));
  return JsonResponse({{"dataset", JsonOf(dataset)}});
}

}  // namespace sightline::dashboard
