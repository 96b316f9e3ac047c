#include "sightline/profiler/import/source/file_kind.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sightline::profiler {
namespace {

constexpr std::string_view kUtf16 =
    "it is text in UTF-16: convert it with iconv -f UTF-16 -t UTF-8";
constexpr std::string_view kZlib =
    "it is compressed by zlib, without the header of gzip: unpack it with pigz -dz";

constexpr auto kKinds = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"version https://git-lfs.github.com",
     "it is a pointer of Git LFS: fetch the file itself with git lfs pull"},
    {"\xff\xfe", kUtf16},
    {"\xfe\xff", kUtf16},
    {"PK\x03\x04", "it is a zip archive: unpack it"},
    {"\x1f\x8b", "it was compressed by gzip twice: unpack it once with gunzip"},
    {"\x28\xb5\x2f\xfd", "it is compressed by zstd: unpack it with unzstd"},
    {"\xfd\x37zXZ", "it is compressed by xz: unpack it with unxz"},
    {"BZh", "it is compressed by bzip2: unpack it with bunzip2"},
    {"x\x01", kZlib},
    {"x\x9c", kZlib},
    {"x\xda", kZlib},
});

}  // namespace

std::string_view KindOfFile(std::string_view begin) {
  begin.remove_prefix(std::min(begin.find_first_not_of(" \t\r\n"), begin.size()));
  if (begin.empty()) return "it is empty";
  for (const auto& [magic, kind] : kKinds)
    if (begin.starts_with(magic)) return kind;
  if (begin.front() == '<') return "it is a page of HTML or XML, perhaps of a download that failed";
  return {};
}

}  // namespace sightline::profiler
