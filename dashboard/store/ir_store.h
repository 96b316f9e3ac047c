// IrStore: finds the folders of MindSpore's graph dumps in and below the served directories, and
// reads folders and dumps in the background. Those that were asked for last stay in memory.
//
// May be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/dashboard/store/background_imports.h"
#include "sightline/dashboard/store/graph_view.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/ir/model/module.h"

namespace sightline::dashboard {

struct ListedFolder {
  std::string id;  // Its path below the root; with several roots "<number of the root>:<path>".
  std::size_t dumps = 0;
};

// A dump as a module, and as a graph to unfold, whose nodes have their places in source files.
struct ReadDump {
  ir::Module module;
  std::unique_ptr<const GraphView> graph;
};

class IrStore {
 public:
  // `roots` as the file system spells them. The file system and `imports` must outlive the store.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20U;
  // Dumps of more than `most_bytes`, unpacked, are refused.
  IrStore(FileSystem& file_system, std::vector<std::string> roots, BackgroundImports& imports,
          std::uint64_t most_bytes = kMostBytes);

  // The folders, in the order of the roots, then of the paths. The parts of a folder (rank_N,
  // verbose_ir_files, ...) are not listed separately. Opens no file.
  std::vector<ListedFolder> List();

  // A folder, with its figures. kNotFound if it contains no dumps.
  Result<Opened<ir::Folder>> Folder(const std::string& id);

  // A dump. Its id is its folder's id, a slash, and its path in the folder. kInvalidArgument if the
  // file is not a dump, or is larger than the limit.
  Result<Opened<ReadDump>> Dump(const std::string& id);

 private:
  void ListBelow(const std::string& path, const std::string& id, int depth,
                 std::vector<ListedFolder>& listed);
  Result<std::string> PathOf(const std::string& id) const;

  ir::DumpFileSystem files_;
  const std::vector<std::string> roots_;
  BackgroundImports& imports_;
  const std::uint64_t most_bytes_;
};

}  // namespace sightline::dashboard
