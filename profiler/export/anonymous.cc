#include "sightline/profiler/export/anonymous.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/ascii.h"
#include "sightline/base/json/foreign_json.h"
#include "sightline/base/json/json_line.h"

namespace sightline::profiler {
namespace {

using nlohmann::ordered_json;

// What a text is searched for, the first of these that matches at a place. Every rule has the group
// that is replaced, and groups for what is before and after it, as RE2 does not look around.
struct Rule {
  std::string_view kind;
  std::string_view pattern;
};

constexpr std::string_view kExtensions =
    "py|pyc|pyx|ipynb|so|cc|cpp|cxx|cu|cuh|hpp|sh|json|yaml|yml|toml|txt|csv|log|ckpt|safetensors|"
    "pth|npz|npy|pkl|onnx|mindir|exe|dll";

constexpr std::array<Rule, 8> kRules = {{
    {"address", R"(()([A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>]+)())"},
    {"user", R"(()([A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)())"},
    // From the root, a drive, a share, the home or the current folder. A path goes on after a space
    // if the next word has a separator, too.
    {"path", R"((^|[^\w.~/\\-])((?:[A-Za-z]:\\|\\\\|~[\w.-]*/|\.{1,2}/|/)[^\s"'<>|;,:()\[\]{}]+)"
             R"((?: [^\s"'<>|;,:()\[\]{}/\\]*[/\\][^\s"'<>|;,:()\[\]{}]*)*)())"},
    {"path", R"((^|[^\w./\\+-])((?:[\w.+-]+[/\\])*[\w.+-]*[\w+-]\.(?:EXTENSIONS)(?:\.[0-9.]+)?))"
             R"(($|[^\w.]))"},
    {"path", R"((^|[^\w./\\+-])((?:[\w.+-]+[/\\])+[\w.+-]*\.(?:c|h|pt|bin|db))($|[^\w.]))"},
    {"address", R"((^|[^\w.])([0-9]{1,3}(?:\.[0-9]{1,3}){3}(?::[0-9]+)?)($|[^\w.]))"},
    // IPv6 and MAC.
    {"address",
     R"((^|[^\w:])((?:[0-9A-Fa-f]{1,4}:){3,7}[0-9A-Fa-f]{1,4}|[0-9A-Fa-f]{4}:(?::|[0-9A-Fa-f:]+))"
     R"([0-9A-Fa-f:]*(?:%\w+)?)($|[^\w:]))"},
    {"host",
     R"((^|[^\w.-])([\w-]+(?:\.[\w-]+)*\.(?:com|net|org|edu|gov|cn|lan|local|localdomain|internal)"
     R"(|corp)(?::[0-9]+)?)($|[^\w.]))"},
}};

// Words of keys whose texts stay: they describe operators and tasks.
constexpr std::string_view kKept[] = {
    "type", "dim",   "shape", "stride", "format", "input",  "output",   "kernel",    "core",
    "op",   "name",  "stack", "device", "stream", "block",  "memory",   "transport", "group",
    "link", "plane", "phase", "mode",   "level",  "reduce", "algorithm"};
constexpr std::string_view kHosts[] = {"host", "hostname",  "host_name",
                                       "node", "node_name", "machine"};
constexpr std::string_view kUsers[] = {"user", "username", "user_name", "login", "owner"};

bool IsOneOf(std::string_view key, std::span<const std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](std::string_view one) {
    return key.size() == one.size() && ContainsIgnoringCase(key, one);
  });
}

bool IsKept(std::string_view key) {
  return std::any_of(std::begin(kKept), std::end(kKept),
                     [&](std::string_view word) { return ContainsIgnoringCase(key, word); });
}

bool IsWordByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

bool HasLetter(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

class Anonymizer {
 public:
  explicit Anonymizer(Profile& profile) : profile_(profile), model_(profile.model) {
    for (const Rule& rule : kRules) {
      std::string pattern(rule.pattern);
      const std::size_t at = pattern.find("EXTENSIONS");
      if (at != std::string::npos)
        pattern.replace(at, std::string_view("EXTENSIONS").size(), kExtensions);
      patterns_.push_back(std::make_unique<RE2>(pattern, RE2::Quiet));
    }
  }

  void Run() {
    CollectNames();
    ReplaceTexts();
    model_.attributes.clear();
  }

 private:
  // --- Which users and hosts there are ---

  void CollectNames() {
    // The folders of torch_npu and MindSpore: <host>_<process>_<time>_ascend_ms.
    static const RE2 folder(R"(([^/]+)_[0-9]+_[0-9]+_ascend_(?:ms|pt)(?:/|$))");
    std::string host;
    if (RE2::PartialMatch(profile_.path, folder, &host)) Know(host, "host");
    for (const auto& [key, text] : model_.attributes) CollectFrom(key, text);
    for (std::size_t i = 1; i < model_.names.size(); ++i)
      CollectFrom("", model_.names[static_cast<NameId>(i)]);
  }

  void CollectFrom(std::string_view key, std::string_view text) {
    static const RE2 home(R"((?:/home/|/Users/|\\Users\\|/data/home/)([\w.-]+))");
    re2::StringPiece rest(text.data(), text.size());
    std::string user;
    while (RE2::FindAndConsume(&rest, home, &user)) Know(user, "user");
    if (IsOneOf(key, kHosts)) Know(text, "host");
    if (IsOneOf(key, kUsers)) Know(text, "user");
    if (!text.starts_with('{') && !text.starts_with('[')) return;
    const auto json = ParseForeignJson<ordered_json>(text);
    if (!json.is_discarded()) CollectFrom(json);
  }

  void CollectFrom(const ordered_json& json) {
    if (!json.is_structured()) return;
    for (const auto& [key, value] : json.items()) {
      if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (json.is_object() && IsOneOf(key, kHosts)) Know(text, "host");
        if (json.is_object() && IsOneOf(key, kUsers)) Know(text, "user");
      }
      CollectFrom(value);
    }
  }

  void Know(std::string_view name, std::string_view kind) {
    constexpr std::size_t kLeast = 3;  // A shorter one could be a part of anything.
    if (name.size() < kLeast || !HasLetter(name) || name == "root" || name == "localhost") return;
    known_.emplace(name, kind);
    if (kind == "host" && name.find('.') != std::string_view::npos)
      Know(name.substr(0, name.find('.')), kind);
  }

  // --- Replacing ---

  // "file3.py", "host1": the same for the same text.
  const std::string& Replacement(std::string_view kind, std::string_view text) {
    std::string& replacement = replacements_[std::string(kind)][std::string(text)];
    if (!replacement.empty()) return replacement;
    const std::size_t number = replacements_[std::string(kind)].size();
    static const RE2 with_extension(R"((\.[A-Za-z]{1,11})(?:\.[0-9.]+)?$)");
    std::string extension;
    const bool is_file =
        kind == "path" &&
        RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), with_extension, &extension);
    replacement = (is_file ? "file" : std::string(kind)) + std::to_string(number) + extension;
    return replacement;
  }

  // What a rule found: the whole match, what is before the name, the name, what is after it.
  using Found = std::array<re2::StringPiece, 4>;

  std::string Scan(std::string_view text) {
    const re2::StringPiece whole(text.data(), text.size());
    std::array<Found, kRules.size()> found{};
    std::array<bool, kRules.size()> ended{};
    std::string out;
    std::size_t at = 0;
    const auto begin_of = [&](const Found& one) {
      return static_cast<std::size_t>(one[2].data() - text.data());
    };
    while (true) {
      std::size_t first = kRules.size();
      for (std::size_t i = 0; i < kRules.size(); ++i) {
        // A rule searches again only from behind what it found, so that the time is linear.
        const bool is_past = found.at(i)[2].data() == nullptr || begin_of(found.at(i)) < at;
        if (!ended.at(i) && is_past) {
          ended.at(i) =
              !patterns_[i]->Match(whole, at, text.size(), RE2::UNANCHORED, found.at(i).data(), 4);
        }
        if (ended.at(i)) continue;
        if (first == kRules.size() || begin_of(found.at(i)) < begin_of(found.at(first))) first = i;
      }
      if (first == kRules.size()) return out + ReplaceKnown(text.substr(at));
      const re2::StringPiece name = found.at(first)[2];
      out += ReplaceKnown(text.substr(at, begin_of(found.at(first)) - at));
      out += Replacement(kRules.at(first).kind, std::string_view(name.data(), name.size()));
      at = begin_of(found.at(first)) + name.size();
    }
  }

  // Replaces the users and hosts that are known, where they are words.
  std::string ReplaceKnown(std::string_view text) {
    if (known_.empty()) return std::string(text);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && IsWordByte(text[end])) ++end;
      if (end == at) {
        out += text[at++];
        continue;
      }
      out += ReplaceWord(text.substr(at, end - at));
      at = end;
    }
    return out;
  }

  // A word, or else its parts between "_", "-" and ".".
  std::string ReplaceWord(std::string_view word) {
    if (const auto known = known_.find(word); known != known_.end())
      return Replacement(known->second, word);
    std::string out;
    for (std::size_t at = 0; at < word.size();) {
      std::size_t end = at;
      while (end < word.size() && std::isalnum(static_cast<unsigned char>(word[end])) != 0) ++end;
      if (end == at) {
        out += word[at++];
        continue;
      }
      const std::string_view part = word.substr(at, end - at);
      const auto known = known_.find(part);
      out += known == known_.end() ? std::string(part) : Replacement(known->second, part);
      at = end;
    }
    return out;
  }

  // `key`: that of the text in its object; `kept`: a key around it keeps its texts.
  ordered_json Arguments(const ordered_json& json, std::string_view key, bool kept) {
    if (json.is_string()) {
      const auto& text = json.get_ref<const std::string&>();
      if (IsOneOf(key, kHosts)) return Replacement("host", text);
      if (IsOneOf(key, kUsers)) return Replacement("user", text);
      return kept || !HasLetter(text) ? Scan(text) : Replacement("text", text);
    }
    if (!json.is_structured()) return json;
    ordered_json out = json.is_object() ? ordered_json::object() : ordered_json::array();
    for (const auto& [name, value] : json.items()) {
      if (json.is_object()) {
        out[Scan(name)] = Arguments(value, name, IsKept(name));
      } else {
        out.push_back(Arguments(value, key, kept));
      }
    }
    return out;
  }

  std::string Detail(std::string_view text) {
    const auto json = ParseForeignJson<ordered_json>(text);
    if (json.is_object()) return JsonLine(Arguments(json, "", false));
    return HasLetter(text) ? Replacement("text", text) : Scan(text);
  }

  // --- The model's texts ---

  NameId New(NameId id) {
    NameId& mapped = names_[static_cast<std::uint32_t>(id)];
    if (mapped == kNoName && id != kNoName) mapped = pool_.Intern(Scan(model_.names[id]));
    return mapped;
  }
  NameId NewDetail(NameId id) {
    NameId& mapped = details_[static_cast<std::uint32_t>(id)];
    if (mapped == kNoName && id != kNoName) mapped = pool_.Intern(Detail(model_.names[id]));
    return mapped;
  }

  void ReplaceTexts() {
    names_.resize(model_.names.size());
    details_.resize(model_.names.size());
    for (Lane& lane : model_.lanes) {
      for (NameId* id :
           {&lane.process, &lane.thread, &lane.process_name, &lane.thread_name, &lane.labels})
        *id = New(*id);
    }
    for (NameId& id : model_.spans.name) id = New(id);
    for (NameId& id : model_.spans.type) id = New(id);
    for (NameId& id : model_.spans.category) id = New(id);
    for (NameId& id : model_.spans.detail) id = NewDetail(id);
    for (Instant& instant : model_.instants) {
      instant.name = New(instant.name);
      instant.detail = NewDetail(instant.detail);
    }
    for (Counter& counter : model_.counters) counter.name = New(counter.name);
    for (FlowPoint& point : model_.flows) {
      point.id = New(point.id);
      point.name = New(point.name);
    }
    model_.names = std::move(pool_);
  }

  Profile& profile_;
  Model& model_;
  std::vector<std::unique_ptr<RE2>> patterns_;
  std::map<std::string, std::string, std::less<>> known_;  // Users and hosts, and which it is.
  std::map<std::string, std::map<std::string, std::string>> replacements_;  // By kind and text.
  NamePool pool_;
  std::vector<NameId> names_, details_;  // By the old id.
};

}  // namespace

Model Anonymize(Profile profile) {
  Anonymizer(profile).Run();
  return std::move(profile.model);
}

}  // namespace sightline::profiler
