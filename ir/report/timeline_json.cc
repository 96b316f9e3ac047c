#include "sightline/ir/report/timeline_json.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace sightline::ir {
namespace {

using Json = nlohmann::ordered_json;

std::string_view ToString(DumpKind kind) {
  switch (kind) {
    case DumpKind::kStage:
      return "stage";
    case DumpKind::kPass:
      return "pass";
    case DumpKind::kSubstep:
      return "substep";
    case DumpKind::kSubstitution:
      return "substitution";
    case DumpKind::kKernelGraph:
      return "kernel graph";
    case DumpKind::kOther:
      return "other";
    case DumpKind::kActors:
      return "actors";
    case DumpKind::kFailure:
      return "compile error";
  }
  return {};
}

// What a dump belongs to; numbers count from 1.
struct Place {
  const Run* run = nullptr;
  std::size_t run_number = 0;
  std::optional<std::size_t> compilation = {};
  std::optional<std::size_t> kernel_graph = {};
};

Json ToJson(const std::string& path, const Folder& folder, const Dump& dump, const Place& place) {
  Json json = {{"folder", path}, {"file", dump.path}, {"run", place.run_number}};
  if (place.run->rank) json["rank"] = *place.run->rank;
  if (place.compilation) json["compilation"] = *place.compilation;
  if (place.kernel_graph) json["kernel_graph"] = *place.kernel_graph;
  if (dump.other_graph) json["graph"] = dump.figures.entry;
  json["kind"] = ToString(dump.name.kind);
  if (dump.name.number) json["number"] = *dump.name.number;
  json["bytes"] = dump.bytes;
  if (!dump.error.ok()) {
    json["error"] = dump.error.message();
    return json;
  }
  const Summary& summary = dump.figures.summary;
  json["subgraphs"] = summary.subgraphs;
  json["params"] = summary.parameters;
  json["statements"] = summary.statements;
  json["changed"] = dump.changed;
  if (!dump.before) return json;
  const Dump& before = folder.dumps[*dump.before];
  const Delta delta = DeltaOf(before, dump);
  Json ops = Json::object();
  for (const auto& [callee, count] : delta.callees) ops[callee] = count;
  json["before"] = before.path;
  json["delta"] = {{"subgraphs", delta.subgraphs},
                   {"params", delta.parameters},
                   {"statements", delta.statements},
                   {"ops", ops}};
  return json;
}

// In the order of folder.dumps.
std::vector<Place> PlacesOf(const Folder& folder) {
  std::vector<Place> places(folder.dumps.size());
  const auto set = [&places](Range range, const Place& place) {
    std::fill_n(places.begin() + range.begin, range.size, place);
  };
  for (std::size_t r = 0; r < folder.runs.size(); ++r) {
    const Run& run = folder.runs[r];
    set(run.unnumbered, {&run, r + 1});
    for (std::size_t c = 0; c < run.compilations.size(); ++c) {
      const Compilation& compilation = run.compilations[c];
      set(compilation.dumps, {&run, r + 1, c + 1});
      for (std::size_t k = 0; k < compilation.kernel_sets.size(); ++k) {
        const Range range = compilation.kernel_sets[k].dumps;
        for (std::uint32_t i = range.begin; i < range.end(); ++i)
          if (folder.dumps[i].name.kind == DumpKind::kKernelGraph) places[i].kernel_graph = k + 1;
      }
    }
  }
  return places;
}

}  // namespace

std::vector<Json> TimelineToJson(const std::string& name, const Folder& folder) {
  const std::vector<Place> places = PlacesOf(folder);
  std::vector<Json> dumps;
  for (std::size_t i = 0; i < places.size(); ++i)
    dumps.push_back(ToJson(name, folder, folder.dumps[i], places[i]));
  return dumps;
}

}  // namespace sightline::ir
