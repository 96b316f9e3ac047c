#include "sightline/profiler/import/source/read_source.h"

#include <utility>
#include <vector>

namespace sightline::profiler {
namespace {

constexpr std::size_t kMaxText = std::size_t{256} << 20U;

Status ReadAllText(ByteSource& source, std::string& text) {
  for (std::vector<char> buffer(std::size_t{1} << 18U);;) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t read, source.Read(buffer));
    if (read == 0) return {};
    if (read > kMaxText - text.size())
      return {StatusCode::kResourceExhausted, "the file is larger than 256 MB"};
    text.append(buffer.data(), read);
  }
}

}  // namespace

Status ReadSource(const ImportTarget& target, const std::string& path,
                  const std::function<Status(ByteSource&)>& read) {
  SourceFile file;
  file.path = path;
  const std::uint64_t events = target.builder.events_in();
  const std::uint64_t modelled = target.builder.events_modelled();
  if (const auto info = target.file_system.Stat(path)) file.bytes = info->size;
  auto source = OpenByteSource(target.file_system, path);
  file.status = source ? read(**source) : source.error();
  file.events = target.builder.events_in() - events;
  file.modelled = target.builder.events_modelled() - modelled;
  target.profile.files.push_back(file);
  return file.status;
}

Status ReadSourceLines(const ImportTarget& target, const std::string& path,
                       const std::function<void(ByteWindow&)>& read) {
  return ReadSource(target, path, [&](ByteSource& source) {
    ByteWindow window(source);
    read(window);
    return window.status();
  });
}

Status ReadSourceText(const ImportTarget& target, const std::string& path,
                      const std::function<Status(std::string_view)>& read) {
  return ReadSource(target, path, [&](ByteSource& source) -> Status {
    std::string text;
    SIGHTLINE_RETURN_IF_ERROR(ReadAllText(source, text));
    return read(text);
  });
}

}  // namespace sightline::profiler
