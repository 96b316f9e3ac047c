#include "sightline/tools/cli/terminal/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sightline/base/text/printable.h"
#include "sightline/tools/cli/terminal/terminal_output.h"

namespace sightline {
namespace {

constexpr auto kRedrawn = std::chrono::milliseconds(200);

std::string Megabytes(double bytes) {
  const double megabytes = bytes / 1e6;
  return fmt::format("{:.{}f} MB", megabytes, megabytes < 10 ? 1 : 0);
}

std::string TimeText(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.0f} h", std::ceil(seconds / 3600));
}

}  // namespace

std::string ProgressText(std::uint64_t done, std::uint64_t total, double seconds) {
  done = std::min(done, total);
  const auto part = static_cast<double>(done);
  const auto whole = static_cast<double>(total);
  std::string text = fmt::format("{:.0f} %, {} of {}", std::floor(part / whole * 100),
                                 Megabytes(part), Megabytes(whole));
  if (done == 0 || seconds <= 0) return text;
  const double rate = part / seconds;
  return text + fmt::format(", {}/s, {} left", Megabytes(rate), TimeText((whole - part) / rate));
}

bool Progress::HasTerminal() { return isatty(STDERR_FILENO) == 1; }

Progress::Progress(std::string name, std::uint64_t total, std::chrono::milliseconds delay)
    : name_(std::move(name)), next_(begun_ + delay) {
  SetTotal(total);
}

void Progress::SetTotal(std::uint64_t total) {
  total_ = total;
  shown_ = total > 0 && HasTerminal();
}

void Progress::At(std::uint64_t done) {
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kRedrawn;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  WriteToTerminal(
      fmt::format("\r\x1b[K{}: {}", Printable(name_), ProgressText(done, total_, seconds)));
}

void Progress::Clear() {
  if (!drawn_) return;
  drawn_ = false;
  WriteToTerminal("\r\x1b[K");
}

}  // namespace sightline
