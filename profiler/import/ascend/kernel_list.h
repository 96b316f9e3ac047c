// KernelList: collects Profile::kernels from the executions of a device's kernels.
//
// A source of hostile rows cannot make it large: executions beyond 10,000 kinds of kernel lose
// their shapes, and beyond 20,000 they are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

class KernelList {
 public:
  static constexpr std::size_t kLeftOut = ~std::size_t{0};

  // Counts an execution; returns the number of its kind, or kLeftOut.
  std::size_t Add(NameId type, NameId shapes, NameId core, std::int64_t blocks,
                  std::int64_t duration);
  // The number of a unit of the cores: "aic_mac". "aic_mac_ratio" is the column of its share;
  // kLeftOut for all other columns.
  std::size_t UnitOfColumn(std::string_view column);
  // Of an execution that took `duration`, the unit was busy for the share `ratio`, 0..1. All other
  // ratios are ignored.
  void AddBusy(std::size_t kind, std::size_t unit, double ratio, std::int64_t duration);
  // Moves what was added into the profile.
  void TakeInto(Profile& profile);

 private:
  struct Busy {
    double time = 0;  // Of the unit.
    double of = 0;    // Of the executions that it was measured in.
  };
  using Key = std::tuple<NameId, NameId, NameId, std::int64_t>;

  std::map<Key, std::size_t> places_;
  std::vector<KernelUse> kernels_;
  std::vector<std::vector<Busy>> busy_;  // By kernel and unit.
  std::vector<std::string> units_;
};

}  // namespace sightline::profiler
