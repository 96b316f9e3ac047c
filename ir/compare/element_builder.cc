#include "sightline/ir/compare/element_builder.h"

#include <algorithm>
#include <tuple>

#include "sightline/ir/model/noise.h"

namespace sightline::ir {
namespace {

constexpr TextId kUnknown{kNoIndex};

}  // namespace

ElementBuilder::ElementBuilder(const Module& module, TextPool& texts)
    : module_(module),
      texts_(texts),
      exact_(module.texts.size(), kUnknown),
      plain_(module.texts.size(), kUnknown),
      names_(module.texts.size(), kUnknown) {}

TextId ElementBuilder::Shared(TextId id, Known& known,
                              void (*strip)(std::string_view, std::string&)) {
  TextId& shared = known[static_cast<std::uint32_t>(id)];
  if (shared == kUnknown) {
    strip(module_.texts[id], buffer_);
    shared = texts_.Intern(buffer_);
  }
  return shared;
}

TextId ElementBuilder::Exact(TextId id) {
  return Shared(id, exact_, [](std::string_view text, std::string& out) { out = text; });
}
TextId ElementBuilder::Plain(TextId id) { return Shared(id, plain_, &WithoutAddresses); }
TextId ElementBuilder::Name(TextId id) { return Shared(id, names_, &WithoutIds); }

void ElementBuilder::Start(ElementKind kind, std::uint32_t index, std::uint32_t owner) {
  Element element;
  element.kind = kind;
  element.index = index;
  element.owner = owner;
  element.properties.begin = static_cast<std::uint32_t>(table_.properties.size());
  table_.elements.push_back(element);
}

void ElementBuilder::AddText(PropertyKind kind, TextId text, std::uint32_t position) {
  if (text != kNoText) Add(kind, TextValue(text), position);
}

void ElementBuilder::Finish() {
  Range& range = last().properties;
  range.size = static_cast<std::uint32_t>(table_.properties.size()) - range.begin;
  const auto begin = table_.properties.begin() + range.begin;
  std::stable_sort(begin, table_.properties.end(), [](const Property& a, const Property& b) {
    return std::tie(a.kind, a.key, a.position) < std::tie(b.kind, b.key, b.position);
  });
  for (auto at = begin; at != table_.properties.end(); ++at) {
    if (at != begin && at->key != kNoText && at[-1].kind == at->kind && at[-1].key == at->key)
      at->position = at[-1].position + 1;
  }
}

}  // namespace sightline::ir
