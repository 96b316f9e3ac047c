#include "sightline/watch/rules/disk_rule.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "sightline/base/byte_size.h"

namespace sightline::watch {
namespace {
constexpr double kOverAt = 1.1;  // Of the limit, so that a disk at the limit is not told of again.
}  // namespace

std::optional<Cause> DiskRule::OfDisk(const std::string& root, bool holds) const {
  std::error_code error;
  const auto space = std::filesystem::space(root, error);
  if (error || space.capacity == 0) return std::nullopt;
  return Judge(space.available, space.capacity, holds);
}

std::optional<Cause> DiskRule::Judge(std::uint64_t free, std::uint64_t size, bool holds) const {
  const double limit =
      bytes_ > 0 ? static_cast<double>(bytes_) : share_ * static_cast<double>(size);
  if (static_cast<double>(free) >= limit * (holds ? kOverAt : 1)) return std::nullopt;
  return Cause{.id = "",
               .text = fmt::format("{} of {} are free on the disk ({:.1f} %)", FormatByteSize(free),
                                   FormatByteSize(size),
                                   100 * static_cast<double>(free) / static_cast<double>(size))};
}

}  // namespace sightline::watch
