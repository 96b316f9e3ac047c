// What a program runs on: its command, directory, commit, host and devices. One file of a session
// has it, beside the event files; docs/runs.md describes the keys, which are lineage under names
// run.*. Secrets are left out (base/pattern/secrets.h), and so is what cannot be found.
//
// Plain functions, callable from any thread. They start git, read files of the system, and take up
// to a second; they never fail.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"

namespace sightline {

struct RunFactsOptions {
  // For the hash of what differs from the commit. None: it is left out.
  std::function<std::string(std::string_view bytes)> sha256_hex = {};
  // The folder that has proc, dev and usr; tests have another one.
  std::string root = {};
};

// What is the same for all sessions of a process: "directory", "command", "git", and the machine.
nlohmann::ordered_json RunFacts(const std::string& working_directory,
                                const std::vector<std::string>& command,
                                const RunFactsOptions& options = {});

// The same with "env": what LauncherVariables keeps of these variables, if that is anything.
nlohmann::ordered_json SessionFacts(const std::string& working_directory,
                                    const std::vector<std::string>& command,
                                    const std::vector<std::string>& variables,
                                    const RunFactsOptions& options = {});

// Of variables ("NAME=value"), those that say how a training was launched, by their names.
nlohmann::ordered_json LauncherVariables(const std::vector<std::string>& variables);

// Writes the file of a session, which only its owner may read. `facts`: a JSON object.
// kAlreadyExists if there is such a file.
Status KeepRunFacts(const std::string& directory, const std::string& session_id,
                    std::string_view facts);

}  // namespace sightline
