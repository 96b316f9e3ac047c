#include <nlohmann/json.hpp>

#include "sightline/base/file_system.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

// A folder without dumps is usually a mistyped path.
Status CheckHoldsDumps(const std::string& path, const ir::Folder& folder) {
  if (!folder.dumps.empty()) return {};
  return {StatusCode::kNotFound,
          path +
              " holds no graph dumps; of its subfolders, only those that save_graphs creates "
              "(rank_N, om, ...) are searched"};
}

}  // namespace

FileSystem& DumpFiles() { return ir::LocalDumps(); }

Result<std::vector<std::string>> IrFiles(const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const FileInfo info, DumpFiles().Stat(path));
  if (!info.is_directory) return std::vector<std::string>{path};
  SIGHTLINE_ASSIGN_OR_RETURN(const ir::Folder folder, ir::ListFolder(DumpFiles(), path));
  SIGHTLINE_RETURN_IF_ERROR(CheckHoldsDumps(path, folder));
  std::vector<std::string> files;
  for (const ir::Dump& dump : folder.dumps) files.push_back(JoinPath(path, dump.path));
  return files;
}

Result<ir::Folder> ReadDumpFolder(const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const FileInfo info, DumpFiles().Stat(path));
  if (!info.is_directory) return Error(StatusCode::kInvalidArgument, path + " is not a folder");
  SIGHTLINE_ASSIGN_OR_RETURN(ir::Folder folder, ir::ReadFolder(DumpFiles(), path, {}));
  SIGHTLINE_RETURN_IF_ERROR(CheckHoldsDumps(path, folder));
  return folder;
}

std::string ActorCount(const ir::DumpFigures& figures) {
  switch (figures.form) {
    case ir::Form::kActors:
      return Count(figures.summary.actors, "actor");
    case ir::Form::kActorSections:
      return Count(figures.summary.sections, "section");
    case ir::Form::kGraph:
    case ir::Form::kFailure:
      break;
  }
  return "";
}

void SetAttribute(const std::string& option, ir::NodeFilter& filter) {
  if (option.empty()) return;
  const std::size_t equals = option.find('=');
  filter.attribute = option.substr(0, equals);
  if (equals != std::string::npos) filter.attribute_value = option.substr(equals + 1);
}

}  // namespace sightline
