// disk: little is free on the disk of a root.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sightline/watch/rules/rule.h"

namespace sightline::watch {

// Holds if less than a share of the disk, or than `bytes` if that is not 0, is free for this user.
// It is over once a tenth more than the limit is free.
class DiskRule final : public Rule {
 public:
  DiskRule(const std::string& text, double share, std::uint64_t bytes)
      : Rule(text), share_(share), bytes_(bytes) {}
  std::optional<Cause> OfDisk(const std::string& root, bool holds) const override;

  // The same for a disk of this size.
  std::optional<Cause> Judge(std::uint64_t free, std::uint64_t size, bool holds) const;

 private:
  double share_;
  std::uint64_t bytes_;
};

}  // namespace sightline::watch
