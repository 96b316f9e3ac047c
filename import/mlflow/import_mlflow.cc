#include "sightline/import/mlflow/import_mlflow.h"

#include "sightline/import/mlflow/mlflow_database.h"
#include "sightline/import/mlflow/mlflow_folder.h"

namespace sightline {

Result<ImportReport> ImportMlflow(const std::string& path, const std::string& folder,
                                  FileSystem& file_system) {
  SIGHTLINE_ASSIGN_OR_RETURN(const FileInfo info, file_system.Stat(path));
  return info.is_directory ? ImportMlflowFolder(path, folder, file_system)
                           : ImportMlflowDatabase(path, folder, file_system);
}

}  // namespace sightline
