#include "sightline/base/pattern/name_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <cstdint>
#include <utility>

#include "sightline/base/tag.h"
#include "sightline/base/utf8.h"

namespace sightline {
namespace {

constexpr std::size_t kMaxQuotedBytes = 100;  // Of a pattern or a name in a message.
// What kMaxSteps takes of a pattern with many groups.
constexpr std::uint32_t kMaxHeapKilobytes = 64 * 1024;

PCRE2_SPTR Bytes(std::string_view text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char and unsigned char.
  return reinterpret_cast<PCRE2_SPTR>(text.data());
}

std::string Reason(int error) {
  PCRE2_UCHAR text[256] = {};
  pcre2_get_error_message(error, text, sizeof(text));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  return reinterpret_cast<const char*>(text);
}

Error BadPattern(std::string_view option, std::string_view pattern, std::string_view why) {
  return Error(
      StatusCode::kInvalidArgument,
      fmt::format("{} is '{}', but must be a regular expression of at most {} bytes, "
                  "e.g. 'conv.*weight' ({})",
                  option, ToUtf8(pattern, kMaxQuotedBytes), NamePattern::kMaxPatternBytes, why));
}

}  // namespace

struct NamePattern::Compiled {
  Compiled(std::string_view option_name, std::string_view text)
      : option(option_name), pattern(text) {
    // \C could match a part of a character.
    constexpr std::uint32_t kSyntax = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C;
    code = pcre2_compile(Bytes(text), text.size(), kSyntax, &error, &error_at, nullptr);
    limits = pcre2_match_context_create(nullptr);
    if (limits == nullptr) return;
    pcre2_set_match_limit(limits, kMaxSteps);
    pcre2_set_heap_limit(limits, kMaxHeapKilobytes);
  }
  ~Compiled() {
    pcre2_match_context_free(limits);
    pcre2_code_free(code);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  std::string option;
  std::string pattern;
  pcre2_code* code = nullptr;
  pcre2_match_context* limits = nullptr;  // Matching only reads it.
  int error = 0;
  PCRE2_SIZE error_at = 0;
};

Result<NamePattern> NamePattern::Make(std::string_view option, std::string_view pattern) {
  if (pattern.size() > kMaxPatternBytes)
    return BadPattern(option, pattern, fmt::format("it has {} bytes", pattern.size()));
  auto compiled = std::make_shared<const Compiled>(option, pattern);
  if (compiled->code == nullptr || compiled->limits == nullptr) {
    return BadPattern(option, pattern,
                      fmt::format("at byte {}: {}", compiled->error_at, Reason(compiled->error)));
  }
  return NamePattern(std::move(compiled));
}

Result<bool> NamePattern::MatchesAtStart(std::string_view name) const {
  return Matches(name, true);
}

Result<bool> NamePattern::MatchesAnywhere(std::string_view name) const {
  return Matches(name, false);
}

Result<bool> NamePattern::Matches(std::string_view name, bool at_start) const {
  if (name.size() > kMaxTagBytes) return false;
  std::string clean;
  if (!IsUtf8(name)) name = clean = ToUtf8(name);
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> match(
      pcre2_match_data_create(1, nullptr), &pcre2_match_data_free);
  const int result = match == nullptr
                         ? PCRE2_ERROR_NOMEMORY
                         : pcre2_match(compiled_->code, Bytes(name), name.size(), 0,
                                       PCRE2_NO_UTF_CHECK | (at_start ? PCRE2_ANCHORED : 0U),
                                       match.get(), compiled_->limits);
  if (result >= 0) return true;
  if (result == PCRE2_ERROR_NOMATCH) return false;
  return Error(StatusCode::kResourceExhausted,
               fmt::format("{} is '{}', which is too costly to match with '{}' ({})",
                           compiled_->option, ToUtf8(compiled_->pattern, kMaxQuotedBytes),
                           ToUtf8(name, kMaxQuotedBytes), Reason(result)));
}

}  // namespace sightline
