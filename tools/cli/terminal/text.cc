#include "sightline/tools/cli/terminal/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>

namespace sightline {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};
// Characters that terminals draw two columns wide (Unicode's East Asian Width W and F, by blocks).
constexpr std::array<Range, 9> kWide = {{{0x1100, 0x115f},
                                         {0x2e80, 0xa4cf},
                                         {0xac00, 0xd7a3},
                                         {0xf900, 0xfaff},
                                         {0xfe30, 0xfe6f},
                                         {0xff00, 0xff60},
                                         {0xffe0, 0xffe6},
                                         {0x1f300, 0x1faff},
                                         {0x20000, 0x3fffd}}};

// The character at the front of well-formed UTF-8, and its bytes.
char32_t Decode(std::string_view text, std::size_t& size) {
  const auto first = static_cast<unsigned char>(text.front());
  size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (size == 1) return first;
  char32_t character = first & (0x7fU >> size);
  for (std::size_t i = 1; i < size && i < text.size(); ++i) {
    character = character << 6U | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  return character;
}

// Of a mark of Style, which takes no column.
std::size_t SkipMark(std::string_view text) {
  const bool is_mark =
      text.substr(0, MarkText(StyleMark::kEnd).size()) >= MarkText(StyleMark::kEnd) &&
      text.substr(0, MarkText(StyleMark::kEnd).size()) <= MarkText(StyleMark::kYellow);
  return is_mark ? MarkText(StyleMark::kEnd).size() : 0;
}

}  // namespace

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  std::size_t size = 0;
  for (; !text.empty(); text.remove_prefix(std::min(size, text.size()))) {
    size = SkipMark(text);
    if (size > 0) continue;
    const char32_t character = Decode(text, size);
    const bool wide = std::any_of(kWide.begin(), kWide.end(), [&](const Range& range) {
      return character >= range.first && character <= range.last;
    });
    width += wide ? 2 : 1;
  }
  return width;
}

std::string Count(std::uint64_t count, std::string_view singular) {
  std::string digits = fmt::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return fmt::format("{} {}{}", digits, singular, count == 1 ? "" : "s");
}

std::string Listed(std::span<const std::string> all, std::size_t shown, std::string_view noun) {
  const auto first = all.first(std::min(shown, all.size()));
  std::string text = fmt::to_string(fmt::join(first, ", "));
  const std::size_t more = all.size() - first.size();
  if (more == 0) return text;
  return text + " and " +
         (noun.empty() ? fmt::format("{} more", more) : Count(more, fmt::format("more {}", noun)));
}

std::string FormatTime(double seconds) {
  // Years 1 to 9999.
  if (!(seconds > -62e9 && seconds < 253e9)) return "?";
  const auto whole = static_cast<std::time_t>(std::floor(seconds));
  std::tm parts{};
  if (gmtime_r(&whole, &parts) == nullptr) return "?";
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts)};
}

Style::Style(std::FILE* stream)
    : colours_(fileno(stream) < 0 && std::getenv("NO_COLOR") == nullptr) {}

std::string Style::Wrap(StyleMark mark, std::string_view text) const {
  if (!colours_ || text.empty()) return std::string(text);
  return fmt::format("{}{}{}", MarkText(mark), text, MarkText(StyleMark::kEnd));
}

Table::Table(const std::vector<std::pair<std::string, Align>>& columns, std::size_t indent)
    : indent_(indent) {
  std::vector<std::string> header;
  for (const auto& [name, align] : columns) {
    header.push_back(name);
    aligns_.push_back(align);
  }
  rows_.push_back(std::move(header));
}

void Table::AddRow(std::vector<std::string> cells) {
  cells.resize(aligns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::ToString(const Style& style) const {
  std::vector<std::size_t> widths(aligns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - DisplayWidth(row[i]), ' ');
      line += i == 0 ? "" : "  ";
      line += aligns_[i] == Align::kRight ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += std::string(indent_, ' ') + (&row == &rows_.front() ? style.Dim(line) : line) + '\n';
  }
  return text;
}

}  // namespace sightline
