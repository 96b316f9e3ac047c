// The verbs serve, start, stop and url, as people run them.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "sightline/tests/dashboard/http_client.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using sightline::testing::CorpusPath;
using sightline::testing::TempDir;
using testing::Ask;
using ::testing::HasSubstr;

// The program, with a state folder of the test's own, and its output as it comes.
class Program {
 public:
  Program(const std::string& state, const std::vector<std::string>& arguments,
          const std::string& ssh = {}) {
    int out[2];
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    process_ = fork();
    if (process_ == 0) {
      dup2(out[1], STDOUT_FILENO);
      dup2(out[1], STDERR_FILENO);
      setenv("XDG_STATE_HOME", state.c_str(), 1);
      setenv("XDG_CACHE_HOME", (state + "/cache").c_str(), 1);
      unsetenv("SSH_CONNECTION");
      if (!ssh.empty()) setenv("SSH_CONNECTION", ssh.c_str(), 1);
      // A test may be run where it is ignored, as behind nohup.
      signal(SIGINT, SIG_DFL);
      std::vector<std::string> words = {SIGHTLINE_PROGRAM};
      words.insert(words.end(), arguments.begin(), arguments.end());
      std::vector<char*> pointers;
      for (std::string& word : words) pointers.push_back(word.data());
      pointers.push_back(nullptr);
      execv(SIGHTLINE_PROGRAM, pointers.data());
      _exit(127);
    }
    close(out[1]);
    out_ = out[0];
  }
  ~Program() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    close(out_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool ReadUntil(const std::string& text) {
    while (output_.find(text) == std::string::npos) {
      pollfd ready{out_, POLLIN, 0};
      if (poll(&ready, 1, 60'000) <= 0) return false;
      char buffer[4096];
      const ssize_t n = read(out_, buffer, sizeof(buffer));
      if (n <= 0) return false;
      output_.append(buffer, static_cast<std::size_t>(n));
    }
    return true;
  }
  const std::string& output() const { return output_; }
  void Signal(int signal) const { kill(process_, signal); }
  int ExitCode() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

 private:
  pid_t process_ = -1;
  int out_ = -1;
  std::string output_;
};

struct Address {
  std::uint16_t port = 0;
  std::string bearer;
};

// Of "http://127.0.0.1:PORT/#token=TOKEN".
Address AddressIn(const std::string& output) {
  Address address;
  const std::size_t at = output.find("http://127.0.0.1:");
  const std::size_t token = output.find("#token=");
  if (at == std::string::npos || token == std::string::npos) return address;
  address.port = static_cast<std::uint16_t>(std::stoi(output.substr(at + 17)));
  address.bearer =
      "Host: localhost\r\nAuthorization: Bearer " + output.substr(token + 7, 43) + "\r\n";
  return address;
}

int RunAt(const std::string& state, const std::vector<std::string>& arguments,
          std::string* output) {
  Program program(state, arguments);
  program.ReadUntil("\x01");  // Never comes: to the end.
  if (output != nullptr) *output = program.output();
  return program.ExitCode();
}

TEST(ServeProgramTest, ServesUntilItIsInterrupted) {
  const TempDir state;
  for (const int signal : {SIGINT, SIGTERM}) {
    Program program(state.path(), {"serve", CorpusPath("mindspore/lenet"), "--port", "0"});
    ASSERT_TRUE(program.ReadUntil("#token=") && program.ReadUntil("\n")) << program.output();
    const Address address = AddressIn(program.output());
    EXPECT_EQ(Ask(address.port, "GET", "/api/v1/status", address.bearer).status, 200);
    EXPECT_EQ(Ask(address.port, "GET", "/api/v1/status", "Host: localhost\r\n").status, 401);
    program.Signal(signal);
    EXPECT_EQ(program.ExitCode(), 0);
  }
}

TEST(ServeProgramTest, NamesFollowForLinksThatLeadOut) {
  const TempDir state;
  const TempDir served;
  std::filesystem::create_directory_symlink(CorpusPath("mindspore/lenet"), served.File("lenet"));
  Program program(state.path(), {"serve", served.path(), "--port", "0"});
  EXPECT_TRUE(program.ReadUntil(
      "sightline: 1 link in " + served.path() + " leads out of it, such as " +
      served.File("lenet") + "; `--follow " + CorpusPath("mindspore") + "` shows what is there\n"))
      << program.output();
  // The command is pasted into a shell.
  const TempDir elsewhere;
  const TempDir other;
  std::filesystem::create_directories(elsewhere.File("a; b/run"));
  std::filesystem::create_directory_symlink(elsewhere.File("a; b/run"), other.File("a"));
  Program quoting(state.path(), {"serve", other.path(), "--port", "0"});
  EXPECT_TRUE(quoting.ReadUntil("`--follow '" + elsewhere.File("a; b") + "'`")) << quoting.output();
  Program following(state.path(),
                    {"serve", served.path(), "--port", "0", "--follow", CorpusPath("mindspore")});
  ASSERT_TRUE(following.ReadUntil("#token="));
  following.Signal(SIGTERM);
  following.ReadUntil("\x01");
  EXPECT_THAT(following.output(), ::testing::Not(HasSubstr("--follow")));
}

TEST(ServeProgramTest, StartsStopsAndNamesServersInTheBackground) {
  const TempDir state;
  std::string output;
  ASSERT_EQ(
      RunAt(state.path(),
            {"start", "--port", "0", "--summary-base-dir", CorpusPath("mindspore/lenet")}, &output),
      0)
      << output;
  const Address address = AddressIn(output);
  EXPECT_EQ(Ask(address.port, "GET", "/api/v1/status", address.bearer).status, 200);
  const std::string port = std::to_string(address.port);
  std::string urls;
  EXPECT_EQ(RunAt(state.path(), {"url"}, &urls), 0);
  EXPECT_THAT(urls, HasSubstr(output.substr(0, output.find('\n'))));
  std::string again;
  EXPECT_EQ(
      RunAt(state.path(), {"start", "--port", port, "--summary-base-dir", state.path()}, &again),
      2);
  EXPECT_THAT(again, HasSubstr("in use"));
  // Another user's state folder knows nothing of it.
  const TempDir other;
  EXPECT_EQ(RunAt(other.path(), {"stop", "--port", port}, nullptr), 2);
  EXPECT_EQ(Ask(address.port, "GET", "/api/v1/status", address.bearer).status, 200);
  EXPECT_EQ(RunAt(state.path(), {"stop", "--port", port}, nullptr), 0);
  EXPECT_EQ(RunAt(state.path(), {"stop", "--port", port}, nullptr), 2);
  EXPECT_EQ(RunAt(state.path(), {"url"}, nullptr), 2);
}

TEST(ServeProgramTest, TakesTheNextFreePortAndKeepsTheToken) {
  const TempDir state;
  Program first(state.path(), {"serve", state.path(), "--port", "0"});
  ASSERT_TRUE(first.ReadUntil("#token=") && first.ReadUntil("\n"));
  const Address taken = AddressIn(first.output());
  Program second(state.path(), {"serve", state.path(), "--port", std::to_string(taken.port)});
  ASSERT_TRUE(second.ReadUntil("#token=") && second.ReadUntil("\n")) << second.output();
  const Address next = AddressIn(second.output());
  EXPECT_THAT(second.output(), HasSubstr("is in use"));
  EXPECT_GT(next.port, taken.port);
  EXPECT_EQ(next.bearer, taken.bearer);
}

TEST(ServeProgramTest, PrintsTheTunnelOverSsh) {
  const TempDir state;
  Program program(state.path(), {"serve", state.path(), "--port", "0"},
                  "198.51.100.7 50000 198.51.100.8 22");
  ASSERT_TRUE(program.ReadUntil("open the address there.")) << program.output();
  const std::string port = std::to_string(AddressIn(program.output()).port);
  EXPECT_THAT(program.output(), HasSubstr("ssh -N -L " + port + ":127.0.0.1:" + port + " "));
}

TEST(ServeProgramTest, LeavesNothingThatOthersCanRead) {
  const TempDir state;
  const std::string folder = state.File("sightline");
  Program program(state.path(), {"serve", CorpusPath("mindspore/lenet"), "--port", "0"});
  ASSERT_TRUE(program.ReadUntil("#token=") && program.ReadUntil("\n")) << program.output();
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto open = entry.status().permissions() &
                      (std::filesystem::perms::group_all | std::filesystem::perms::others_all);
    EXPECT_EQ(open, std::filesystem::perms::none) << entry.path();
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(files, 2);  // The token and the server's file.
}

TEST(ServeProgramTest, KeepsNotesOverARestart) {
  const TempDir state;
  const TempDir root;
  for (const bool again : {false, true}) {
    Program program(state.path(), {"serve", root.path(), "--port", "0", "--allow-write",
                                   "--memory-limit", "200MB"});
    ASSERT_TRUE(program.ReadUntil("#token=") && program.ReadUntil("\n")) << program.output();
    const Address address = AddressIn(program.output());
    if (!again) {
      EXPECT_EQ(Ask(address.port, "POST", "/api/v1/kept",
                    address.bearer + "Content-Type: application/json\r\n",
                    R"({"runs": {"a": {"note": "best"}}})")
                    .status,
                200);
    }
    EXPECT_THAT(Ask(address.port, "GET", "/api/v1/kept", address.bearer).body, HasSubstr("best"));
    program.Signal(SIGTERM);
    EXPECT_EQ(program.ExitCode(), 0);
  }
}

TEST(ServeProgramTest, SaysWhatIsWrong) {
  const TempDir state;
  std::string output;
  EXPECT_EQ(RunAt(state.path(), {"serve", state.File("none")}, &output), 2);
  EXPECT_THAT(output, HasSubstr("none"));
  EXPECT_EQ(RunAt(state.path(), {"serve", state.path(), "--host", "0.0.0.0"}, &output), 2);
  EXPECT_THAT(output, HasSubstr("--plain-http"));
  EXPECT_EQ(RunAt(state.path(), {"start", "--port", "0", "--summary-base-dir", state.File("none")},
                  &output),
            2);
  EXPECT_THAT(output, HasSubstr("none"));
  EXPECT_EQ(RunAt(state.path(), {"serve"}, &output), 2);
  EXPECT_EQ(
      RunAt(state.path(), {"serve", state.path(), "--no-auth", "--host", "0.0.0.0", "--plain-http"},
            &output),
      2);
  EXPECT_THAT(output, HasSubstr("without a token"));
  EXPECT_EQ(RunAt(state.path(), {"serve", state.path(), "--memory-limit", "100MB"}, &output), 2);
  EXPECT_THAT(output, HasSubstr("too small"));
  EXPECT_EQ(RunAt(state.path(), {"serve", state.path(), "--tls-cert", "x.pem"}, &output), 2);
  EXPECT_THAT(output, HasSubstr("two files"));
}

}  // namespace
}  // namespace sightline::dashboard
