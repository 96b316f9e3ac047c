#include "sightline/dashboard/store/ir_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "sightline/ir/folder/dump_name.h"
#include "sightline/ir/model/location.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/summary.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/read/reader.h"
#include "sightline/ir/report/graph_of_dump.h"
#include "sightline/runs/source/run_directories.h"

namespace sightline::dashboard {
namespace {

constexpr ImportKind<ir::Folder> kFolders{"dump folder", 2};
constexpr ImportKind<ReadDump> kDumps{"dump", 4};
constexpr int kMaxDepth = 12;
constexpr std::size_t kMaxListed = 10'000;

bool IsRankFolder(std::string_view name) {
  return name.size() > 5 && name.substr(0, 5) == "rank_" &&
         std::all_of(name.begin() + 5, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// For each node, its places in the sources as "path:line", its own line last.
std::vector<std::vector<std::string>> PlacesOf(const ir::Module& module) {
  std::vector<std::vector<std::string>> places;
  for (const ir::Node& node : module.nodes) {
    auto& of_node = places.emplace_back();
    for (const ir::TextId text : ir::LocationsOf(module, node)) {
      if (const auto location = ir::ParseLocation(module.texts[text]))
        of_node.push_back(fmt::format("{}:{}", location->path, location->first_line));
    }
  }
  return places;
}

Result<std::shared_ptr<const ir::Folder>> ReadFolderOf(ImportFiles& files, const std::string& path,
                                                       const std::vector<ir::Dump>& dumps,
                                                       std::uint64_t most_bytes) {
  for (const ir::Dump& dump : dumps) files.Expect(JoinPath(path, dump.path));
  ir::DumpFileSystem unpacked(files, most_bytes);
  SIGHTLINE_ASSIGN_OR_RETURN(ir::Folder read, ir::ReadFolder(unpacked, path, {}));
  return std::make_shared<const ir::Folder>(std::move(read));
}

Result<std::shared_ptr<const ReadDump>> ReadDumpOf(ImportFiles& files, const std::string& path,
                                                   const std::string& id,
                                                   std::uint64_t most_bytes) {
  files.Expect(path);
  ir::DumpFileSystem unpacked(files, most_bytes);
  auto read = std::make_shared<ReadDump>();
  SIGHTLINE_ASSIGN_OR_RETURN(read->module, ir::ReadIr(unpacked, path));
  const ir::Module& module = read->module;
  if (!ir::HoldsDump(module))
    return Error(StatusCode::kInvalidArgument, fmt::format("'{}' is not a graph dump", id));
  SIGHTLINE_RETURN_IF_ERROR(files.CheckCancelled());
  const Graph graph =
      ir::GraphOfDump(module, ir::Dataflow(module), std::vector<bool>(module.nodes.size(), true));
  read->graph = std::make_unique<const GraphView>(graph, PlacesOf(module));
  return read;
}

}  // namespace

IrStore::IrStore(FileSystem& file_system, std::vector<std::string> roots,
                 BackgroundImports& imports, std::uint64_t most_bytes)
    : files_(file_system), roots_(std::move(roots)), imports_(imports), most_bytes_(most_bytes) {}

void IrStore::ListBelow(const std::string& path, const std::string& id, int depth,
                        std::vector<ListedFolder>& listed) {
  const auto names = files_.List(path);
  if (!names || listed.size() >= kMaxListed) return;
  const bool may_hold = std::any_of(names->begin(), names->end(), [](const std::string& name) {
    return ir::ParseDumpName(name) || IsRankFolder(name);
  });
  if (may_hold) {
    const auto folder = ir::ListFolder(files_, path);
    if (folder && !folder->dumps.empty()) {
      listed.push_back({id, folder->dumps.size()});
      return;
    }
  }
  if (depth >= kMaxDepth) return;
  for (const std::string& name : *names) {
    if (name == kTrashFolder) continue;
    const std::string child = JoinPath(path, name);
    const auto info = files_.Stat(child);
    if (!info || !info->is_directory) continue;
    const bool top = id == "." || id.ends_with(":.");
    ListBelow(child, top ? id.substr(0, id.size() - 1) + name : JoinPath(id, name), depth + 1,
              listed);
  }
}

std::vector<ListedFolder> IrStore::List() {
  std::vector<ListedFolder> listed;
  for (std::size_t i = 0; i < roots_.size(); ++i)
    ListBelow(roots_[i], roots_.size() == 1 ? "." : fmt::format("{}:.", i), 0, listed);
  return listed;
}

// The file system refuses paths that lead out of the roots.
Result<std::string> IrStore::PathOf(const std::string& id) const {
  std::size_t root = 0;
  std::string_view below = id;
  if (const std::size_t colon = id.find(':'); roots_.size() > 1 && colon != std::string::npos) {
    const auto [end, error] = std::from_chars(id.data(), id.data() + colon, root);
    if (error != std::errc() || end != id.data() + colon || root >= roots_.size())
      return Error(StatusCode::kNotFound, fmt::format("there is no '{}'", id));
    below.remove_prefix(colon + 1);
  }
  if (below.empty() || below.front() == '/' || below.find('\0') != std::string_view::npos)
    return Error(StatusCode::kNotFound, fmt::format("there is no '{}'", id));
  return below == "." ? roots_[root] : JoinPath(roots_[root], below);
}

Result<Opened<ir::Folder>> IrStore::Folder(const std::string& id) {
  if (auto known = imports_.Find(kFolders, id)) return *std::move(known);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string path, PathOf(id));
  SIGHTLINE_ASSIGN_OR_RETURN(const ir::Folder listed, ir::ListFolder(files_, path));
  if (listed.dumps.empty())
    return Error(StatusCode::kNotFound, fmt::format("there are no graph dumps in '{}'", id));
  return imports_.Start(kFolders, id,
                        [path, dumps = listed.dumps, most = most_bytes_](ImportFiles& files) {
                          return ReadFolderOf(files, path, dumps, most);
                        });
}

Result<Opened<ReadDump>> IrStore::Dump(const std::string& id) {
  if (auto known = imports_.Find(kDumps, id)) return *std::move(known);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string path, PathOf(id));
  SIGHTLINE_ASSIGN_OR_RETURN(const FileInfo info, files_.Stat(path));
  if (info.is_directory)
    return Error(StatusCode::kInvalidArgument, fmt::format("'{}' is a folder; name a dump", id));
  if (info.size > most_bytes_) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("'{}' has {} MB; the dashboard shows dumps of {} MB at most", id,
                             info.size >> 20U, most_bytes_ >> 20U));
  }
  return imports_.Start(kDumps, id, [path, id, most = most_bytes_](ImportFiles& files) {
    return ReadDumpOf(files, path, id, most);
  });
}

}  // namespace sightline::dashboard
