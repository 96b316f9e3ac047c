#include "sightline/tools/cli/run/console_text.h"

namespace sightline {
namespace {

constexpr char kEscapeByte = '\x1b';
constexpr char kBell = '\x07';
constexpr std::string_view kStrings = "]PX^_";  // OSC, DCS, SOS, PM and APC.
constexpr std::size_t kLongestSequence = 64;

bool IsControl(char byte) {
  return (static_cast<unsigned char>(byte) < 0x20 && byte != '\n' && byte != '\t') ||
         byte == '\x7f';
}

}  // namespace

std::string ConsoleText::Clean(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) Take(byte, out);
  out += clean_.Clean(text_);
  text_.clear();
  return out;
}

void ConsoleText::Take(char byte, std::string& out) {
  switch (state_) {
    case State::kText:
      return TakeText(byte);
    case State::kEscape:
      sequence_.clear();
      if (byte == '[') {
        state_ = State::kSequence;
      } else if (kStrings.find(byte) != kStrings.npos) {
        state_ = State::kString;
      } else if (byte < ' ' || byte > '/') {  // Else more of it follows.
        state_ = State::kText;
      }
      return;
    case State::kSequence:
      if (byte >= '@' && byte <= '~') return EndSequence(byte, out);
      if (byte < ' ') {  // It is broken off.
        state_ = State::kText;
        return TakeText(byte);
      }
      if (sequence_.size() < kLongestSequence) sequence_ += byte;
      return;
    case State::kString:
      if (byte == kBell) state_ = State::kText;
      if (byte == kEscapeByte) state_ = State::kStringEscape;
      return;
    case State::kStringEscape:
      state_ = State::kEscape;
      if (byte == '\\') {
        state_ = State::kText;
      } else {
        Take(byte, out);
      }
      return;
  }
}

void ConsoleText::TakeText(char byte) {
  if (after_return_ && byte != '\n') text_ += '\n';
  after_return_ = byte == '\r';
  if (byte == kEscapeByte) {
    state_ = State::kEscape;
  } else if (!IsControl(byte)) {
    text_ += byte;
  }
}

// Only colours and the like, SGR.
void ConsoleText::EndSequence(char last, std::string& out) {
  state_ = State::kText;
  if (last != 'm' || sequence_.size() >= kLongestSequence ||
      sequence_.find_first_not_of("0123456789;:") != sequence_.npos) {
    return;
  }
  out += clean_.Clean(text_) + kEscapeByte + '[' + sequence_ + last;
  text_.clear();
}

}  // namespace sightline
