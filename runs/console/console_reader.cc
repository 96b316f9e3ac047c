#include "sightline/runs/console/console_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "sightline/base/ascii.h"

namespace sightline {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;

Status CheckText(std::string_view text) {
  if (text.size() <= ConsoleReader::kMostText) return {};
  return {StatusCode::kInvalidArgument,
          fmt::format("the text has {} bytes, but {} is the most that is searched for", text.size(),
                      ConsoleReader::kMostText)};
}

}  // namespace

Result<std::string> ConsoleReader::Read(std::uint64_t offset, std::size_t bytes) const {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file_->Size());
  const std::uint64_t there = size - std::min(offset, size);
  std::string text(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, there)), '\0');
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, file_->ReadAt(offset, text));
  text.resize(got);
  return text;
}

Result<std::uint64_t> ConsoleReader::BeginOfLine(std::uint64_t offset, std::size_t most) const {
  const std::uint64_t first = offset - std::min<std::uint64_t>(offset, most);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string text,
                             Read(first, static_cast<std::size_t>(offset - first)));
  const std::size_t line_end = text.rfind('\n');
  const std::uint64_t begin = line_end == text.npos ? first : first + line_end + 1;
  return offset - begin < most ? begin : offset;  // A piece of a line begins anywhere.
}

Result<ConsolePart> ConsoleReader::From(std::uint64_t offset, std::size_t most) const {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file_->Size());
  ConsolePart part;
  SIGHTLINE_ASSIGN_OR_RETURN(part.begin, BeginOfLine(std::min(offset, size), most));
  SIGHTLINE_ASSIGN_OR_RETURN(part.bytes, Read(part.begin, most));
  const std::size_t line_end = part.bytes.rfind('\n');
  const bool is_cut = part.begin + part.bytes.size() < size;
  if (is_cut && line_end != part.bytes.npos) part.bytes.resize(line_end + 1);
  part.end = part.begin + part.bytes.size();
  return part;
}

Result<ConsolePart> ConsoleReader::Before(std::uint64_t offset, std::size_t most) const {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file_->Size());
  ConsolePart part;
  SIGHTLINE_ASSIGN_OR_RETURN(part.end, BeginOfLine(std::min(offset, size), most));
  part.begin = part.end - std::min<std::uint64_t>(part.end, most);
  SIGHTLINE_ASSIGN_OR_RETURN(part.bytes,
                             Read(part.begin, static_cast<std::size_t>(part.end - part.begin)));
  const std::size_t line_end = part.bytes.find('\n');
  if (part.begin > 0 && line_end != part.bytes.npos && line_end + 1 < part.bytes.size()) {
    part.begin += line_end + 1;
    part.bytes.erase(0, line_end + 1);
  }
  return part;
}

Result<ConsolePart> ConsoleReader::Around(std::uint64_t offset, std::size_t most, int lines) const {
  SIGHTLINE_ASSIGN_OR_RETURN(const ConsolePart before, Before(offset, most));
  SIGHTLINE_ASSIGN_OR_RETURN(const ConsolePart after, From(before.end, most));
  std::size_t begin = before.bytes.size();
  for (int i = 0; i < lines && begin > 0; ++i) {
    const std::size_t line_end =
        begin < 2 ? before.bytes.npos : before.bytes.rfind('\n', begin - 2);
    begin = line_end == before.bytes.npos ? 0 : line_end + 1;
  }
  std::size_t end = 0;
  for (int i = 0; i < lines && end < after.bytes.size(); ++i)
    end = std::min(after.bytes.find('\n', end), after.bytes.size() - 1) + 1;
  return ConsolePart{before.begin + begin, after.begin + end,
                     before.bytes.substr(begin) + after.bytes.substr(0, end)};
}

Result<ConsoleReader::Found> ConsoleReader::FindAfter(std::string_view text,
                                                      std::uint64_t offset) const {
  SIGHTLINE_RETURN_IF_ERROR(CheckText(text));
  const std::string wanted = LowerCase(text);
  Found found{std::nullopt, offset};
  if (wanted.empty()) return found;
  while (found.searched_to - offset < kMostSearched) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string piece, Read(found.searched_to, kPiece));
    if (const std::size_t at = LowerCase(piece).find(wanted); at != piece.npos) {
      found.offset = found.searched_to + at;
      return found;
    }
    if (piece.size() < kPiece) {  // The end.
      found.searched_to += piece.size();
      return found;
    }
    found.searched_to += piece.size() - (wanted.size() - 1);
  }
  return found;
}

Result<ConsoleReader::Found> ConsoleReader::FindBefore(std::string_view text,
                                                       std::uint64_t offset) const {
  SIGHTLINE_RETURN_IF_ERROR(CheckText(text));
  const std::string wanted = LowerCase(text);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file_->Size());
  const std::uint64_t start = std::min(offset, size);
  Found found{std::nullopt, start};
  if (wanted.empty()) return found;
  while (found.searched_to > 0 && start - found.searched_to < kMostSearched) {
    const std::uint64_t begin =
        found.searched_to - std::min<std::uint64_t>(found.searched_to, kPiece);
    // A place that begins in this piece may end in the next one.
    const auto bytes = static_cast<std::size_t>(found.searched_to - begin) + wanted.size() - 1;
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string piece, Read(begin, bytes));
    if (const std::size_t at = LowerCase(piece).rfind(wanted); at != piece.npos) {
      found.offset = begin + at;
      return found;
    }
    found.searched_to = begin;
  }
  return found;
}

}  // namespace sightline
