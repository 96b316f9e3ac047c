#include "sightline/recorder/reading/session_search.h"

#include <algorithm>
#include <string_view>

#include "sightline/recorder/framing/file_name.h"

namespace sightline {
namespace {

// What a Recorder gives itself: 128 bits. No recorder of ours wrote a file that names another id,
// and the id would be copied into the journal and the files of the session that continues it.
bool IsSessionId(std::string_view id) {
  return id.size() == 32 && id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::optional<Session> ReadSession(EventReader& reader) {
  if (reader.Next() != ReadOutcome::kRecord || reader.event().session.empty()) return std::nullopt;
  auto session = DecodeSession(reader.event().session);
  if (!session || session->session_id.empty()) return std::nullopt;
  return *std::move(session);
}

std::string FindNewestSession(FileSystem& file_system, const std::string& directory, int rank,
                              const std::vector<std::string>& live) {
  const auto listed = file_system.List(directory);
  if (!listed) return "";
  std::vector<std::string> names;
  std::copy_if(listed->begin(), listed->end(), std::back_inserter(names),
               [](const std::string& name) { return ParseEventFileName(name).has_value(); });
  std::sort(names.begin(), names.end(),
            [](const std::string& a, const std::string& b) { return ReadsBefore(b, a); });
  for (const std::string& name : names) {
    const auto reader = EventReader::Open(file_system, JoinPath(directory, name));
    const auto session = reader ? ReadSession(**reader) : std::nullopt;
    if (!session || session->rank != rank || !IsSessionId(session->session_id)) continue;
    if (std::find(live.begin(), live.end(), session->session_id) == live.end())
      return session->session_id;
  }
  return "";
}

}  // namespace sightline
