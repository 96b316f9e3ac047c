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

namespace sightline::dashboard {
namespace {

constexpr int kMaxDepth = 12;
constexpr std::size_t kMaxListed = 10'000;
constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20U;
constexpr std::uint64_t kMaxCompressed = std::uint64_t{32} << 20U;

// What is held of `id`, in front, if its files look as they did.
template <typename Deque>
auto Take(Deque& held, const std::string& id, const std::string& stamp) {
  const auto known =
      std::find_if(held.begin(), held.end(), [&](const auto& one) { return one.id == id; });
  decltype(known->read) read;
  if (known == held.end()) return read;
  auto one = std::move(*known);
  held.erase(known);
  if (one.stamp != stamp) return read;
  read = one.read;
  held.push_front(std::move(one));
  return read;
}

std::string StampOf(const ir::Folder& folder) {
  std::string stamp;
  for (const ir::Dump& dump : folder.dumps)
    stamp += fmt::format("{}\n{} {}\n", dump.path, dump.bytes, dump.modified_seconds);
  return stamp;
}

bool IsRankFolder(std::string_view name) {
  return name.size() > 5 && name.substr(0, 5) == "rank_" &&
         std::all_of(name.begin() + 5, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Of each node, "path:line", its own line last.
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

}  // namespace

IrStore::IrStore(FileSystem& file_system, std::vector<std::string> roots)
    : files_(file_system), roots_(std::move(roots)) {}

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
    const std::string child = JoinPath(path, name);
    const auto info = files_.Stat(child);
    if (!info || !info->is_directory) continue;
    const bool top = id == "." || id.ends_with(":.");
    ListBelow(child, top ? id.substr(0, id.size() - 1) + name : id + "/" + name, depth + 1, listed);
  }
}

std::vector<ListedFolder> IrStore::List() {
  std::vector<ListedFolder> listed;
  for (std::size_t i = 0; i < roots_.size(); ++i)
    ListBelow(roots_[i], roots_.size() == 1 ? "." : fmt::format("{}:.", i), 0, listed);
  return listed;
}

// The file system keeps what it names beneath the roots.
Result<std::string> IrStore::PathOf(const std::string& id) const {
  std::size_t root = 0;
  std::string_view below = id;
  if (const std::size_t colon = id.find(':'); roots_.size() > 1 && colon != std::string::npos) {
    const auto [end, error] = std::from_chars(id.data(), id.data() + colon, root);
    if (error != std::errc() || end != id.data() + colon || root >= roots_.size())
      return Error(StatusCode::kNotFound, fmt::format("'{}' is not there", id));
    below.remove_prefix(colon + 1);
  }
  if (below.empty() || below.front() == '/' || below.find('\0') != std::string_view::npos)
    return Error(StatusCode::kNotFound, fmt::format("'{}' is not there", id));
  return below == "." ? roots_[root] : JoinPath(roots_[root], below);
}

Result<std::shared_ptr<const ir::Folder>> IrStore::Folder(const std::string& id) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::string path, PathOf(id));
  const std::lock_guard lock(mutex_);
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const ir::Folder listed, ir::ListFolder(files_, path));
  if (listed.dumps.empty())
    return Error(StatusCode::kNotFound, fmt::format("'{}' holds no graph dumps", id));
  const std::string stamp = StampOf(listed);
  if (auto known = Take(folders_, id, stamp)) return known;
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(ir::Folder read, ir::ReadFolder(files_, path, {}));
  if (folders_.size() == kHeldFolders) folders_.pop_back();
  folders_.push_front({id, stamp, std::make_shared<const ir::Folder>(std::move(read))});
  return folders_.front().read;
}

Result<std::shared_ptr<const ReadDump>> IrStore::Dump(const std::string& id) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::string path, PathOf(id));
  const std::lock_guard lock(mutex_);
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const FileInfo info, files_.Stat(path));
  if (info.is_directory)
    return Error(StatusCode::kInvalidArgument, fmt::format("'{}' is a folder; name a dump", id));
  const std::uint64_t most = id.ends_with(".gz") ? kMaxCompressed : kMaxBytes;
  if (info.size > most) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("'{}' has {} MB; the dashboard shows dumps of {} MB at most", id,
                             info.size >> 20U, most >> 20U));
  }
  const std::string stamp = fmt::format("{} {}", info.size, info.modified_seconds);
  if (auto known = Take(dumps_, id, stamp)) return known;
  auto read = std::make_shared<ReadDump>();
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(read->module, ir::ReadIr(files_, path));
  if (!ir::HoldsDump(read->module))
    return Error(StatusCode::kInvalidArgument, fmt::format("'{}' is no graph dump", id));
  const ir::Module& module = read->module;
  const Graph graph =
      GraphOfDump(module, ir::Dataflow(module), std::vector<bool>(module.nodes.size(), true));
  read->graph = std::make_unique<const GraphView>(graph, PlacesOf(module));
  if (dumps_.size() == kHeldDumps) dumps_.pop_back();
  dumps_.push_front({id, stamp, std::move(read)});
  return dumps_.front().read;
}

}  // namespace sightline::dashboard
