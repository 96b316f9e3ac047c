// Leaves secrets out of what is recorded of a program: out of its arguments, addresses and
// variables.
//
// A secret is known by its name (--token, api_key=), by its place (https://user:password@host) or
// by its form (ghp_...). One that has none of these is not found. Where it is unclear how far a
// secret goes, more is hidden, not less. The time grows with the text, not with its square.
//
// Texts are bytes. Plain functions, callable from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sightline {

// What stands in a secret's place.
inline constexpr std::string_view kHiddenSecret = "***";

// Whether what has this name, such as api_key, --hf-token, HFToken or accessToken2, is a secret.
bool IsSecretName(std::string_view name);

// The text with each secret in it replaced by kHiddenSecret.
std::string HideSecrets(std::string_view text);

// The arguments of a command, without the secrets in them and those that an option before them
// names.
std::vector<std::string> HideSecretsOfCommand(const std::vector<std::string>& arguments);

}  // namespace sightline
