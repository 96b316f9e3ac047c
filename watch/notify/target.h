// Target: where messages go, as its user defined it (docs/watch.md, "Being told elsewhere").
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const Target target, ReadTarget("team", path, roots));
//
// A target holds secrets: its URL is one itself, and so is the name of its host in some companies.
// No message of this room shows anything of a target but its name and its kind. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"

namespace sightline::watch {

enum class TargetKind : std::uint8_t { kCommand, kJson, kSlack, kFeishu, kDingTalk, kWeCom, kMail };

// "command", "json", "slack", ...
std::string_view TargetKindName(TargetKind kind);

struct Target {
  std::string name;
  TargetKind kind = TargetKind::kJson;
  std::vector<std::string> command = {};  // The program and its arguments.
  std::string url = {};                   // https: or http:; of mail, smtps: or smtp:.
  std::string secret = {};                // With which messages are signed; may be empty.
  std::string authorization = {};         // A header of HTTP; may be empty.
  std::string certificates = {};          // A file of further trusted certificates; may be empty.
  std::string user = {};                  // Of mail; may be empty.
  std::string password = {};
  std::string from = {};
  std::vector<std::string> to = {};
};

// $XDG_CONFIG_HOME/sightline/notify.json, or ~/.config/sightline/notify.json.
Result<std::string> DefaultTargetsPath();

// The target called `name` of the file `path`; or, if the name is "env:VARIABLE", the one that is
// in this variable: as JSON, or its URL alone.
//
// kPermissionDenied if others may read or write the file, or if it lies below one of `roots`, whose
// files are shown to others. kNotFound if there is no such file, target or variable.
// kInvalidArgument, naming the member, if the target is not valid.
Result<Target> ReadTarget(const std::string& name, const std::string& path,
                          const std::vector<std::string>& roots);

}  // namespace sightline::watch
