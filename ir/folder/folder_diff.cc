#include "sightline/ir/folder/folder_diff.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sightline/ir/compare/longest_rise.h"
#include "sightline/ir/folder/dump_name.h"
#include "sightline/ir/read/reader.h"

namespace sightline::ir {
namespace {

using Dumps = std::vector<std::uint32_t>;

// Those of a compilation that are of no kernel graph.
Dumps FrontEnd(const Compilation& compilation) {
  Dumps dumps;
  std::size_t set = 0;
  for (std::uint32_t i = compilation.dumps.begin; i < compilation.dumps.end(); ++i) {
    const auto& sets = compilation.kernel_sets;
    while (set < sets.size() && sets[set].dumps.end() <= i) ++set;
    if (set == sets.size() || i < sets[set].dumps.begin) dumps.push_back(i);
  }
  return dumps;
}

Dumps Listed(Range range) {
  Dumps dumps;
  for (std::uint32_t i = range.begin; i < range.end(); ++i) dumps.push_back(i);
  return dumps;
}

// Indices of both, in the order of both. The k-th dump of a pass is paired with the k-th; of those
// that cross each other as few as possible stay alone.
std::vector<DumpPair> Align(const Folder& a, const Dumps& of_a, const Folder& b,
                            const Dumps& of_b) {
  std::map<std::string, Dumps> passes;  // Positions in B, the next one last.
  for (auto i = static_cast<std::uint32_t>(of_b.size()); i-- > 0;)
    passes[PassName(b.dumps[of_b[i]].name)].push_back(i);
  Dumps positions_a;
  Dumps positions_b;
  for (std::uint32_t i = 0; i < of_a.size(); ++i) {
    Dumps& left = passes[PassName(a.dumps[of_a[i]].name)];
    if (left.empty()) continue;
    positions_a.push_back(i);
    positions_b.push_back(left.back());
    left.pop_back();
  }
  const std::vector<bool> rises = LongestRise(positions_b);
  std::vector<DumpPair> pairs;
  std::size_t next_a = 0;
  std::size_t next_b = 0;
  const auto add_alone = [&](std::size_t end_a, std::size_t end_b) {
    for (; next_a < end_a; ++next_a)
      pairs.push_back({DumpOutcome::kOnlyA, of_a[next_a], std::nullopt, {}, {}});
    for (; next_b < end_b; ++next_b)
      pairs.push_back({DumpOutcome::kOnlyB, std::nullopt, of_b[next_b], {}, {}});
  };
  for (std::size_t i = 0; i < rises.size(); ++i) {
    if (!rises[i]) continue;
    add_alone(positions_a[i], positions_b[i]);
    pairs.push_back({DumpOutcome::kEqual, of_a[next_a++], of_b[next_b++], {}, {}});
  }
  add_alone(of_a.size(), of_b.size());
  return pairs;
}

class Comparer {
 public:
  Comparer(FileSystem& files, const FolderAt& a, const FolderAt& b) : files_(files), a_(a), b_(b) {}

  std::vector<GraphDiff> Compare();

 private:
  void CompareRuns(std::size_t number, const Run& a, const Run& b);
  void CompareCompilations(GraphDiff place, const Compilation& a, const Compilation& b);
  void Add(GraphDiff graph, const Dumps& a, const Dumps& b);
  void ComparePair(DumpPair& pair, const DumpPair* before);
  Result<Module> Read(const FolderAt& folder, std::uint32_t dump) const;

  FileSystem& files_;
  const FolderAt& a_;
  const FolderAt& b_;
  std::vector<GraphDiff> graphs_;
};

Result<Module> Comparer::Read(const FolderAt& folder, std::uint32_t dump) const {
  const Dump& read = folder.folder.dumps[dump];
  if (!read.error.ok()) return Error(read.error);
  return ReadIr(files_, JoinPath(folder.path, read.path));
}

void Comparer::ComparePair(DumpPair& pair, const DumpPair* before) {
  const Dump& a = a_.folder.dumps[*pair.a];
  const Dump& b = b_.folder.dumps[*pair.b];
  if (a.error.ok() && b.error.ok()) {
    if (a.figures.digest == b.figures.digest) return;
    // Neither pass changed anything.
    if (before != nullptr && !a.changed && !b.changed && a.before == before->a &&
        b.before == before->b && before->outcome != DumpOutcome::kUnread) {
      pair.outcome = before->outcome;
      pair.counts = before->counts;
      return;
    }
  }
  const auto fail = [&](const Status& error) {
    pair.outcome = DumpOutcome::kUnread;
    pair.error = error;
  };
  const auto module_a = Read(a_, *pair.a);
  if (!module_a) return fail(module_a.error());
  const auto module_b = Read(b_, *pair.b);
  if (!module_b) return fail(module_b.error());
  const auto diff = ir::Compare(*module_a, *module_b);
  if (!diff) return fail(diff.error());
  if (diff->equal()) return;
  pair.outcome = DumpOutcome::kDifferent;
  pair.counts = CountChanges(*diff);
}

void Comparer::Add(GraphDiff graph, const Dumps& a, const Dumps& b) {
  graph.dumps = Align(a_.folder, a, b_.folder, b);
  const DumpPair* before = nullptr;
  for (std::size_t i = 0; i < graph.dumps.size(); ++i) {
    DumpPair& pair = graph.dumps[i];
    if (!pair.a || !pair.b) continue;
    ComparePair(pair, before);
    before = &pair;
    if (pair.outcome == DumpOutcome::kDifferent && !graph.first_different)
      graph.first_different = i;
  }
  if (!graph.dumps.empty()) graphs_.push_back(std::move(graph));
}

void Comparer::CompareCompilations(GraphDiff place, const Compilation& a, const Compilation& b) {
  Add(place, FrontEnd(a), FrontEnd(b));
  const std::size_t sets = std::max(a.kernel_sets.size(), b.kernel_sets.size());
  for (std::size_t i = 0; i < sets; ++i) {
    place.kernel_graph = i;
    Add(place, i < a.kernel_sets.size() ? Listed(a.kernel_sets[i].dumps) : Dumps(),
        i < b.kernel_sets.size() ? Listed(b.kernel_sets[i].dumps) : Dumps());
  }
}

void Comparer::CompareRuns(std::size_t number, const Run& a, const Run& b) {
  const std::size_t compilations = std::max(a.compilations.size(), b.compilations.size());
  for (std::size_t i = 0; i < compilations; ++i) {
    GraphDiff place;
    place.run = number;
    place.compilation = i;
    CompareCompilations(place, i < a.compilations.size() ? a.compilations[i] : Compilation(),
                        i < b.compilations.size() ? b.compilations[i] : Compilation());
  }
}

std::vector<GraphDiff> Comparer::Compare() {
  const std::vector<Run>& runs_a = a_.folder.runs;
  std::vector<const Run*> left;
  for (const Run& run : b_.folder.runs) left.push_back(&run);
  std::vector<const Run*> partners(runs_a.size(), nullptr);
  const auto pair_where = [&](const auto& fits) {
    for (std::size_t i = 0; i < runs_a.size(); ++i) {
      if (partners[i] != nullptr) continue;
      const auto found = std::find_if(left.begin(), left.end(),
                                      [&](const Run* run) { return fits(runs_a[i], *run); });
      if (found == left.end()) continue;
      partners[i] = *found;
      left.erase(found);
    }
  };
  pair_where([](const Run& x, const Run& y) { return x.rank == y.rank; });
  pair_where([](const Run&, const Run&) { return true; });
  for (std::size_t i = 0; i < runs_a.size(); ++i)
    CompareRuns(i, runs_a[i], partners[i] == nullptr ? Run() : *partners[i]);
  for (std::size_t i = 0; i < left.size(); ++i) CompareRuns(runs_a.size() + i, Run(), *left[i]);
  return std::move(graphs_);
}

}  // namespace

std::vector<GraphDiff> CompareFolders(FileSystem& files, const FolderAt& a, const FolderAt& b) {
  return Comparer(files, a, b).Compare();
}

}  // namespace sightline::ir
