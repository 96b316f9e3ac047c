#include "sightline/runs/console/console_times.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

namespace sightline {
namespace {

constexpr std::size_t kNumberBytes = 8;

void AppendNumber(std::uint64_t number, std::string& out) {
  for (std::size_t i = 0; i < kNumberBytes; ++i)
    out += static_cast<char>((number >> (8 * i)) & 0xffU);
}

std::uint64_t NumberAt(std::string_view bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < kNumberBytes; ++i)
    number |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return number;
}

}  // namespace

std::string ConsoleTime::Serialize() const {
  std::string row;
  AppendNumber(offset, row);
  AppendNumber(std::bit_cast<std::uint64_t>(seconds), row);
  return row;
}

ConsoleTimes::ConsoleTimes(FileSystem& files, const std::string& path) {
  if (auto file = files.OpenForRead(path)) file_ = *std::move(file);
}

std::size_t ConsoleTimes::Count() const {
  const auto size = file_ == nullptr ? Result<std::uint64_t>(0) : file_->Size();
  return static_cast<std::size_t>(size.value_or(0) / ConsoleTime::kBytes);
}

std::vector<ConsoleTime> ConsoleTimes::Rows(std::size_t first, std::size_t count) const {
  std::vector<ConsoleTime> rows;
  if (file_ == nullptr) return rows;
  std::string bytes(count * ConsoleTime::kBytes, '\0');
  bytes.resize(file_->ReadAt(first * ConsoleTime::kBytes, bytes).value_or(0));
  rows.reserve(bytes.size() / ConsoleTime::kBytes);
  for (std::size_t at = 0; at + ConsoleTime::kBytes <= bytes.size(); at += ConsoleTime::kBytes) {
    rows.push_back(
        {NumberAt(bytes, at), std::bit_cast<double>(NumberAt(bytes, at + kNumberBytes))});
  }
  return rows;
}

std::size_t ConsoleTimes::CountNotAfter(
    const std::function<bool(const ConsoleTime&)>& is_after) const {
  std::size_t begin = 0;
  for (std::size_t end = Count(); begin < end;) {
    const std::size_t middle = begin + (end - begin) / 2;
    const std::vector<ConsoleTime> row = Rows(middle, 1);
    if (row.empty() || is_after(row.front())) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return begin;
}

std::optional<double> ConsoleTimes::TimeAt(std::uint64_t offset) const {
  const std::vector<ConsoleTime> rows = Between(offset, offset + 1);
  if (rows.empty()) return std::nullopt;
  return rows.back().seconds;
}

std::uint64_t ConsoleTimes::OffsetAt(double seconds) const {
  const std::size_t count =
      CountNotAfter([&](const ConsoleTime& row) { return !(row.seconds <= seconds); });
  const std::vector<ConsoleTime> row = Rows(count - std::min<std::size_t>(count, 1), 1);
  return count == 0 || row.empty() ? 0 : row.front().offset;
}

std::vector<ConsoleTime> ConsoleTimes::Between(std::uint64_t begin, std::uint64_t end) const {
  const std::size_t first =
      CountNotAfter([&](const ConsoleTime& row) { return row.offset > begin; });
  const std::size_t last = CountNotAfter([&](const ConsoleTime& row) { return row.offset >= end; });
  const std::size_t from = first - std::min<std::size_t>(first, 1);
  std::vector<ConsoleTime> rows;
  for (const ConsoleTime& row : Rows(from, std::min(std::max(last, from) - from, kMostRows))) {
    if (std::isfinite(row.seconds) && (rows.empty() || row.offset > rows.back().offset))
      rows.push_back(row);
  }
  return rows;
}

}  // namespace sightline
