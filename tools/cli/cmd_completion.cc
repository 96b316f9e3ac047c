// sightline completion: what completes the command line, made from the table that --help prints.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sightline/tools/cli/commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"

namespace sightline {
namespace {

constexpr char kHelp[] =
    R"text(Prints a script with which bash completes verbs, options and their values.

For this shell: eval "$(sightline completion bash)". For all: put that line into ~/.bashrc.
)text";

constexpr char kExamples[] = R"text(Examples:
  sightline completion bash
  eval "$(sightline completion bash)"        for this shell

Exit codes: 0 printed, 2 another shell than bash, or not printed.)text";

// `path` is the verbs so far, a blank before each; `before`, the word in front.
constexpr char kBegin[] = R"bash(_sightline() {
  local word=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) before path= verbs= options= values= i
  if [ "$word" = = ]; then
    word=
  elif [ "${COMP_WORDS[at]}" = = ]; then
    at=$((at - 1))
  fi
  before=${COMP_WORDS[at]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path ${COMP_WORDS[i]}" in
)bash";

constexpr char kEnd[] = R"bash(  esac
  COMPREPLY=()
  case " $files " in *" $before "*) return ;; esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [ -n "$verbs" ]; then
    COMPREPLY=($(compgen -W "$verbs" -- "$word"))
  fi
}
complete -o default -F _sightline sightline
)bash";

// A verb, or the program itself: what may follow it.
struct Verb {
  std::string path;  // " ir info"
  std::vector<std::string> verbs;
  std::vector<std::string> options;
  std::vector<std::string> files;  // Options that take a value of no fixed set.
  // Options that take one of some words, and the words.
  std::vector<std::pair<std::string, std::string>> choices;
};

// The words of a set of allowed values: "TEXT:{csv,jsonl}" has "csv jsonl".
std::string ChoicesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return "";
  std::string words = type.substr(begin + 1, end - begin - 1);
  for (char& c : words) c = c == ',' ? ' ' : c;
  return words;
}

void AddOptions(const CLI::App& app, Verb& verb) {
  for (const CLI::Option* option : app.get_options()) {
    std::vector<std::string> names;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    const std::string choices = ChoicesOf(*option);
    for (const std::string& name : names) {
      verb.options.push_back(name);
      if (option->get_items_expected_max() == 0) continue;  // A flag.
      if (choices.empty()) {
        verb.files.push_back(name);
      } else {
        verb.choices.emplace_back(name, choices);
      }
    }
    // A positional one of a fixed set completes as a verb does.
    if (names.empty() && !choices.empty()) verb.verbs.push_back(choices);
  }
}

void AddVerbs(const CLI::App& app, const std::string& path, std::vector<Verb>& verbs) {
  Verb verb{path, {}, {}, {}, {}};
  AddOptions(app, verb);
  std::vector<Verb> below;
  for (const CLI::App* part : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (part->get_name().empty()) {  // A group of options.
      AddOptions(*part, verb);
      continue;
    }
    verb.verbs.push_back(part->get_name());
    AddVerbs(*part, path + " " + part->get_name(), below);
  }
  verbs.push_back(std::move(verb));
  verbs.insert(verbs.end(), below.begin(), below.end());
}

std::string BashCompletion(const CLI::App& app) {
  std::vector<Verb> verbs;
  AddVerbs(app, "", verbs);
  std::string script = kBegin;
  for (const Verb& verb : verbs) {
    if (!verb.path.empty()) script += fmt::format("      \"{0}\") path=\"{0}\" ;;\n", verb.path);
  }
  script += "    esac\n  done\n  local files=\n  case \"$path\" in\n";
  for (const Verb& verb : verbs) {
    script += fmt::format("    \"{}\")\n      verbs=\"{}\" options=\"{}\" files=\"{}\"\n",
                          verb.path, fmt::join(verb.verbs, " "), fmt::join(verb.options, " "),
                          fmt::join(verb.files, " "));
    if (!verb.choices.empty()) {
      script += "      case \"$before\" in\n";
      for (const auto& [name, words] : verb.choices)
        script += fmt::format("        {}) values=\"{}\" ;;\n", name, words);
      script += "      esac\n";
    }
    script += "      ;;\n";
  }
  return script + kEnd;
}

}  // namespace

void AddCompletionCommand(CLI::App& app, int& exit_code) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", kHelp);
  command->footer(kExamples);
  command->add_option("SHELL", *shell, "bash")->required()->check(CLI::IsMember({"bash"}));
  command->callback([shell, &app, &exit_code] {
    std::fputs(BashCompletion(app).c_str(), stdout);
    exit_code = kExitOk;
  });
}

}  // namespace sightline
