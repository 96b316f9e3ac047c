// The functions of lineage.h for the dataset pipeline.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sightline/base/utf8.h"
#include "sightline/proto/mindspore_lineage.pb.h"
#include "sightline/recorder/message/lineage.h"
#include "sightline/recorder/message/proto_util.h"

namespace sightline {
namespace {

namespace pb = mindspore;
using Json = nlohmann::json;
using Parameters = std::map<std::string, DatasetGraph::Parameter>;

constexpr int kMaxStages = 64;

void FillParameters(const Parameters& parameters, pb::OperationParameter& out) {
  for (const auto& [name, value] : parameters) {
    const std::string key = ToUtf8(name);
    if (const auto* boolean = std::get_if<bool>(&value)) {
      (*out.mutable_mapbool())[key] = *boolean;
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      // The file's integers are int32. A larger one, such as a buffer size, becomes a double, so
      // that it stays a number.
      const auto small = static_cast<std::int32_t>(*integer);
      if (small == *integer) {
        (*out.mutable_mapint())[key] = small;
      } else {
        (*out.mutable_mapdouble())[key] = static_cast<double>(*integer);
      }
    } else if (const auto* number = std::get_if<double>(&value)) {
      (*out.mutable_mapdouble())[key] = *number;
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      (*out.mutable_mapstr())[key] = ToUtf8(*text);
    } else {
      pb::StrList& list = (*out.mutable_mapstrlist())[key];
      for (const std::string& item : std::get<std::vector<std::string>>(value)) {
        list.add_strvalue(Json(ToUtf8(item)).dump());  // MindSpore's items are JSON: "\"image\"".
      }
    }
  }
}

Parameters ParametersOf(const pb::OperationParameter& in) {
  Parameters parameters;
  for (const auto& [key, value] : in.mapbool()) parameters[key] = value;
  for (const auto& [key, value] : in.mapint()) parameters[key] = std::int64_t{value};
  for (const auto& [key, value] : in.mapdouble()) parameters[key] = value;
  for (const auto& [key, value] : in.mapstr()) parameters[key] = value;
  for (const auto& [key, list] : in.mapstrlist()) {
    std::vector<std::string> items;
    for (const std::string& item : list.strvalue()) {
      const Json parsed = Json::parse(item, nullptr, /*allow_exceptions=*/false);
      items.push_back(parsed.is_string() ? parsed.get<std::string>() : item);
    }
    parameters[key] = std::move(items);
  }
  return parameters;
}

void FillOperation(const DatasetGraph::Operation& operation, pb::Operation& out) {
  if (!operation.parameters.empty())
    FillParameters(operation.parameters, *out.mutable_operationparam());
  out.mutable_size()->Assign(operation.size.begin(), operation.size.end());
  out.mutable_weights()->Assign(operation.weights.begin(), operation.weights.end());
}

DatasetGraph::Operation OperationOf(const pb::Operation& in) {
  return {ParametersOf(in.operationparam()),
          {in.size().begin(), in.size().end()},
          {in.weights().begin(), in.weights().end()}};
}

Status FillGraph(const DatasetGraph& graph, int depth, pb::DatasetGraph& out) {
  if (depth > kMaxStages) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("the dataset pipeline has more than {} stages in a row", kMaxStages));
  }
  for (const DatasetGraph& child : graph.children) {
    SIGHTLINE_RETURN_IF_ERROR(FillGraph(child, depth + 1, *out.add_children()));
  }
  if (!graph.parameters.empty()) FillParameters(graph.parameters, *out.mutable_parameter());
  for (const DatasetGraph::Operation& operation : graph.operations)
    FillOperation(operation, *out.add_operations());
  if (graph.sampler) FillOperation(*graph.sampler, *out.mutable_sampler());
  return {};
}

// The recursion is no deeper than ParseMessage allows.
DatasetGraph GraphOf(const pb::DatasetGraph& in) {
  DatasetGraph graph;
  for (const auto& child : in.children()) graph.children.push_back(GraphOf(child));
  graph.parameters = ParametersOf(in.parameter());
  for (const auto& operation : in.operations()) graph.operations.push_back(OperationOf(operation));
  if (in.has_sampler()) graph.sampler = OperationOf(in.sampler());
  return graph;
}

}  // namespace

Result<std::string> SerializeDatasetGraph(const DatasetGraph& graph) {
  pb::DatasetGraph out;
  SIGHTLINE_RETURN_IF_ERROR(FillGraph(graph, 1, out));
  return SerializeDeterministic(out);
}

Result<DatasetGraph> ParseDatasetGraph(std::string_view message) {
  pb::DatasetGraph in;
  if (ParseMessage(message, in)) return GraphOf(in);
  return Error(StatusCode::kDataLoss,
               fmt::format("{} bytes that are not a valid DatasetGraph", message.size()));
}

}  // namespace sightline
