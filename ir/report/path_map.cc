#include "sightline/ir/report/path_map.h"

#include <algorithm>
#include <utility>

namespace sightline::ir {
namespace {

// Whether `path` is `folder`, or below it.
bool IsAtOrBelow(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder)) return false;
  return path.size() == folder.size() || folder.ends_with('/') || path[folder.size()] == '/';
}

}  // namespace

void PathMap::Add(std::string from, std::string to) {
  rules_.push_back({std::move(from), std::move(to)});
}

std::string PathMap::Apply(std::string_view path) const {
  const Rule* best = nullptr;
  for (const Rule& rule : rules_) {
    if (rule.from.empty() || !IsAtOrBelow(path, rule.from)) continue;
    if (best == nullptr || rule.from.size() > best->from.size()) best = &rule;
  }
  if (best == nullptr) return std::string(path);
  return best->to + std::string(path.substr(best->from.size()));
}

std::string PathMap::ApplyToReport(std::string_view text) const {
  std::string mapped;
  while (!text.empty()) {
    std::size_t path = text.size();
    for (const std::string_view before : {"In file ", "File \""}) {
      const std::size_t at = text.find(before);
      if (at != std::string_view::npos) path = std::min(path, at + before.size());
    }
    const std::size_t end = std::min(text.find_first_of(":\"\n", path), text.size());
    mapped.append(text.substr(0, path)).append(Apply(text.substr(path, end - path)));
    text.remove_prefix(end);
  }
  return mapped;
}

}  // namespace sightline::ir
