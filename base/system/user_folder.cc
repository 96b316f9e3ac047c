#include "sightline/base/system/user_folder.h"

#include <pwd.h>
#include <unistd.h>

#include "sightline/base/system/environment.h"

namespace sightline {
namespace {

Result<std::string> UserFolder(const char* variable, const char* below_home) {
  const std::string given = EnvironmentVariable(variable);
  if (given.starts_with('/')) return given + "/sightline";
  std::string home = EnvironmentVariable("HOME");
  if (!home.starts_with('/')) {
    const passwd* const user = getpwuid(geteuid());  // NOLINT(concurrency-mt-unsafe)
    home = user == nullptr || user->pw_dir == nullptr ? "" : user->pw_dir;
  }
  if (!home.starts_with('/')) {
    return Error(StatusCode::kNotFound, std::string("no home directory; set ") + variable);
  }
  return home + "/" + below_home + "/sightline";
}

}  // namespace

Result<std::string> UserStateFolder() { return UserFolder("XDG_STATE_HOME", ".local/state"); }

Result<std::string> UserConfigFolder() { return UserFolder("XDG_CONFIG_HOME", ".config"); }

}  // namespace sightline
