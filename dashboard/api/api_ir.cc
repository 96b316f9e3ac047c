// /api/v1/ir, ir/timeline, ir/diff: MindSpore's graph dumps. A dump as a graph: api_graph.cc.
#include <algorithm>
#include <string>
#include <utility>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/dashboard/store/ir_store.h"
#include "sightline/ir/compare/diff.h"
#include "sightline/ir/report/diff_json.h"
#include "sightline/ir/report/diff_text.h"
#include "sightline/ir/report/timeline_json.h"

namespace sightline::dashboard {
namespace {

constexpr std::size_t kMaxChanges = 5000;

Response FoldersResponse(IrStore& store) {
  Json folders = Json::array();
  for (const ListedFolder& folder : store.List())
    folders.push_back({{"folder", folder.id}, {"files", folder.dumps}});
  return JsonResponse({{"folders", std::move(folders)}});
}

Result<Response> TimelineResponse(IrStore& store, const Request& request) {
  const std::string id = request.target.Get("folder");
  SIGHTLINE_ASSIGN_OR_RETURN(const auto opened, store.Folder(id));
  if (opened.value == nullptr) return ImportingResponse(opened.progress);
  const ir::Folder& folder = *opened.value;
  Json dumps = Json::array();
  for (Json& dump : ir::TimelineToJson(id, folder)) {
    dump["id"] = (id == "." || id.ends_with(":.") ? id.substr(0, id.size() - 1) : id + "/") +
                 dump["file"].get<std::string>();
    dumps.push_back(std::move(dump));
  }
  return JsonResponse(
      {{"folder", id}, {"dumps", std::move(dumps)}, {"other_files", folder.other_files}});
}

Result<Response> DiffResponse(IrStore& store, const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto before, store.Dump(request.target.Get("before")));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto after, store.Dump(request.target.Get("after")));
  if (before.value == nullptr || after.value == nullptr)
    return ImportingResponse(Sum(before.progress, after.progress));
  const ir::Module& a = before.value->module;
  const ir::Module& b = after.value->module;
  SIGHTLINE_ASSIGN_OR_RETURN(ir::Diff diff, ir::Compare(a, b));
  const Json counts = ir::CountsToJson(ir::CountChanges(diff));
  const bool equal = diff.equal();
  const std::size_t all = diff.changes.size();
  diff.changes.resize(std::min(all, kMaxChanges));
  Json json = ir::DiffToJson(ir::DiffText(a, b, diff));
  json["equal"] = equal;
  json["counts"] = counts;
  json["left_out"] = all - diff.changes.size();
  return JsonResponse(json);
}

}  // namespace

void AddIrApi(Service& service, IrStore& store) {
  service.Add("/api/v1/ir", [&store](const Request&) { return FoldersResponse(store); });
  service.Add("/api/v1/ir/timeline", [&store](const Request& request) {
    return ToResponse(TimelineResponse(store, request));
  });
  service.Add("/api/v1/ir/diff", [&store](const Request& request) {
    return ToResponse(DiffResponse(store, request));
  });
}

}  // namespace sightline::dashboard
