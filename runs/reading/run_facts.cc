#include "sightline/runs/reading/run_facts.h"

#include <algorithm>

#include "sightline/runs/reading/literal_settings.h"
#include "sightline/runs/source/run_directories.h"

namespace sightline {

std::string ReadFactsFile(FileSystem& file_system, const std::string& path) {
  const auto file = file_system.OpenForRead(path);
  const auto size = file ? (*file)->Size() : Result<std::uint64_t>(Error(file.error()));
  if (!size || *size > kMostFactBytes) return {};
  std::string text(static_cast<std::size_t>(*size), '\0');
  const auto got = (*file)->ReadAt(0, text);
  if (!got) return {};
  text.resize(*got);
  return text;
}

void AddRunFacts(FileSystem& file_system, const std::string& directory,
                 std::span<const RunSession> sessions, const std::vector<std::string>& with_facts,
                 RunLineage& lineage) {
  const Session* chosen = nullptr;
  for (const RunSession& run_session : sessions) {
    const Session& session = run_session.session;
    if (std::find(with_facts.begin(), with_facts.end(), session.session_id) == with_facts.end())
      continue;
    if (chosen == nullptr || session.rank <= chosen->rank) chosen = &session;
  }
  if (chosen == nullptr) return;
  const std::string name = kRunFactsPrefix + chosen->session_id + kRunFactsSuffix;
  const std::string text = ReadFactsFile(file_system, JoinPath(directory, name));
  if (IsDict(text)) AddSettings("run", text, lineage);
}

}  // namespace sightline
