#include "sightline/ir/folder/folder_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/noise.h"

namespace sightline::ir {
namespace {

constexpr std::string_view kFirstStage = "00_bootstrap";
constexpr std::string_view kLastKernelStep = "trace_code_graph";

std::uint32_t Index(std::size_t index) { return static_cast<std::uint32_t>(index); }

Range Between(std::size_t begin, std::size_t end) { return {Index(begin), Index(end - begin)}; }

bool ByNumber(const Dump& a, const Dump& b) {
  return std::tie(*a.name.number, a.path) < std::tie(*b.name.number, b.path);
}

bool ByTime(const Dump& a, const Dump& b) {
  return std::tie(a.modified_seconds, *a.name.number, a.path) <
         std::tie(b.modified_seconds, *b.name.number, b.path);
}

// Where the run that begins at `begin` ends. REQUIRES: by time. A number that comes again is of the
// next run, and so is what was written before it since the numbers last fell.
std::size_t EndOfRun(std::span<const Dump> dumps, std::size_t begin) {
  std::set<std::uint64_t> numbers;
  std::size_t fall = begin;
  for (std::size_t i = begin; i < dumps.size(); ++i) {
    if (i > begin && *dumps[i].name.number < *dumps[i - 1].name.number) fall = i;
    if (!numbers.insert(*dumps[i].name.number).second) return fall > begin ? fall : i;
  }
  return dumps.size();
}

// Sorts the numbered dumps of one rank; the ends of the runs among them.
std::vector<std::size_t> SortRuns(std::span<Dump> dumps) {
  std::sort(dumps.begin(), dumps.end(), ByNumber);
  const bool twice =
      std::adjacent_find(dumps.begin(), dumps.end(), [](const Dump& a, const Dump& b) {
        return *a.name.number == *b.name.number;
      }) != dumps.end();
  if (!twice) return {dumps.size()};
  std::sort(dumps.begin(), dumps.end(), ByTime);
  std::vector<std::size_t> ends;
  for (std::size_t begin = 0; begin < dumps.size(); begin = ends.back()) {
    ends.push_back(EndOfRun(dumps, begin));
    std::sort(dumps.begin() + static_cast<std::ptrdiff_t>(begin),
              dumps.begin() + static_cast<std::ptrdiff_t>(ends.back()), ByNumber);
  }
  return ends;
}

std::vector<KernelSet> FindKernelSets(std::span<const Dump> dumps, Range range) {
  std::vector<KernelSet> sets;
  std::set<std::string_view> steps;
  bool open = false;
  for (std::uint32_t i = range.begin; i < range.end(); ++i) {
    if (dumps[i].name.kind != DumpKind::kKernelGraph) continue;
    const std::string_view step = KernelStep(dumps[i].name);
    if (!open || !steps.insert(step).second) {
      steps = {step};
      sets.push_back({{i, 0}});
    }
    sets.back().dumps.size = i + 1 - sets.back().dumps.begin;
    open = step != kLastKernelStep;
  }
  return sets;
}

std::vector<Compilation> FindCompilations(std::span<const Dump> dumps, Range run) {
  std::vector<Compilation> compilations;
  std::optional<std::uint32_t> stage;
  for (std::uint32_t i = run.begin; i < run.end(); ++i) {
    const DumpName& name = dumps[i].name;
    const bool is_stage = name.kind == DumpKind::kStage;
    const bool begins = is_stage && (name.stem == kFirstStage || (stage && name.stage <= *stage));
    if (compilations.empty() || (begins && stage)) compilations.push_back({{i, 0}, {}});
    if (is_stage) stage = name.stage;
    ++compilations.back().dumps.size;
  }
  for (Compilation& compilation : compilations)
    compilation.kernel_sets = FindKernelSets(dumps, compilation.dumps);
  return compilations;
}

// Of one graph: each is compared with the one before it.
class Sequence {
 public:
  explicit Sequence(std::vector<Dump>& dumps) : dumps_(dumps) {}

  void Add(std::uint32_t index) {
    Dump& dump = dumps_[index];
    if (!dump.error.ok()) return;
    dump.before = last_;
    dump.changed = !last_ || dumps_[*last_].figures.digest != dump.figures.digest;
    last_ = index;
  }

 private:
  std::vector<Dump>& dumps_;
  std::optional<std::uint32_t> last_;
};

// The name that all clones of a graph share: "mindspore_nn_Cell_construct_#" for
// "104_1_mindspore_nn_Cell_construct_1008".
std::string GraphName(const Dump& dump) {
  constexpr std::string_view kIdInFront = "#_";
  std::string without_ids;
  WithoutIds(dump.figures.entry, without_ids);
  std::string_view name = without_ids;
  while (Consume(name, kIdInFront)) {
  }
  return std::string(name);
}

// The dumps of a compilation's stages, passes, steps and substitutions. A pass may work on another
// graph too, as opt_resolve does on that of each operator's gradient: a step or substitution is of
// the compilation's graph where its graph has the name of that before it, or of the next stage or
// pass, since in a step the graph may get another name.
void CompareMainDumps(std::vector<Dump>& dumps, Range range) {
  std::vector<std::uint32_t> in_order;
  for (std::uint32_t i = range.begin; i < range.end(); ++i)
    if (IsOfCompilation(dumps[i].name.kind) && dumps[i].error.ok()) in_order.push_back(i);
  const auto is_main = [&](std::uint32_t dump) {
    const DumpKind kind = dumps[dump].name.kind;
    return kind == DumpKind::kStage || kind == DumpKind::kPass;
  };
  Sequence graph(dumps);
  std::map<std::string, Sequence> others;
  std::string name;
  auto next = in_order.begin();  // The next stage or pass, and its name.
  std::string next_name;
  for (auto at = in_order.begin(); at != in_order.end(); ++at) {
    if (next <= at) {
      next = std::find_if(at + 1, in_order.end(), is_main);
      next_name = next == in_order.end() ? "" : GraphName(dumps[*next]);
    }
    std::string own = GraphName(dumps[*at]);
    const bool first = at == in_order.begin() && next == in_order.end();
    if (first || is_main(*at) || own == name || own == next_name) {
      graph.Add(*at);
      name = std::move(own);
    } else {
      dumps[*at].other_graph = true;
      others.try_emplace(std::move(own), dumps).first->second.Add(*at);
    }
  }
}

void CompareDumps(std::vector<Dump>& dumps, const Compilation& compilation) {
  CompareMainDumps(dumps, compilation.dumps);
  for (const KernelSet& set : compilation.kernel_sets) {
    Sequence kernel_graph(dumps);
    for (std::uint32_t i = set.dumps.begin; i < set.dumps.end(); ++i)
      if (dumps[i].name.kind == DumpKind::kKernelGraph) kernel_graph.Add(i);
  }
}

}  // namespace

std::optional<std::uint32_t> RankOf(std::string_view path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  std::string_view folder = path.substr(0, slash);
  if (!Consume(folder, "rank_")) return std::nullopt;
  return ParseNumber(folder);
}

void OrderDumps(Folder& folder) {
  std::vector<Dump>& dumps = folder.dumps;
  const auto key = [](const Dump& dump) {
    // Without a rank first; within one the numbered first.
    const std::string_view path = dump.path;
    return std::make_tuple(RankOf(path), !dump.name.number, path);
  };
  std::sort(dumps.begin(), dumps.end(),
            [&key](const Dump& a, const Dump& b) { return key(a) < key(b); });
  folder.runs.clear();
  for (std::size_t begin = 0; begin < dumps.size();) {
    const auto rank = RankOf(dumps[begin].path);
    const auto group_end = [&](bool numbered, std::size_t from) {
      while (from < dumps.size() && RankOf(dumps[from].path) == rank &&
             dumps[from].name.number.has_value() == numbered)
        ++from;
      return from;
    };
    const std::size_t numbered_end = group_end(true, begin);
    const std::size_t end = group_end(false, numbered_end);
    std::size_t run_begin = begin;
    for (const std::size_t run_size :
         SortRuns(std::span(dumps).subspan(begin, numbered_end - begin))) {
      const Range range = Between(run_begin, begin + run_size);
      folder.runs.push_back({rank, range, FindCompilations(dumps, range), {}});
      run_begin = begin + run_size;
    }
    folder.runs.back().unnumbered = Between(numbered_end, end);
    begin = end;
  }
}

void CompareDumps(Folder& folder) {
  for (const Run& run : folder.runs)
    for (const Compilation& compilation : run.compilations) CompareDumps(folder.dumps, compilation);
}

}  // namespace sightline::ir
