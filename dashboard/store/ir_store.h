// IrStore: finds the folders of MindSpore's graph dumps in and below the served directories, and
// keeps the folders and dumps that were asked for last in memory.
//
// May be called from any thread; they are read one at a time.
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
#include "sightline/dashboard/store/graph_view.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/ir/model/module.h"

namespace sightline::dashboard {

struct ListedFolder {
  std::string id;  // Its path below the root; with several roots "<root's number>:<path>".
  std::size_t dumps = 0;
};

// A dump as a module, and as a graph to unfold, whose nodes know where they are in source files.
struct ReadDump {
  ir::Module module;
  std::unique_ptr<const GraphView> graph;
};

class IrStore {
 public:
  // `roots` as the file system spells them; it must outlive the store.
  IrStore(FileSystem& file_system, std::vector<std::string> roots);

  // The folders, in the order of the roots, then of the paths. The parts of a folder (rank_N,
  // verbose_ir_files, ...) are not listed separately. Opens no file.
  std::vector<ListedFolder> List();

  // A folder, with its figures. kNotFound if it contains no dumps.
  Result<std::shared_ptr<const ir::Folder>> Folder(const std::string& id);

  // A dump. Its id is its folder's id, a slash, and its path in the folder. kInvalidArgument if the
  // file is no dump, or larger than 256 MB.
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
  std::deque<Held<ir::Folder>> folders_;  // The one that was asked for last is the first.
  std::deque<Held<ReadDump>> dumps_;
};

}  // namespace sightline::dashboard
