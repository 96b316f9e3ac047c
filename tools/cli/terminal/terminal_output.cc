#include "sightline/tools/cli/terminal/terminal_output.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

#include "sightline/base/system/write_all.h"
#include "sightline/base/text/control_character.h"
#include "sightline/base/utf8.h"

namespace sightline {
namespace {

struct Mark {
  std::string_view text;
  std::string_view code;
};
constexpr std::array<Mark, 6> kMarks = {{{"\uFDD0", "\x1b[0m"},
                                         {"\uFDD1", "\x1b[1m"},
                                         {"\uFDD2", "\x1b[2m"},
                                         {"\uFDD3", "\x1b[31m"},
                                         {"\uFDD4", "\x1b[32m"},
                                         {"\uFDD5", "\x1b[33m"}}};

// The bytes of the UTF-8 character that begins with `first`; 0 if none does.
std::size_t SizeOfCharacter(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

// Whether these bytes may be the beginning of a longer character.
bool MayGoOn(std::string_view bytes) {
  return std::all_of(bytes.begin() + 1, bytes.end(),
                     [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; });
}

// Appends a whole character.
void Append(std::string_view character, std::string& out) {
  for (const Mark& mark : kMarks) {
    if (character == mark.text) {
      out += mark.code;
      return;
    }
  }
  if (character == "\n" || character == "\t" || ControlSize(character) == 0) {
    out += character;
  } else {
    AppendEscape(character, out);
  }
}

struct Terminal {
  int fd = -1;
  TerminalText text;
};

ssize_t WriteClean(void* cookie, const char* bytes, std::size_t size) {
  auto& terminal = *static_cast<Terminal*>(cookie);
  return WriteAll(terminal.fd, terminal.text.Clean({bytes, size})) ? static_cast<ssize_t>(size) : 0;
}

// `terminal` must live as long as the program: its streams are flushed at the very end.
void Clean(std::FILE*& stream, Terminal& terminal) {
  terminal.fd = fileno(stream);
  if (isatty(terminal.fd) != 1) return;
  std::FILE* const clean = fopencookie(&terminal, "w", {nullptr, &WriteClean, nullptr, nullptr});
  if (clean == nullptr) return;
  std::setvbuf(clean, nullptr, _IOLBF, BUFSIZ);
  std::fflush(stream);
  stream = clean;
}

}  // namespace

std::string_view MarkText(StyleMark mark) { return kMarks.at(static_cast<std::size_t>(mark)).text; }

std::string TerminalText::Clean(std::string_view bytes) {
  const std::string whole = held_.append(bytes);
  held_.clear();
  std::string out;
  std::string_view rest = whole;
  while (!rest.empty()) {
    std::size_t size = SizeOfCharacter(static_cast<unsigned char>(rest[0]));
    const bool may_be_line_end = rest == "\r";
    if (may_be_line_end || (size > rest.size() && MayGoOn(rest))) {
      held_ = rest;
      break;
    }
    if (rest.starts_with("\r\n")) {
      out += '\n';  // The terminal adds the carriage return itself.
      size = 2;
    } else if (size > 0 && size <= rest.size() && IsUtf8(rest.substr(0, size))) {
      Append(rest.substr(0, size), out);
    } else {
      size = 1;
      AppendEscape(rest.substr(0, size), out);
    }
    rest.remove_prefix(size);
  }
  return out;
}

void CleanTerminals() {
  static auto* const out = new Terminal;
  static auto* const err = new Terminal;
  Clean(stdout, *out);
  Clean(stderr, *err);
}

void WriteToTerminal(std::string_view bytes) {
  std::fflush(stderr);
  (void)WriteAll(STDERR_FILENO, bytes);
}

}  // namespace sightline
