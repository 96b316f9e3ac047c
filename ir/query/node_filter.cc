#include "sightline/ir/query/node_filter.h"

#include <algorithm>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/location.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/summary.h"

namespace sightline::ir {
namespace {

class Matcher {
 public:
  Matcher(const Module& module, const Dataflow& flow, std::uint32_t index, const NodeFilter& filter)
      : module_(module), flow_(flow), index_(index), node_(module.nodes[index]), filter_(filter) {}

  bool Match() const {
    return MatchCallee() && (!filter_.name || MatchesPattern(*filter_.name, Text(node_.name))) &&
           MatchSubgraph() && MatchAttribute() && MatchScope() && MatchParameter() &&
           MatchLocation();
  }

 private:
  std::string_view Text(TextId id) const { return module_.texts[id]; }

  bool MatchCallee() const {
    if (!filter_.callee) return true;
    std::string_view callee = CalleeName(module_, node_);
    if (MatchesPattern(*filter_.callee, callee)) return true;
    return Consume(callee, "PrimFunc_") && MatchesPattern(*filter_.callee, callee);
  }

  bool MatchSubgraph() const {
    return !filter_.subgraph ||
           MatchesPattern(*filter_.subgraph,
                          Text(module_.subgraphs[flow_.SubgraphOfNode(index_)].name));
  }

  bool MatchAttribute() const {
    if (!filter_.attribute) return true;
    const Range groups = module_.node_attributes[node_.attributes].groups;
    for (std::uint32_t i = groups.begin; i < groups.end(); ++i) {
      const Range attributes = module_.attribute_groups[i].attributes;
      for (std::uint32_t k = attributes.begin; k < attributes.end(); ++k) {
        const Attribute& attribute = module_.attributes[k];
        if (MatchesPattern(*filter_.attribute, Text(attribute.key)) &&
            (!filter_.attribute_value ||
             MatchesPattern(*filter_.attribute_value, Text(attribute.value))))
          return true;
      }
    }
    return false;
  }

  // The scope itself, or one that it is below.
  bool MatchScope() const {
    if (!filter_.scope) return true;
    std::string_view path = FindScope(module_, node_).path;
    for (std::size_t levels = 0; levels < kMaxLevels; ++levels) {
      if (MatchesPattern(*filter_.scope, path)) return true;
      const std::size_t slash = path.rfind('/');
      if (slash == std::string_view::npos) return false;
      path = path.substr(0, slash);
    }
    return false;
  }

  bool MatchParameter() const {
    if (!filter_.parameter) return true;
    if (IsParameter(flow_.callee(index_))) return true;
    for (std::uint32_t i = node_.operands.begin; i < node_.operands.end(); ++i)
      if (IsParameter(flow_.source(i))) return true;
    return false;
  }
  bool IsParameter(const Source& source) const {
    return source.kind == SourceKind::kParameter &&
           MatchesPattern(*filter_.parameter, Text(module_.parameters[source.index].name));
  }

  bool MatchLocation() const {
    return (!filter_.file && !filter_.line) || MatchedLocation(module_, index_, filter_);
  }

  static constexpr std::size_t kMaxLevels = 64;

  const Module& module_;
  const Dataflow& flow_;
  std::uint32_t index_;
  const Node& node_;
  const NodeFilter& filter_;
};

// Whether a location that spans lines is of a function, a loop or another statement with a body,
// which what is written inside has around it too. Without the sources a dump has "..." for code:
// what spans lines is nearly always a function there.
bool HasBody(const Location& location) {
  std::string_view code = location.code;
  code.remove_prefix(std::min(code.size(), code.find_first_not_of(' ')));
  while (code.ends_with(' ')) code.remove_suffix(1);
  return code.empty() || code == "..." || code.ends_with(':') || code.starts_with("def ") ||
         code.starts_with("class ") || code.starts_with('@');
}

bool IsIn(const Location& location, const NodeFilter& filter) {
  if (filter.line) {
    const std::uint32_t last = HasBody(location) ? location.first_line : location.last_line;
    if (*filter.line < location.first_line || *filter.line > last) return false;
  }
  return !filter.file || MatchesPattern(*filter.file, location.path) ||
         MatchesPattern("*/" + *filter.file, location.path);
}

}  // namespace

std::optional<Location> MatchedLocation(const Module& module, std::uint32_t node,
                                        const NodeFilter& filter) {
  std::vector<TextId> locations = LocationsOf(module, module.nodes[node]);
  std::reverse(locations.begin(), locations.end());
  for (const TextId text : locations) {
    const auto location = ParseLocation(module.texts[text]);
    if (location && IsIn(*location, filter)) return location;
  }
  return std::nullopt;
}

// Goes back to the last "*" only: time at most the product of both sizes.
bool MatchesPattern(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t behind_star = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      behind_star = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++behind_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool Matches(const Module& module, const Dataflow& flow, std::uint32_t node,
             const NodeFilter& filter) {
  return Matcher(module, flow, node, filter).Match();
}

}  // namespace sightline::ir
