#include "sightline/watch/notify/target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "sightline/base/descriptor.h"
#include "sightline/base/json/foreign_json.h"
#include "sightline/base/system/environment.h"
#include "sightline/base/system/user_folder.h"

namespace sightline::watch {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20U;
constexpr std::string_view kFromEnvironment = "env:";

constexpr std::array<std::pair<TargetKind, std::string_view>, 7> kKinds = {{
    {TargetKind::kCommand, "command"},
    {TargetKind::kJson, "json"},
    {TargetKind::kSlack, "slack"},
    {TargetKind::kFeishu, "feishu"},
    {TargetKind::kDingTalk, "dingtalk"},
    {TargetKind::kWeCom, "wecom"},
    {TargetKind::kMail, "mail"},
}};

// The services whose addresses say what they are.
constexpr std::array<std::pair<std::string_view, TargetKind>, 5> kHosts = {{
    {"https://hooks.slack.com/", TargetKind::kSlack},
    {"https://open.feishu.cn/", TargetKind::kFeishu},
    {"https://open.larksuite.com/", TargetKind::kFeishu},
    {"https://oapi.dingtalk.com/", TargetKind::kDingTalk},
    {"https://qyapi.weixin.qq.com/", TargetKind::kWeCom},
}};

// What is wrong with a target. Names the target and the member, and never a value.
Error Fault(const std::string& name, std::string_view what) {
  return {StatusCode::kInvalidArgument, fmt::format("the target {}: {}", name, what)};
}

TargetKind KindOfUrl(std::string_view url) {
  for (const auto& [host, kind] : kHosts)
    if (url.starts_with(host)) return kind;
  return TargetKind::kJson;
}

// Whether a text can be in a header or an address without ending it.
bool IsLine(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

bool IsMailAddress(std::string_view text) {
  return IsLine(text) && text.find('@') != std::string_view::npos &&
         text.find_first_of(" <>,;\"") == std::string_view::npos;
}

// Takes the members of one target apart.
class TargetReader {
 public:
  TargetReader(const std::string& name, const nlohmann::json& json) : json_(json) {
    target_.name = name;
  }

  Result<Target> Read() {
    if (!json_.is_object()) return Fault(target_.name, "it is not an object");
    SIGHTLINE_RETURN_IF_ERROR(ReadKind());
    SIGHTLINE_RETURN_IF_ERROR(ReadTexts());
    SIGHTLINE_RETURN_IF_ERROR(ReadList("command", target_.command));
    SIGHTLINE_RETURN_IF_ERROR(ReadList("to", target_.to));
    SIGHTLINE_RETURN_IF_ERROR(CheckNames());
    SIGHTLINE_RETURN_IF_ERROR(CheckKind());
    return target_;
  }

 private:
  Status ReadKind() {
    const std::string given = json_.value("kind", nlohmann::json("")).is_string()
                                  ? json_.value("kind", nlohmann::json("")).get<std::string>()
                                  : "?";
    const auto known = std::find_if(kKinds.begin(), kKinds.end(),
                                    [&](const auto& one) { return one.second == given; });
    if (known != kKinds.end()) {
      target_.kind = known->first;
      return {};
    }
    if (!given.empty() || !json_.contains("url") || !json_["url"].is_string()) {
      return Fault(target_.name,
                   "its kind is none of command, json, slack, feishu, dingtalk, wecom and mail");
    }
    target_.kind = KindOfUrl(json_["url"].get<std::string>());
    return {};
  }

  Status ReadTexts() {
    for (const auto& [key, text] : Texts()) {
      if (!json_.contains(key)) continue;
      if (!json_[key].is_string()) return Fault(target_.name, key + " is not a text");
      *text = json_[key].get<std::string>();
      if (!IsLine(*text)) return Fault(target_.name, key + " has a line break or another control");
    }
    return {};
  }

  Status ReadList(const std::string& key, std::vector<std::string>& list) const {
    if (!json_.contains(key)) return {};
    const auto& texts = json_[key];
    const bool good =
        texts.is_array() &&
        std::all_of(texts.begin(), texts.end(), [](const auto& one) { return one.is_string(); });
    if (!good) return Fault(target_.name, key + " is not a list of texts");
    list = texts.get<std::vector<std::string>>();
    return {};
  }

  // A misspelled secret would send messages without it.
  Status CheckNames() {
    for (const auto& [key, value] : json_.items()) {
      const auto texts = Texts();
      const bool known = key == "kind" || key == "command" || key == "to" ||
                         std::any_of(texts.begin(), texts.end(), [&, &name = key](const auto& one) {
                           return one.first == name;
                         });
      if (!known) return Fault(target_.name, "there is no member " + key);
    }
    return {};
  }

  Status CheckKind() const {
    const std::string& url = target_.url;
    switch (target_.kind) {
      case TargetKind::kCommand:
        if (target_.command.empty() || target_.command[0].empty())
          return Fault(target_.name, "command is missing: a list of a program and its arguments");
        return {};
      case TargetKind::kMail:
        if (!url.starts_with("smtps://") && !url.starts_with("smtp://"))
          return Fault(target_.name, "url must begin with smtps:// or smtp://");
        if (!IsMailAddress(target_.from)) return Fault(target_.name, "from is not an address");
        if (target_.to.empty() || !std::all_of(target_.to.begin(), target_.to.end(), IsMailAddress))
          return Fault(target_.name, "to is not a list of addresses");
        return {};
      case TargetKind::kJson:
      case TargetKind::kSlack:
      case TargetKind::kFeishu:
      case TargetKind::kDingTalk:
      case TargetKind::kWeCom:
        if (!url.starts_with("https://") && !url.starts_with("http://"))
          return Fault(target_.name, "url must begin with https:// or http://");
        return {};
    }
    return {};
  }

  std::array<std::pair<std::string, std::string*>, 7> Texts() {
    return {{{"url", &target_.url},
             {"secret", &target_.secret},
             {"authorization", &target_.authorization},
             {"certificates", &target_.certificates},
             {"user", &target_.user},
             {"password", &target_.password},
             {"from", &target_.from}}};
  }

  const nlohmann::json& json_;
  Target target_;
};

Result<Target> FromEnvironment(const std::string& name) {
  const std::string variable = name.substr(kFromEnvironment.size());
  const std::string value = EnvironmentVariable(variable.c_str());
  if (value.empty())
    return Error(StatusCode::kNotFound, fmt::format("the variable {} is not set", variable));
  auto json = ParseForeignJson<nlohmann::json>(value);
  if (!json.is_object()) json = {{"url", value}};
  return TargetReader(name, json).Read();
}

bool IsBelow(const std::string& path, const std::string& root) {
  std::error_code error;
  const auto real_path = std::filesystem::canonical(path, error);
  if (error) return false;
  const auto real_root = std::filesystem::canonical(root, error);
  if (error) return false;
  const auto [end, at] =
      std::mismatch(real_root.begin(), real_root.end(), real_path.begin(), real_path.end());
  return end == real_root.end();
}

// The file's text, if only its user can read and write it.
Result<std::string> ReadPrivate(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return Error(ErrnoStatus(path, errno));
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return Error(ErrnoStatus(path, errno));
  if (!S_ISREG(info.st_mode) || static_cast<std::size_t>(info.st_size) > kMostBytes)
    return Error(StatusCode::kInvalidArgument, path + ": is not a file of targets");
  if (info.st_uid != geteuid() || (info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Error(StatusCode::kPermissionDenied,
                 path + ": others may read it, or it is not yours; run: chmod 600 " + path);
  }
  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  const ssize_t got = pread(file.get(), text.data(), text.size(), 0);
  if (got < 0) return Error(ErrnoStatus(path, errno));
  text.resize(static_cast<std::size_t>(got));
  return text;
}

}  // namespace

std::string_view TargetKindName(TargetKind kind) {
  for (const auto& [known, name] : kKinds)
    if (known == kind) return name;
  return "unknown";
}

Result<std::string> DefaultTargetsPath() {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string folder, UserConfigFolder());
  return folder + "/notify.json";
}

Result<Target> ReadTarget(const std::string& name, const std::string& path,
                          const std::vector<std::string>& roots) {
  if (name.starts_with(kFromEnvironment)) return FromEnvironment(name);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string text, ReadPrivate(path));
  for (const std::string& root : roots) {
    if (!IsBelow(path, root)) continue;
    return Error(StatusCode::kPermissionDenied,
                 fmt::format("{}: lies below {}, whose files others may see; move it", path, root));
  }
  const auto json = ParseForeignJson<nlohmann::json>(text);
  if (!json.is_object())
    return Error(StatusCode::kInvalidArgument, path + ": is not a JSON object of targets");
  if (!json.contains(name)) {
    std::vector<std::string> names;
    names.reserve(json.size());
    for (const auto& [key, value] : json.items()) names.push_back(key);
    return Error(StatusCode::kNotFound,
                 fmt::format("{} has no target {}; it has {}", path, name,
                             names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  return TargetReader(name, json[name]).Read();
}

}  // namespace sightline::watch
