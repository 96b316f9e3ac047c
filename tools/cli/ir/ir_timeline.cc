#include "sightline/tools/cli/ir/ir_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "sightline/tools/cli/ir/cmd_ir.h"

namespace sightline {
namespace {

// "28", or "28 (+3)" if the count changed.
std::string WithDelta(std::uint64_t count, std::int64_t delta) {
  return delta == 0 ? fmt::to_string(count) : fmt::format("{} ({:+})", count, delta);
}

// The operators that differ most: "+3 Load, -1 call, 4 more".
std::string Operators(ir::Delta delta) {
  constexpr std::size_t kShown = 4;
  std::stable_sort(delta.callees.begin(), delta.callees.end(), [](const auto& a, const auto& b) {
    return std::abs(a.second) > std::abs(b.second);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, delta.callees.size()); ++i) {
    const auto& [callee, count] = delta.callees[i];
    text += fmt::format("{}{:+} {}", i > 0 ? ", " : "", count, Printable(callee));
  }
  if (delta.callees.size() > kShown)
    text += fmt::format(", {} more", delta.callees.size() - kShown);
  return text;
}

std::vector<std::pair<std::string, Table::Align>> Columns() {
  using enum Table::Align;
  return {{"dump", kLeft},
          {"subgraphs", kRight},
          {"params", kRight},
          {"statements", kRight},
          {"what changed", kLeft}};
}

}  // namespace

DumpRows::DumpRows(const ir::Folder& folder, const Style& style, bool all)
    : folder_(folder), style_(style), all_(all), table_(Columns(), 2) {}

void DumpRows::Add(const ir::Dump& dump) {
  if (!dump.changed && !all_) {
    last_unchanged_ = &dump;
    ++unchanged_;
    return;
  }
  AddUnchanged();
  const ir::Summary& summary = dump.figures.summary;
  if (!dump.error.ok()) {
    table_.AddRow({Printable(dump.path), "", "", "", style_.Red("cannot be read")});
    return;
  }
  if (const std::string actors = ActorCount(dump.figures); !actors.empty()) {
    table_.AddRow({Printable(dump.path), "", "", "", actors});
    return;
  }
  const ir::Delta delta = dump.before ? DeltaOf(folder_.dumps[*dump.before], dump) : ir::Delta();
  std::string what = Operators(delta);
  if (dump.other_graph && !dump.before) what = "graph @" + Printable(dump.figures.entry);
  if (what.empty() && dump.before) what = dump.changed ? "attributes, types or order" : "nothing";
  table_.AddRow({Printable(dump.path), WithDelta(summary.subgraphs, delta.subgraphs),
                 WithDelta(summary.parameters, delta.parameters),
                 WithDelta(summary.statements, delta.statements), what});
}

void DumpRows::AddUnchanged() {
  if (unchanged_ == 1) table_.AddRow({Printable(last_unchanged_->path), "", "", "", "nothing"});
  if (unchanged_ > 1) {
    table_.AddRow(
        {fmt::format("... {} unchanged, up to {}", unchanged_, Printable(last_unchanged_->path)),
         "", "", "", ""});
  }
  unchanged_ = 0;
}

std::string DumpRows::ToString() {
  AddUnchanged();
  return table_.ToString(style_);
}

}  // namespace sightline
