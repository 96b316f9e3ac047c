// JoinedRun: makes one Run of the runs of several directories, the parts of one training
// (runs/joining/join_plan.h, docs/ranks.md). It shares the points of their series.
//
// Private to runs/. Callable from any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sightline/runs/model/run.h"

namespace sightline {

class JoinedRun {
 public:
  // `parts` are in the order of Run::parts, and not empty. The lineage is that of the first part
  // that has one.
  static std::shared_ptr<const Run> Make(std::string name, std::string directory,
                                         std::vector<RunPart> parts);

 private:
  explicit JoinedRun(Run& run) : run_(run) {}
  void Add(const RunPart& part);
  void AddSeries(const std::vector<std::shared_ptr<const Series>>& from, const RunPart& part,
                 std::vector<std::shared_ptr<const Series>>& to) const;
  void AddEvents(const Run& part);
  void AddTimes(const Run& part);
  void CompareLineage();

  Run& run_;
};

}  // namespace sightline
