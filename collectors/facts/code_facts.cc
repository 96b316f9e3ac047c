#include "sightline/collectors/facts/code_facts.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "sightline/base/pattern/secrets.h"
#include "sightline/base/system/program_output.h"
#include "sightline/base/text/shell_word.h"
#include "sightline/base/utf8.h"

namespace sightline {
namespace {

constexpr std::size_t kMostNames = 100;
constexpr std::size_t kMostDiffBytes = std::size_t{64} << 20U;

class Git {
 public:
  explicit Git(std::string folder) : folder_(std::move(folder)) {}

  std::optional<std::string> Output(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"git", "-c", "core.fsmonitor=false", "-C", folder_});
    return OutputOfProgram(arguments, {"GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"},
                           {.bytes = kMostDiffBytes});
  }
  // Without the ends of lines around it; empty if the command fails.
  std::string Line(std::vector<std::string> arguments) const {
    std::string text = Output(std::move(arguments)).value_or("");
    while (text.ends_with('\n')) text.pop_back();
    return text;
  }

 private:
  std::string folder_;
};

std::string Shown(const std::string& text) { return ToUtf8(HideSecrets(text)); }

// Of the lines of `git status --porcelain`, such as " M train.py".
std::string NamesOf(const std::string& status) {
  constexpr std::size_t kBeforeName = 3;
  std::string names;
  std::size_t count = 0;
  for (std::size_t at = 0; at < status.size() && count < kMostNames; ++count) {
    const std::size_t end = std::min(status.find('\n', at), status.size());
    const std::string line = status.substr(at, end - at);
    if (line.size() > kBeforeName)
      names += (names.empty() ? "" : " ") + ShellWord(line.substr(kBeforeName));
    at = end + 1;
  }
  return names;
}

}  // namespace

nlohmann::ordered_json CodeFacts(const std::string& folder, const RunFactsOptions& options) {
  const Git git(folder);
  const std::string commit = git.Line({"rev-parse", "HEAD"});
  if (commit.empty()) return nullptr;
  nlohmann::ordered_json facts = {{"commit", ToUtf8(commit)}};
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) facts[key] = Shown(text);
  };
  add("branch", git.Line({"rev-parse", "--abbrev-ref", "HEAD"}));
  add("remote", git.Line({"remote", "get-url", "origin"}));
  const auto changed = git.Output({"status", "--porcelain", "--untracked-files=no"});
  if (!changed) return facts;
  facts["differs"] = !changed->empty();
  if (changed->empty()) return facts;
  add("changed", NamesOf(*changed));
  const auto diff = git.Output({"diff", "HEAD", "--no-color", "--no-ext-diff"});
  if (diff && options.sha256_hex) facts["diff_sha256"] = options.sha256_hex(*diff);
  return facts;
}

}  // namespace sightline
