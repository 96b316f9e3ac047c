#include "sightline/import/mlflow/run_meta.h"

#include "sightline/base/yaml/foreign_yaml.h"

namespace sightline {

Result<std::map<std::string, std::string>> ParseMeta(std::string_view yaml) {
  SIGHTLINE_ASSIGN_OR_RETURN(const YAML::Node map, LoadForeignYaml(std::string(yaml)));
  if (!map.IsMap()) return Error(StatusCode::kDataLoss, "not names and values in YAML");
  std::map<std::string, std::string> values;
  for (const auto& pair : map) {
    if (!pair.first.IsScalar()) continue;
    if (pair.second.IsNull()) values[pair.first.Scalar()] = "";
    if (pair.second.IsScalar()) values[pair.first.Scalar()] = pair.second.Scalar();
  }
  return values;
}

}  // namespace sightline
