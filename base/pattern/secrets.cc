#include "sightline/base/pattern/secrets.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <new>

#include "sightline/base/ascii.h"

namespace sightline {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// The words of a name that make it that of a secret, without the digits after them.
constexpr auto kSecretWords = std::to_array<std::string_view>(
    {"auth",        "authorization", "bearer",     "cookie",    "cookies", "credential",
     "credentials", "dsn",           "jwt",        "key",       "keys",    "otp",
     "pass",        "passcode",      "passphrase", "passwords", "pat",     "pw",
     "pwd",         "secrets",       "sig",        "signature"});
// The ends of a word that is written together, such as hftoken.
constexpr auto kSecretEnds =
    std::to_array<std::string_view>({"token", "password", "passwd", "secret", "apikey", "accesskey",
                                     "authkey", "privatekey", "secretkey", "sshkey"});

// A regular expression of this file. Quantifiers are possessive where nothing after them could
// match what they took: they need no memory then, however long the text is.
class Regex {
 public:
  struct Match {
    std::size_t begin = kNone;
    std::size_t end = kNone;
    std::vector<std::string_view> groups;  // From the first; empty ones did not take part.
  };

  explicit Regex(std::string_view pattern, std::uint32_t options = 0) {
    int error = 0;
    PCRE2_SIZE at = 0;
    code_.reset(pcre2_compile(Bytes(pattern), pattern.size(), options, &error, &at, nullptr));
  }

  // The first match at or after `from`, or only at `from`; if there is none, `begin` is kNone. A
  // text that takes too much memory is a match to its end: what cannot be searched is not shown.
  Match Find(std::string_view text, std::size_t from, std::uint32_t options = 0) const {
    const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> data(
        pcre2_match_data_create_from_pattern(code_.get(), nullptr), &pcre2_match_data_free);
    if (data == nullptr) throw std::bad_alloc();
    const int count =
        pcre2_match(code_.get(), Bytes(text), text.size(), from, options, data.get(), nullptr);
    if (count == PCRE2_ERROR_NOMATCH) return {};
    if (count < 0) return {from, text.size(), std::vector<std::string_view>(kMostGroups)};
    const PCRE2_SIZE* const places = pcre2_get_ovector_pointer(data.get());
    Match match{places[0], places[1], std::vector<std::string_view>(kMostGroups)};
    for (std::size_t i = 1; i < static_cast<std::size_t>(count); ++i) {
      if (places[2 * i] == PCRE2_UNSET) continue;
      match.groups[i - 1] = text.substr(places[2 * i], places[2 * i + 1] - places[2 * i]);
    }
    return match;
  }
  Match FindAt(std::string_view text, std::size_t from) const {
    return Find(text, from, PCRE2_ANCHORED);
  }

  // Each match is replaced by its first group, if there is one, and kHiddenSecret and `after`.
  std::string Hide(std::string_view text, std::string_view after = {}) const {
    std::string hidden;
    std::size_t at = 0;
    for (Match match = Find(text, at); match.begin != kNone; match = Find(text, at)) {
      hidden.append(text.substr(at, match.begin - at)).append(match.groups.front());
      hidden.append(kHiddenSecret).append(after);
      at = match.end;
    }
    return hidden.append(text.substr(at));
  }

 private:
  static constexpr std::size_t kMostGroups = 2;

  static PCRE2_SPTR Bytes(std::string_view text) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char and unsigned char.
    return reinterpret_cast<PCRE2_SPTR>(text.data());
  }

  std::unique_ptr<pcre2_code, decltype(&pcre2_code_free)> code_{nullptr, &pcre2_code_free};
};

struct Expressions {
  // A name, and the sign before its value: --token=x, TOKEN=x, "token": "x", ?token=x&,
  // X-Api-Key: x, --token x
  Regex named{R"((?<![\w.-])([\w.-]++)(\\?["']?\s*+(?:[=:]++>?|%3[AaDd])\s*+|\s++(?![-=:\s])))"};
  // It may be quoted; \" is in JSON within a text. A shell joins a"b"'c'. What separates values
  // does so only before a further name.
  Regex value{R"(
    (?: \\"(?:(?!\\").)*+(?:\\")? | "(?:\\.|[^"\\])*+"? | '(?:\\.|[^'\\])*+'? )?
    (?:
      [^\s,;&"'}\])\\]
      | \\.
      | [,;&](?!\s|["']|\z|[\w.-]++["']?\s*+[=:])
      | [}\])](?![\s,;&"'}\])]|\z)
      | "(?![\s,;&}\])]|\z)(?:\\.|[^"\\])*+"? | '(?![\s,;&}\])]|\z)(?:\\.|[^'\\])*+'?
    )*+)",
              PCRE2_DOTALL | PCRE2_EXTENDED};
  // A text, or a bracket; the first group is one that opens, the second one that closes.
  Regex bracket{R"("(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|([\[{(])|([\])}]))", PCRE2_DOTALL};
  // The values of these have blanks and several parts.
  Regex header{R"((?:(?:proxy-)?authorization|(?:set-)?cookie)\z)", PCRE2_CASELESS};
  // An argument that begins with a name: it is the value to its end.
  Regex argument{R"(([-+\w.]++)\s*+[=:]\s*+(?=.))", PCRE2_DOTALL};
  // Rather than an option: a token of base64 may begin with a dash.
  Regex may_be_secret{R"(-[^-].{7})"};
  Regex scheme{R"(\b((?:bearer|basic|digest|token)\s++)[\w.~+/=-]{6,}+)", PCRE2_CASELESS};
  Regex user_of_address{
      R"(([a-z][a-z0-9+.-]{0,30}://)(?:[^\s/]*@|[^\s/@:]*+:(?!\d++(?:[/?#\s]|\z))[^\s@]{1,200}+@))",
      PCRE2_CASELESS};
  Regex form{
      R"((?<![A-Za-z0-9])(?:gh[pousr]_\w{16,}+|github_pat_\w{16,}+)"
      R"(|gl(?:pat|rt|dt|cbt|ptt|ft|soat)-[\w-]{16,}+|hf_[A-Za-z0-9]{16,}+)"
      R"(|sk-[\w-]{16,}+|[rs]k_(?:live|test)_\w{16,}+|pypi-[\w-]{16,}+|npm_[A-Za-z0-9]{16,}+)"
      R"(|dckr_pat_[\w-]{16,}+|xox[a-z]-[\w-]{8,}+|xapp-[\w-]{8,}+|A[KS]IA[0-9A-Z]{16})"
      R"(|AIza[\w-]{30,}+|ya29\.[\w-]{16,}+|GOCSPX-[\w-]{16,}+)"
      R"(|nvapi-[\w-]{16,}+|wandb_v1_\w{16,}+|gsk_\w{16,}+|r8_\w{16,}+|dapi[0-9a-f]{32})"
      R"(|SG\.[\w-]{16,}+\.[\w-]{16,}+|eyJ[\w-]{16,}+[\w.=-]*+))"
      R"(|(?<=hooks\.slack\.com/)[^\s"']++|(?<=/api/webhooks/)[^\s"']++|(?<=/webhookb2/)[^\s"']++)"};
  Regex private_key{R"(-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.*?)"
                    R"((?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\z))",
                    PCRE2_DOTALL};
};

const Expressions& Patterns() {
  static const Expressions patterns;
  return patterns;
}

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }

// accessToken is two words, and so is HFToken.
bool BeginsWord(std::string_view name, std::size_t at) {
  if (at == 0 || !IsUpper(name[at])) return false;
  if (IsLower(name[at - 1]) || IsDigit(name[at - 1])) return true;
  return IsUpper(name[at - 1]) && at + 1 < name.size() && IsLower(name[at + 1]);
}

bool IsSecretWord(std::string_view word) {
  while (!word.empty() && IsDigit(word.back())) word.remove_suffix(1);
  return std::find(kSecretWords.begin(), kSecretWords.end(), word) != kSecretWords.end() ||
         std::any_of(kSecretEnds.begin(), kSecretEnds.end(),
                     [&](std::string_view end) { return word.ends_with(end); });
}

std::size_t EndOfBrackets(std::string_view text, std::size_t begin) {
  int depth = 0;
  for (std::size_t at = begin;;) {
    const Regex::Match part = Patterns().bracket.Find(text, at);
    if (part.begin == kNone) return text.size();
    if (!part.groups[0].empty()) ++depth;
    if (!part.groups[1].empty()) --depth;
    if (depth == 0) return part.end;
    at = part.end;
  }
}

std::size_t EndOfValue(std::string_view text, std::string_view name, std::size_t begin) {
  if (Patterns().header.FindAt(name, 0).begin != kNone)
    return std::min(text.find_first_of("\r\n", begin), text.size());
  constexpr std::string_view kOpening = "[{(";
  if (begin < text.size() && kOpening.find(text[begin]) != kOpening.npos)
    return EndOfBrackets(text, begin);
  return Patterns().value.FindAt(text, begin).end;  // It matches nothing, at least.
}

std::string HideNamed(std::string_view text) {
  std::string hidden;
  std::size_t at = 0;
  for (Regex::Match found; (found = Patterns().named.Find(text, at)).begin != kNone;) {
    const std::string_view name = found.groups[0];
    if (name.empty()) return hidden.append(kHiddenSecret);  // It could not be searched.
    const std::string_view sign = found.groups[1];
    const bool is_only_space = sign.find_first_not_of(" \t\n\r\f\v") == sign.npos;
    std::size_t end = found.end;
    if (IsSecretName(name) && (name.starts_with('-') || !is_only_space))
      end = EndOfValue(text, name, found.end);
    if (end > found.end) {
      hidden.append(text.substr(at, found.end - at)).append(kHiddenSecret);
    } else {  // What is no secret may hold further names.
      end = found.begin + name.size();
      hidden.append(text.substr(at, end - at));
    }
    at = std::max(end, at + 1);
  }
  return hidden.append(text.substr(std::min(at, text.size())));
}

// After these, an argument is a script, whose other words stay.
bool IsBeforeScript(std::string_view argument) {
  return argument == "-c" || argument == "-lc" || argument == "-ec";
}

}  // namespace

bool IsSecretName(std::string_view name) {
  std::string word;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = LowerCase(name[i]);
    const bool is_of_word = IsLower(c) || IsDigit(c);
    if (!is_of_word || BeginsWord(name, i)) {
      if (IsSecretWord(word)) return true;
      word.clear();
    }
    if (is_of_word) word += c;
  }
  return IsSecretWord(word);
}

std::string HideSecrets(std::string_view text) {
  std::string hidden = Patterns().private_key.Hide(text);
  hidden = Patterns().scheme.Hide(hidden);
  hidden = Patterns().user_of_address.Hide(hidden, "@");
  hidden = Patterns().form.Hide(hidden);
  return HideNamed(hidden);
}

std::vector<std::string> HideSecretsOfCommand(const std::vector<std::string>& arguments) {
  std::vector<std::string> hidden;
  hidden.reserve(arguments.size());
  bool hides_next = false;
  bool is_script = false;
  for (const std::string& argument : arguments) {
    const bool is_option = argument.starts_with('-') && argument.size() > 1;
    const Regex::Match named = is_script ? Regex::Match() : Patterns().argument.FindAt(argument, 0);
    if (hides_next && (!is_option || Patterns().may_be_secret.FindAt(argument, 0).begin != kNone)) {
      hidden.emplace_back(kHiddenSecret);
    } else if (named.begin != kNone && IsSecretName(named.groups[0])) {
      hidden.push_back(argument.substr(0, named.end).append(kHiddenSecret));
    } else {
      hidden.push_back(HideSecrets(argument));
    }
    hides_next = is_option && argument.find_first_of("=: \t\n\r\f\v") == argument.npos &&
                 IsSecretName(argument);
    is_script = IsBeforeScript(argument);
  }
  return hidden;
}

}  // namespace sightline
