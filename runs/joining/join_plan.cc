#include "sightline/runs/joining/join_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "sightline/base/file_system.h"
#include "sightline/base/text/natural_order.h"
#include "sightline/runs/joining/part_evidence.h"

namespace sightline {
namespace {

struct NaturalLess {
  using is_transparent = void;  // NOLINT(readability-identifier-naming)
  bool operator()(std::string_view a, std::string_view b) const { return NaturallyLess(a, b); }
};

// A directory that is a run or a rank, with the curves that belong to it.
struct Trunk {
  std::size_t candidate = 0;
  std::vector<PlannedPart> curves = {};
  std::set<std::string> tags = {};  // Of the curves.
};

bool HasScalar(const Run& run, const std::string& tag) {
  return run.Find(ContentKind::kScalar, tag) != nullptr;
}

// tensorboardX names its host, torch and TensorFlow also the process.
bool SameWriter(const PartEvidence& above, const PartEvidence& below) {
  return std::all_of(below.writers.begin(), below.writers.end(), [&](const FileWriter& writer) {
    return !writer.host.empty() &&
           std::find(above.writers.begin(), above.writers.end(), writer) != above.writers.end();
  });
}

// Each rank recorded when the first ones did. A training of 16 ranks after one of 8, and trainings
// one after another, did not.
bool StartTogether(const std::vector<const PartEvidence*>& parts) {
  struct Recorded {
    PartEvidence::Interval interval;
    std::size_t part;
  };
  std::vector<Recorded> all;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const auto& interval : parts[i]->recorded) all.push_back({interval, i});
  std::sort(all.begin(), all.end(), [](const Recorded& a, const Recorded& b) {
    return a.interval.first < b.interval.first;
  });
  std::set<std::size_t> together;
  double last = all.empty() ? 0 : all[0].interval.last;
  for (const Recorded& one : all) {
    if (one.interval.first > last) break;
    last = std::max(last, one.interval.last);
    together.insert(one.part);
  }
  return together.size() == parts.size();
}

// Whether directories of one folder, by rank, are the ranks of one training.
bool AreOneTraining(const std::vector<const PartEvidence*>& parts) {
  const auto world_size = parts[0]->world_size;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i]->world_size != world_size) return false;
    if (i == 0) continue;
    const std::int32_t step = *parts[i]->rank - *parts[i - 1]->rank;
    if (step <= 0 || (step > 1 && !world_size)) return false;
  }
  return parts.size() > 1 && StartTogether(parts);
}

class Planner {
 public:
  explicit Planner(std::span<const JoinCandidate> candidates) : candidates_(candidates) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      evidence_.push_back(EvidenceOf(candidates[i].name, *candidates[i].run));
      positions_.emplace(candidates[i].name, i);
    }
  }

  std::vector<PlannedRun> Plan() {
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (!AddCurve(i)) trunks_.emplace(i, Trunk{i});
    std::map<std::string, std::vector<const Trunk*>, NaturalLess> ranks;  // By folder.
    for (const auto& [i, trunk] : trunks_) {
      if (evidence_[i].rank && candidates_[i].name != ".")
        ranks[DirectoryOf(candidates_[i].name)].push_back(&trunk);
    }
    std::vector<PlannedRun> planned;
    std::set<std::size_t> joined;
    for (auto& [folder, trunks] : ranks) {
      if (positions_.contains(folder) || !SortByRank(trunks)) continue;
      PlannedRun& run = planned.emplace_back(PlannedRun{folder, {}});
      for (const Trunk* trunk : trunks) {
        Add(*trunk, evidence_[trunk->candidate].rank, run);
        joined.insert(trunk->candidate);
      }
    }
    for (const auto& [i, trunk] : trunks_) {
      if (!joined.contains(i))
        Add(trunk, std::nullopt, planned.emplace_back(PlannedRun{candidates_[i].name, {}}));
    }
    std::sort(planned.begin(), planned.end(), [](const PlannedRun& a, const PlannedRun& b) {
      return NaturallyLess(a.name, b.name);
    });
    return planned;
  }

 private:
  // Adds the candidate to the nearest run above it, if it is one of its curves.
  bool AddCurve(std::size_t i) {
    const std::string& name = candidates_[i].name;
    if (name == "." || !evidence_[i].only_tag) return false;
    for (std::string above = DirectoryOf(name);; above = DirectoryOf(above)) {
      const auto found = positions_.find(above);
      // Runs above come first, so it is known whether this one is a curve itself.
      if (found != positions_.end() && trunks_.contains(found->second))
        return AddCurve(i, trunks_.at(found->second));
      if (above == "." || above == "/") return false;
    }
  }

  bool AddCurve(std::size_t i, Trunk& trunk) {
    const std::string& tag = *evidence_[i].only_tag;
    const std::string& above = candidates_[trunk.candidate].name;
    const std::string_view name = candidates_[i].name;
    const auto curve = CurveNameOf(above == "." ? name : name.substr(above.size() + 1), tag);
    if (!curve || !SameWriter(evidence_[trunk.candidate], evidence_[i])) return false;
    std::string joined = tag + "/" + curve->key;
    if (HasScalar(*candidates_[trunk.candidate].run, joined) || !trunk.tags.insert(joined).second)
      return false;
    trunk.curves.push_back({i, std::nullopt, std::move(joined)});
    return true;
  }

  // False if they are not the ranks of one training.
  bool SortByRank(std::vector<const Trunk*>& trunks) const {
    const auto rank_of = [&](const Trunk* trunk) { return *evidence_[trunk->candidate].rank; };
    std::stable_sort(trunks.begin(), trunks.end(),
                     [&](const Trunk* a, const Trunk* b) { return rank_of(a) < rank_of(b); });
    std::vector<const PartEvidence*> parts;
    parts.reserve(trunks.size());
    for (const Trunk* trunk : trunks) parts.push_back(&evidence_[trunk->candidate]);
    return AreOneTraining(parts);
  }

  static void Add(const Trunk& trunk, std::optional<std::int32_t> rank, PlannedRun& run) {
    run.parts.push_back({trunk.candidate, rank, {}});
    for (PlannedPart curve : trunk.curves) {
      curve.rank = rank;
      run.parts.push_back(std::move(curve));
    }
  }

  const std::span<const JoinCandidate> candidates_;
  std::vector<PartEvidence> evidence_;
  std::map<std::string_view, std::size_t> positions_;
  std::map<std::size_t, Trunk> trunks_;
};

}  // namespace

std::vector<PlannedRun> PlanJoins(std::span<const JoinCandidate> candidates) {
  return Planner(candidates).Plan();
}

std::string FamilyOf(const std::string& name, const std::string& above, const Run* run) {
  std::string family = above;
  if (above != "." && run != nullptr && EvidenceOf(above, *run).world_size)
    family = DirectoryOf(above);
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (RankOfFolder(name.substr(begin, end - begin))) {
      // Both lead to the directory; the shorter one is above the other.
      const std::string folder = begin == 0 ? "." : name.substr(0, begin - 1);
      return family == "." || folder == "." ? "." : std::min(family, folder);
    }
    begin = end + 1;
  }
  return family;
}

}  // namespace sightline
