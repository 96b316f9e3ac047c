#include "sightline/collectors/facts/facts_writer.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "sightline/base/background_thread.h"
#include "sightline/base/system/environment.h"
#include "sightline/collectors/facts/run_facts.h"

namespace sightline {
namespace {

std::vector<std::string> CommandOfProcess() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> command;
  for (std::string argument; std::getline(file, argument, '\0');) command.push_back(argument);
  return command;
}

struct Session {
  std::string directory;
  std::string id;
  std::string working_directory;
  std::vector<std::string> variables;
};

void Keep(const Session& session) {
  try {
    const nlohmann::ordered_json facts =
        SessionFacts(session.working_directory, CommandOfProcess(), session.variables);
    (void)KeepRunFacts(session.directory, session.id, facts.dump()).ok();
  } catch (...) {  // NOLINT(bugprone-empty-catch): a training goes on without them.
  }
}

}  // namespace

FactsWriter::FactsWriter(const std::string& directory, const std::string& session_id) {
  std::error_code none;
  Session session = {directory, session_id, std::filesystem::current_path(none).string(),
                     EnvironmentVariables()};
  auto started = StartBackgroundThread("sl-facts", [its = std::move(session)] { Keep(its); });
  if (started) thread_ = *std::move(started);
}

FactsWriter::~FactsWriter() {
  if (!thread_.joinable()) return;
  if (process_ == getpid()) {
    thread_.join();
  } else {
    thread_.detach();  // It does not exist here, so nobody can wait for it.
  }
}

}  // namespace sightline
