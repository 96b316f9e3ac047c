// Decides which dumps a GraphDumper writes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/ir/dump/dump_options.h"
#include "sightline/ir/dump/dump_point.h"

namespace sightline::ir {

// One thread at a time; Wants from any thread.
class DumpSelection {
 public:
  // The options must be in range.
  explicit DumpSelection(const DumpOptions& options)
      : level_(options.level), passes_(options.passes), interval_(options.interval) {}

  // Whether dumps of such points may be written.
  bool Wants(const DumpPoint& point) const {
    if (level_ == 0) return false;
    const bool is_step =
        point.kind() == DumpKind::kSubstep || point.kind() == DumpKind::kSubstitution;
    return point.level() <= level_ || (is_step && !passes_.empty());
  }

  // Whether the dump with this stem (DumpNamer::StemOf) is written. REQUIRES: Wants of its point.
  bool Takes(std::string_view stem);

 private:
  int level_;
  std::vector<std::string> passes_;
  std::uint32_t interval_;
  std::uint32_t left_out_ = 0;  // Since the last dump that the interval took.
};

}  // namespace sightline::ir
