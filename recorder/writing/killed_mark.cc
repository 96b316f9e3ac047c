#include "sightline/recorder/writing/killed_mark.h"

#include <cstring>

namespace sightline {
namespace {

std::string PathOf(const std::string& directory, const std::string& session_id) {
  return JoinPath(directory, kKilledMarkPrefix + session_id);
}

}  // namespace

Status MarkKilled(FileSystem& file_system, const std::string& directory,
                  const std::string& session_id) {
  auto file = file_system.OpenForWrite(PathOf(directory, session_id), OpenMode::kCreateNew);
  if (!file && file.error().code() == StatusCode::kAlreadyExists) return {};
  if (!file) return file.error();
  return (*file)->Close();
}

Status RemoveKilledMark(FileSystem& file_system, const std::string& directory,
                        const std::string& session_id) {
  return file_system.Remove(PathOf(directory, session_id));
}

std::vector<std::string> KilledSessions(const std::vector<std::string>& entries) {
  std::vector<std::string> sessions;
  for (const std::string& entry : entries) {
    if (entry.starts_with(kKilledMarkPrefix))
      sessions.push_back(entry.substr(std::strlen(kKilledMarkPrefix)));
  }
  return sessions;
}

}  // namespace sightline
