#include "sightline/import/mlflow/run_meta.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>

namespace sightline {
namespace {

// The library that reads YAML takes a hundred times the memory of a bracket before it looks at the
// depth.
constexpr std::ptrdiff_t kMaxBrackets = 10'000;

}  // namespace

Result<std::map<std::string, std::string>> ParseMeta(std::string_view yaml) {
  std::map<std::string, std::string> values;
  const auto is_bracket = [](char c) { return c == '[' || c == '{'; };
  if (std::count_if(yaml.begin(), yaml.end(), is_bracket) > kMaxBrackets)
    return Error(StatusCode::kDataLoss, "too many brackets for a file of names and values");
  try {
    const YAML::Node map = YAML::Load(std::string(yaml));
    if (!map.IsMap()) return Error(StatusCode::kDataLoss, "not names and values in YAML");
    for (const auto& pair : map) {
      if (!pair.first.IsScalar()) continue;
      if (pair.second.IsNull()) values[pair.first.Scalar()] = "";
      if (pair.second.IsScalar()) values[pair.first.Scalar()] = pair.second.Scalar();
    }
  } catch (const YAML::Exception& error) {
    return Error(StatusCode::kDataLoss, std::string("not YAML: ") + error.what());
  }
  return values;
}

}  // namespace sightline
