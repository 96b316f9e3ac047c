#include "sightline/runs/source/foreign_file.h"

#include <algorithm>
#include <utility>

#include "sightline/recorder/framing/record_format.h"
#include "sightline/recorder/reading/event_reader.h"
#include "sightline/recorder/translation/translating_reader.h"

namespace sightline {
namespace {

using namespace std::string_view_literals;

// The first bytes of formats that are found beside event files, or in their place.
constexpr std::pair<std::string_view, std::string_view> kSignatures[] = {
    {"\x1f\x8b"sv, "gzip"},
    {"\x28\xb5\x2f\xfd"sv, "zstd"},
    {"\xfd"
     "7zXZ"sv,
     "xz"},
    {"BZh"sv, "bzip2"},
    {"PK\x03\x04"sv, "zip"},
    {"\x89PNG"sv, "PNG"},
    {"\xff\xd8\xff"sv, "JPEG"},
    {"GIF8"sv, "GIF"},
    {"%PDF"sv, "PDF"},
    {"\x89HDF"sv, "HDF5"},
    {"\x93NUMPY"sv, "NumPy"},
    {"SQLite format 3"sv, "SQLite"},
    {"\x7f"
     "ELF"sv,
     "a program"},
    {"b0VIM"sv, "a swap file of Vim"},
    {"\x00\x05\x16\x07"sv, "AppleDouble"},
    {"\x00\x05\x16\x00"sv, "AppleSingle"},
    {"version https://git-lfs"sv, "a pointer of Git LFS (git lfs pull gets the file)"},
    {"#!"sv, "a script"},
};

bool IsHtml(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  std::string begin(head.substr(0, 14));
  std::transform(begin.begin(), begin.end(), begin.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return begin.starts_with("<!doctype html") || begin.starts_with("<html");
}

// In ASCII or a charset that extends it.
bool IsText(std::string_view head) {
  return std::none_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7f || (byte < 0x20 && "\t\n\f\r\x1b"sv.find(c) == std::string_view::npos);
  });
}

}  // namespace

std::optional<std::string_view> ForeignType(std::string_view head) {
  if (head.size() >= kRecordHeaderSize && RecordLengthHolds(head.data())) return std::nullopt;
  if (BeginsTranslated(head)) return std::nullopt;
  for (const auto& [bytes, type] : kSignatures) {
    if (head.starts_with(bytes)) return type;
  }
  if (IsHtml(head)) return "an HTML page";
  // A record that is being written may end within its length.
  if (head.size() < kRecordLengthSize) return std::nullopt;
  if (IsText(head)) return "text";
  if (head.size() < kRecordHeaderSize) return std::nullopt;
  const bool zeros = std::all_of(head.begin(), head.end(), [](char c) { return c == '\0'; });
  return zeros ? std::nullopt : std::optional("unknown data"sv);
}

std::optional<std::string_view> ForeignTypeOf(FileSystem& file_system, const EventSource& source) {
  if (source.tail && !source.tail->payloads.empty()) return std::nullopt;
  auto file = file_system.OpenForRead(source.path);
  if (!file) return std::nullopt;
  char head[kForeignHead];
  const auto got = (*file)->ReadAt(0, head);
  if (!got) return std::nullopt;
  const auto type = ForeignType({head, *got});
  if (!type) return std::nullopt;
  EventReader events(*std::move(file), source.kind);
  return events.Next() == ReadOutcome::kEnd ? type : std::nullopt;
}

std::string ForeignNote(std::string_view type) { return "not an event file: " + std::string(type); }

}  // namespace sightline
