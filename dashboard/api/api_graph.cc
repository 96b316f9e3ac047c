// /api/v1/graph, graph/node, graph/search, dataset.
#include <charconv>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/dashboard/store/graph_view.h"
#include "sightline/dashboard/store/ir_store.h"
#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/message/graph_def.h"
#include "sightline/recorder/message/lineage.h"

namespace sightline::dashboard {
namespace {

// Graphs that were looked at last: unfolding a scope must not read 100,000 nodes anew.
class GraphCache {
 public:
  using Key = std::pair<std::shared_ptr<const Run>, std::size_t>;

  std::shared_ptr<const GraphView> Find(const Key& key) {
    const std::lock_guard lock(mutex_);
    for (const auto& [known, view] : views_)
      if (known == key) return view;
    return nullptr;
  }
  void Add(Key key, std::shared_ptr<const GraphView> view) {
    const std::lock_guard lock(mutex_);
    views_.emplace_front(std::move(key), std::move(view));
    if (views_.size() > kKept) views_.pop_back();
  }

 private:
  static constexpr std::size_t kKept = 4;
  std::mutex mutex_;
  std::deque<std::pair<Key, std::shared_ptr<const GraphView>>> views_;
};

GraphCache& Cache() {
  static GraphCache cache;
  return cache;
}

Result<std::shared_ptr<const GraphView>> GraphOf(const CatalogSnapshot& catalog,
                                                 const Request& request, IrStore* dumps) {
  if (const auto dump = request.target.Find("ir"); dump && dumps != nullptr) {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto read, dumps->Dump(std::string(*dump)));
    return std::shared_ptr<const GraphView>(read, read->graph.get());
  }
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const CatalogRun* of, RunOf(catalog, request));
  const std::string name = request.target.Get("graph", "g0");
  std::size_t number = 0;
  const auto [end, error] =
      std::from_chars(name.data() + (name.empty() ? 0 : 1), name.data() + name.size(), number);
  const auto graphs = of->run->events().find(EventKind::kGraph);
  if (name.empty() || name.front() != 'g' || error != std::errc() ||
      end != name.data() + name.size() || graphs == of->run->events().end() ||
      number >= graphs->second.size()) {
    return Error(StatusCode::kNotFound, "graph '" + name + "' is not there");
  }
  if (auto known = Cache().Find({of->run, number})) return known;
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const StoredValue stored, of->run->Read(graphs->second[number]));
  const bool tensorboard = stored.file_kind() == EventFileKind::kTensorBoard;
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const Graph graph, tensorboard ? ParseGraphDef(stored.event().body)
                                                                : ParseGraph(stored.event().body));
  auto view = std::make_shared<const GraphView>(graph);
  Cache().Add({of->run, number}, view);
  return view;
}

// The answer, with the graph's name in front.
Json Named(const Request& request, Json json) {
  const auto dump = request.target.Find("ir");
  Json named = {{"graph", dump ? std::string(*dump) : request.target.Get("graph", "g0")},
                {"kind", dump ? "ir" : "computational"}};
  for (auto& entry : json.items()) named[entry.key()] = std::move(entry.value());
  return named;
}

// Whether a scope's answer lists one scope and nothing else.
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

Result<Answer> AnswerGraph(const CatalogSnapshot& catalog, const Request& request, IrStore* dumps) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto view, GraphOf(catalog, request, dumps));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::int64_t from,
                                 request.target.Integer("from", 0, 0, 1'000'000'000));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(
      Json json, view->Scope(request.target.Get("scope"), static_cast<std::size_t>(from)));
  Json answer = Named(request, std::move(json));
  // What is alone in a scope is asked for next. GraphView bounds the depth.
  for (Json* last = &answer; from == 0 && ListsOneScope(*last); last = &(*last)["only"]) {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(Json only,
                                   view->Scope((*last)["nodes"][0]["id"].get<std::string>(), 0));
    (*last)["only"] = Named(request, std::move(only));
  }
  return JsonAnswer(answer);
}

Result<Answer> AnswerGraphNode(const CatalogSnapshot& catalog, const Request& request,
                               IrStore* dumps) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto view, GraphOf(catalog, request, dumps));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const Json json, view->Node(request.target.Get("node")));
  return JsonAnswer(json);
}

Result<Answer> AnswerGraphSearch(const CatalogSnapshot& catalog, const Request& request,
                                 IrStore* dumps) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto view, GraphOf(catalog, request, dumps));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::int64_t limit,
                                 request.target.Integer("limit", 100, 1, 1000));
  return JsonAnswer(view->Search(request.target.Get("text"), static_cast<std::size_t>(limit)));
}

Result<Answer> AnswerDataset(const CatalogSnapshot& catalog, const Request& request) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const CatalogRun* of, RunOf(catalog, request));
  const auto found = of->run->events().find(EventKind::kDatasetGraph);
  if (found == of->run->events().end() || found->second.empty())
    return Error(StatusCode::kNotFound, "the run has no dataset graph");
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const StoredValue stored, of->run->Read(found->second.back()));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const DatasetGraph dataset,
                                 ParseDatasetGraph(stored.event().body));
  return JsonAnswer({{"dataset", JsonOf(dataset)}});
}

}  // namespace sightline::dashboard
