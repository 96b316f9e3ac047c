#include "sightline/tools/cli/ir/ir_timeline_json.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sightline {
namespace {

using ir::Compilation;
using ir::Dump;
using ir::DumpKind;
using ir::Folder;

std::string_view KindName(DumpKind kind) {
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

// Where a dump stands in its folder; numbers count from 1, 0 is none.
struct Place {
  const ir::Run* run = nullptr;
  std::size_t run_number = 0;
  std::size_t compilation = 0;
  std::size_t kernel_graph = 0;
};

nlohmann::ordered_json ToJson(const std::string& path, const Folder& folder, const Dump& dump,
                              const Place& place) {
  nlohmann::ordered_json json = {{"folder", path}, {"file", dump.path}, {"run", place.run_number}};
  if (place.run->rank) json["rank"] = *place.run->rank;
  if (place.compilation > 0) json["compilation"] = place.compilation;
  if (place.kernel_graph > 0) json["kernel_graph"] = place.kernel_graph;
  if (dump.other_graph) json["graph"] = dump.figures.entry;
  json["kind"] = KindName(dump.name.kind);
  if (dump.name.number) json["number"] = *dump.name.number;
  json["bytes"] = dump.bytes;
  if (!dump.error.ok()) {
    json["error"] = dump.error.message();
    return json;
  }
  const ir::Summary& summary = dump.figures.summary;
  json["subgraphs"] = summary.subgraphs;
  json["params"] = summary.parameters;
  json["statements"] = summary.statements;
  json["changed"] = dump.changed;
  if (!dump.before) return json;
  const Dump& before = folder.dumps[*dump.before];
  const ir::Delta delta = DeltaOf(before, dump);
  nlohmann::ordered_json ops = nlohmann::ordered_json::object();
  for (const auto& [callee, count] : delta.callees) ops[callee] = count;
  json["before"] = before.path;
  json["delta"] = {{"subgraphs", delta.subgraphs},
                   {"params", delta.parameters},
                   {"statements", delta.statements},
                   {"ops", ops}};
  return json;
}

}  // namespace

std::vector<nlohmann::ordered_json> TimelineJson(const std::string& path, const Folder& folder) {
  std::vector<Place> places(folder.dumps.size());
  for (std::size_t r = 0; r < folder.runs.size(); ++r) {
    const ir::Run& run = folder.runs[r];
    const auto set = [&places](ir::Range range, const Place& place) {
      std::fill_n(places.begin() + range.begin, range.size, place);
    };
    set(run.unnumbered, {&run, r + 1});
    for (std::size_t c = 0; c < run.compilations.size(); ++c) {
      const Compilation& compilation = run.compilations[c];
      set(compilation.dumps, {&run, r + 1, c + 1});
      for (std::size_t k = 0; k < compilation.kernel_sets.size(); ++k) {
        const ir::Range range = compilation.kernel_sets[k].dumps;
        for (std::uint32_t i = range.begin; i < range.end(); ++i)
          if (folder.dumps[i].name.kind == DumpKind::kKernelGraph) places[i].kernel_graph = k + 1;
      }
    }
  }
  std::vector<nlohmann::ordered_json> dumps;
  for (std::size_t i = 0; i < places.size(); ++i)
    dumps.push_back(ToJson(path, folder, folder.dumps[i], places[i]));
  return dumps;
}

}  // namespace sightline
