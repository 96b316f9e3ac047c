// IrStore: the folders of MindSpore's graph dumps in and below the served directories, and those
// dumps and folders that were looked at last, read once.
//
// Callable from any thread; one reads at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/dashboard/graph_view.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/ir/model/module.h"

namespace sightline::dashboard {

struct ListedFolder {
  std::string id;  // As a run's: its path below the root, with several roots "<number>:<path>".
  std::size_t dumps = 0;
};

// A dump as a module, and as a graph to unfold, whose nodes have their places in the sources.
struct ReadDump {
  ir::Module module;
  std::unique_ptr<const GraphView> graph;
};

class IrStore {
 public:
  // `roots` as the file system spells them; it must outlive the store.
  IrStore(FileSystem& file_system, std::vector<std::string> roots);

  // In the order of the roots, then of the paths. A folder's parts (rank_N, verbose_ir_files, ...)
  // are not listed apart. Opens no file.
  std::vector<ListedFolder> List();

  // With figures. kNotFound for what holds no dumps.
  Result<std::shared_ptr<const ir::Folder>> Folder(const std::string& id);

  // A dump by its folder's id, a slash, and its path in there. kInvalidArgument for what is no dump
  // or larger than 256 MB.
  Result<std::shared_ptr<const ReadDump>> Dump(const std::string& id);

 private:
  template <typename T>
  struct Held {
    std::string id;
    std::string stamp;  // Sizes and times of its files.
    std::shared_ptr<const T> read;
  };
  static constexpr std::size_t kHeldDumps = 4;
  static constexpr std::size_t kHeldFolders = 2;

  void ListBelow(const std::string& path, const std::string& id, int depth,
                 std::vector<ListedFolder>& listed);
  Result<std::string> PathOf(const std::string& id) const;

  ir::DumpFileSystem files_;
  const std::vector<std::string> roots_;
  std::mutex mutex_;
  std::deque<Held<ir::Folder>> folders_;  // The one asked for last in front.
  std::deque<Held<ReadDump>> dumps_;
};

}  // namespace sightline::dashboard
