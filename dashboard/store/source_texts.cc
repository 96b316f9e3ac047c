#include "sightline/dashboard/store/source_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sightline::dashboard {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{4} << 20U;
constexpr std::size_t kMaxPath = 4096;
constexpr std::int64_t kAround = 10;
constexpr std::size_t kMaxLine = 2000;  // Bytes; what is longer is cut.

// `path` and its ends, the longest first: "a/b/c", "b/c", "c".
std::vector<std::string_view> EndsOf(std::string_view path) {
  std::vector<std::string_view> ends;
  for (std::size_t begin = path.find_first_not_of('/'); begin < path.size();) {
    ends.push_back(path.substr(begin));
    const std::size_t slash = path.find('/', begin);
    if (slash == std::string_view::npos) break;
    begin = path.find_first_not_of('/', slash);
  }
  return ends;
}

bool HasDots(std::string_view path) {
  const std::string text = fmt::format("/{}/", path);
  return text.find("/../") != std::string::npos || text.find("/./") != std::string::npos;
}

}  // namespace

Result<std::unique_ptr<SourceTexts>> SourceTexts::Open(
    const std::vector<std::string>& directories) {
  SIGHTLINE_ASSIGN_OR_RETURN(auto files, BeneathFileSystem::Open(directories, {}));
  return std::unique_ptr<SourceTexts>(new SourceTexts(std::move(files)));
}

Result<SourceLines> SourceTexts::Around(std::string_view path, std::int64_t line) const {
  if (path.empty() || path.size() > kMaxPath || HasDots(path)) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("'{}' is not the path of a source", path));
  }
  std::string found(path);
  auto file = files_->OpenForRead(found);
  const std::vector<std::string_view> ends = EndsOf(path);
  for (std::size_t i = 0; !file && i < ends.size(); ++i) {
    for (const std::string& root : files_->roots()) {
      found = JoinPath(root, ends[i]);
      file = files_->OpenForRead(found);
      if (file) break;
    }
  }
  if (!file) {
    return Error(StatusCode::kNotFound,
                 fmt::format("'{}' is not beneath a directory that --source-root names", path));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, (*file)->Size());
  if (size > kMaxBytes)
    return Error(StatusCode::kInvalidArgument, fmt::format("'{}' is too large for a source", path));
  std::string text(size, '\0');
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t read, (*file)->ReadAt(0, text));
  text.resize(read);
  if (text.find('\0') != std::string::npos)
    return Error(StatusCode::kInvalidArgument, fmt::format("'{}' is not a text", path));
  SourceLines lines{std::move(found), std::max<std::int64_t>(1, line - kAround), {}};
  std::int64_t number = 1;
  for (std::size_t begin = 0; begin < text.size() && number <= line + kAround; ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (number >= lines.first)
      lines.lines.push_back(text.substr(begin, std::min(end - begin, kMaxLine)));
    begin = end + 1;
  }
  return lines;
}

}  // namespace sightline::dashboard
