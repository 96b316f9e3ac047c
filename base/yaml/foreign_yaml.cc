#include "sightline/base/yaml/foreign_yaml.h"

#include <algorithm>
#include <cstddef>

namespace sightline {
namespace {

// The library takes a hundred times the memory of a bracket before it looks at the depth.
constexpr std::ptrdiff_t kMostBrackets = 10'000;

}  // namespace

Result<YAML::Node> LoadForeignYaml(const std::string& text) {
  const auto is_bracket = [](char c) { return c == '[' || c == '{'; };
  if (std::count_if(text.begin(), text.end(), is_bracket) > kMostBrackets)
    return Error(StatusCode::kDataLoss, "not YAML of settings: too many brackets");
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    return Error(StatusCode::kDataLoss, std::string("not YAML: ") + error.what());
  }
}

}  // namespace sightline
