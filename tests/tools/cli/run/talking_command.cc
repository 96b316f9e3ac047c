// A command for run_program_test: says which signals it gets and which lines it reads. "exit 3"
// ends it, and so does the end of its input.
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void SaySignal(int number) {
  std::printf("got %d\n", number);
  winsize size = {};
  if (number == SIGWINCH && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
    std::printf("size %d %d\n", size.ws_row, size.ws_col);
  std::fflush(stdout);
}

void HearLine(const std::string& line) {
  if (line.rfind("exit ", 0) == 0) std::exit(std::atoi(line.c_str() + 5));
  std::printf("heard %s\n", line.c_str());
  std::fflush(stdout);
}

}  // namespace

int main() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  pollfd polled[] = {{signalfd(-1, &all, 0), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
  std::printf("ready\n");
  std::fflush(stdout);
  for (std::string heard;;) {
    if (poll(polled, 2, -1) < 0) continue;
    if (polled[0].revents != 0) {
      signalfd_siginfo signal = {};
      if (read(polled[0].fd, &signal, sizeof(signal)) == sizeof(signal))
        SaySignal(static_cast<int>(signal.ssi_signo));
    }
    if (polled[1].revents == 0) continue;
    char bytes[4096];
    const ssize_t got = read(STDIN_FILENO, bytes, sizeof(bytes));
    if (got <= 0) return 0;
    heard.append(bytes, static_cast<std::size_t>(got));
    for (std::size_t end = 0; (end = heard.find('\n')) != heard.npos;) {
      HearLine(heard.substr(0, end));
      heard.erase(0, end + 1);
    }
  }
}
