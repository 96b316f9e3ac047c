#include "sightline/runs/model/run_sessions.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace sightline {
namespace {

using Step = std::optional<std::int64_t>;

void Lower(Step& limit, const Step& to) {
  if (to) limit = std::min(limit.value_or(*to), *to);
}

}  // namespace

RunSessions ResolveSessions(const std::vector<std::optional<Session>>& files) {
  RunSessions run;
  std::unordered_map<std::string_view, std::size_t> positions;  // Positions of the sessions, by id.
  std::vector<Step> resumes(files.size());  // Where the session resumes that begins in a file.
  std::vector<Step> limits;                 // For a session, and those of its rank before it.
  for (std::size_t file = 0; file < files.size(); ++file) {
    if (!files[file]) continue;
    const Session& session = *files[file];
    if (!positions.try_emplace(session.session_id, run.sessions.size()).second) continue;
    run.sessions.push_back({session});
    limits.emplace_back();
    resumes[file] = session.resume_from_step;
    const auto continued = positions.find(session.continues_session);
    if (continued == positions.end() || continued->second + 1 == limits.size() ||
        run.sessions[continued->second].session.rank != session.rank)
      continue;
    Lower(limits[continued->second], session.resume_from_step);
  }
  std::unordered_map<std::int32_t, Step> of_rank;
  for (std::size_t i = run.sessions.size(); i-- > 0;) {
    Step& limit = of_rank[run.sessions[i].session.rank];
    Lower(limit, limits[i]);
    run.sessions[i].superseded_from = limit;
  }
  run.superseded_from.resize(files.size());
  Step of_others;
  for (std::size_t file = files.size(); file-- > 0;) {
    run.superseded_from[file] =
        files[file] ? run.sessions[positions.at(files[file]->session_id)].superseded_from
                    : of_others;
    Lower(of_others, resumes[file]);
  }
  return run;
}

}  // namespace sightline
