#include "sightline/ir/folder/blame.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sightline/ir/compare/diff.h"
#include "sightline/ir/model/summary.h"
#include "sightline/ir/read/reader.h"

namespace sightline::ir {
namespace {

// A node of the dump at hand, as far as it was followed.
struct Followed {
  bool matches = false;
  bool was_asked_for = false;  // It matched the filter under an earlier name.
};

// A dump and how far its nodes were followed.
struct State {
  explicit State(Module read) : module(std::move(read)), flow(module), nodes(module.nodes.size()) {}

  Module module;
  Dataflow flow;  // Of indices only, so both can be moved.
  std::vector<Followed> nodes;
};

// For each node of a dump that of the next one; kNoIndex for none.
struct Step {
  std::vector<std::uint32_t> before;  // By node of the later dump.
  std::vector<bool> ambiguous;        // The same.
  std::vector<bool> stays;            // By node of the earlier dump.
  std::vector<bool> is_ambiguous_end;
};

class Blamer {
 public:
  Blamer(FileSystem& files, const std::string& path, const Folder& folder, const NodeFilter& filter)
      : files_(files), path_(path), folder_(folder), filter_(filter) {}

  BlameResult Find();

 private:
  // The dumps that follow one that nothing is before.
  void FollowGraph(const std::vector<std::uint32_t>& dumps);
  void Start(const State& state, std::uint32_t dump);
  void Advance(const State& from, State& to, const Step& step, std::uint32_t dump);
  void End(const State& state, std::uint32_t dump);
  void Add(BlameKind kind, const State& state, std::uint32_t node, std::uint32_t dump,
           std::optional<std::string> before, bool ambiguous);
  std::vector<bool> Matching(const State& state) const;
  std::optional<State> Read(std::uint32_t dump);

  FileSystem& files_;
  const std::string& path_;
  const Folder& folder_;
  const NodeFilter& filter_;
  BlameResult result_;
};

std::string_view NodeName(const State& state, std::uint32_t node) {
  return state.module.texts[state.module.nodes[node].name];
}

// None if it had no name.
std::optional<std::string> EarlierName(const State& state, std::uint32_t node) {
  const std::string_view name = NodeName(state, node);
  return name.empty() ? std::nullopt : std::optional<std::string>(name);
}

// Dumps that are equal have equal statements in the same order; only their names may differ.
Step EqualStep(const State& from, const State& to) {
  Step step;
  step.before.resize(to.nodes.size());
  for (std::uint32_t i = 0; i < to.nodes.size(); ++i)
    step.before[i] = i < from.nodes.size() ? i : kNoIndex;
  step.ambiguous.assign(to.nodes.size(), false);
  step.stays.assign(from.nodes.size(), true);
  step.is_ambiguous_end.assign(from.nodes.size(), false);
  return step;
}

Step ComparedStep(const State& from, const State& to, const Diff& diff) {
  Step step;
  step.before.assign(to.nodes.size(), kNoIndex);
  step.ambiguous.assign(to.nodes.size(), false);
  step.stays.assign(from.nodes.size(), false);
  step.is_ambiguous_end.assign(from.nodes.size(), false);
  for (std::uint32_t i = 0; i < from.nodes.size(); ++i) {
    const std::uint32_t a = diff.a.first_node + i;
    step.is_ambiguous_end[i] = diff.ambiguous[a];
    if (diff.a_to_b[a] == kNoIndex) continue;
    step.stays[i] = true;
    const std::uint32_t node = diff.a_to_b[a] - diff.b.first_node;
    step.before[node] = i;
    step.ambiguous[node] = diff.ambiguous[a];
  }
  for (const Change& change : diff.changes) {
    if (change.kind == ChangeKind::kAdded && change.element >= diff.b.first_node)
      step.ambiguous[change.element - diff.b.first_node] = change.ambiguous;
  }
  return step;
}

void Blamer::Add(BlameKind kind, const State& state, std::uint32_t node, std::uint32_t dump,
                 std::optional<std::string> before, bool ambiguous) {
  const Module& module = state.module;
  const std::uint32_t subgraph = state.flow.SubgraphOfNode(node);
  result_.events.push_back(
      {kind, dump,
       std::string(subgraph == kNoIndex ? "" : module.texts[module.subgraphs[subgraph].name]),
       std::string(NodeName(state, node)), std::string(CalleeName(module, module.nodes[node])),
       std::move(before), ambiguous});
}

std::vector<bool> Blamer::Matching(const State& state) const {
  std::vector<bool> matching(state.nodes.size());
  for (std::uint32_t i = 0; i < matching.size(); ++i)
    matching[i] = Matches(state.module, state.flow, i, filter_);
  return matching;
}

std::optional<State> Blamer::Read(std::uint32_t dump) {
  if (!folder_.dumps[dump].error.ok()) {
    result_.unread.push_back(folder_.dumps[dump].error);
    return std::nullopt;
  }
  auto module = ReadIr(files_, JoinPath(path_, folder_.dumps[dump].path));
  if (module) return State(*std::move(module));
  result_.unread.push_back(module.error());
  return std::nullopt;
}

void Blamer::Start(const State& state, std::uint32_t dump) {
  for (std::uint32_t i = 0; i < state.nodes.size(); ++i)
    if (state.nodes[i].matches) Add(BlameKind::kFirst, state, i, dump, std::nullopt, false);
}

void Blamer::End(const State& state, std::uint32_t dump) {
  for (std::uint32_t i = 0; i < state.nodes.size(); ++i) {
    if (state.nodes[i].matches || state.nodes[i].was_asked_for)
      Add(BlameKind::kLast, state, i, dump, std::nullopt, false);
  }
}

void Blamer::Advance(const State& from, State& to, const Step& step, std::uint32_t dump) {
  for (std::uint32_t i = 0; i < from.nodes.size(); ++i) {
    if (!step.stays[i] && (from.nodes[i].matches || from.nodes[i].was_asked_for))
      Add(BlameKind::kRemoved, from, i, dump, std::nullopt, step.is_ambiguous_end[i]);
  }
  for (std::uint32_t i = 0; i < to.nodes.size(); ++i) {
    Followed& node = to.nodes[i];
    if (step.before[i] == kNoIndex) {
      if (node.matches) Add(BlameKind::kIntroduced, to, i, dump, std::nullopt, step.ambiguous[i]);
      continue;
    }
    const Followed& before = from.nodes[step.before[i]];
    const bool was_followed = before.matches || before.was_asked_for;
    const bool renamed = filter_.name && NodeName(to, i) != NodeName(from, step.before[i]);
    node.was_asked_for = filter_.name && was_followed;
    const std::string callee(CalleeName(from.module, from.module.nodes[step.before[i]]));
    if (renamed && (node.matches || was_followed)) {
      Add(BlameKind::kRenamed, to, i, dump, EarlierName(from, step.before[i]), step.ambiguous[i]);
    } else if (node.matches && !was_followed) {
      Add(BlameKind::kGained, to, i, dump, callee, step.ambiguous[i]);
    } else if (!node.matches && before.matches) {
      Add(BlameKind::kLost, to, i, dump, callee, step.ambiguous[i]);
    }
  }
}

void Blamer::FollowGraph(const std::vector<std::uint32_t>& dumps) {
  std::optional<State> last;
  std::uint32_t last_dump = 0;
  for (const std::uint32_t dump : dumps) {
    std::optional<State> next = Read(dump);
    if (!next) continue;
    const std::vector<bool> matching = Matching(*next);
    for (std::size_t i = 0; i < matching.size(); ++i) next->nodes[i].matches = matching[i];
    result_.most_at_once = std::max(result_.most_at_once,
                                    static_cast<std::uint64_t>(std::ranges::count(matching, true)));
    if (!last) {
      Start(*next, dump);
    } else if (!folder_.dumps[dump].changed) {
      Advance(*last, *next, EqualStep(*last, *next), dump);
    } else if (const auto diff = Compare(last->module, next->module)) {
      Advance(*last, *next, ComparedStep(*last, *next, *diff), dump);
    }
    last.emplace(std::move(*next));
    last_dump = dump;
  }
  if (last) End(*last, last_dump);
}

BlameResult Blamer::Find() {
  // Each graph's dumps, by its first.
  std::vector<std::vector<std::uint32_t>> graphs;
  std::vector<std::size_t> graph_of(folder_.dumps.size());
  for (std::uint32_t i = 0; i < folder_.dumps.size(); ++i) {
    const Dump& dump = folder_.dumps[i];
    const bool actors = dump.figures.form != Form::kGraph && dump.figures.form != Form::kFailure;
    graph_of[i] = dump.before ? graph_of[*dump.before] : graphs.size();
    if (!dump.before) graphs.emplace_back();
    if (!actors) graphs[graph_of[i]].push_back(i);
  }
  for (const auto& dumps : graphs) FollowGraph(dumps);
  std::stable_sort(result_.events.begin(), result_.events.end(),
                   [](const BlameEvent& a, const BlameEvent& b) { return a.dump < b.dump; });
  return std::move(result_);
}

}  // namespace

std::string_view Describe(BlameKind kind) {
  switch (kind) {
    case BlameKind::kFirst:
      return "first";
    case BlameKind::kIntroduced:
      return "introduced";
    case BlameKind::kGained:
      return "gained";
    case BlameKind::kRenamed:
      return "renamed";
    case BlameKind::kLost:
      return "lost";
    case BlameKind::kRemoved:
      return "removed";
    case BlameKind::kLast:
      return "last";
  }
  return {};
}

BlameResult Blame(FileSystem& files, const std::string& path, const Folder& folder,
                  const NodeFilter& filter) {
  return Blamer(files, path, folder, filter).Find();
}

}  // namespace sightline::ir
