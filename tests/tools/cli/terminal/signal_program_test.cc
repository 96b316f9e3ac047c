// Every verb ends at SIGINT and SIGTERM, whatever it is doing, and leaves nothing half-written.
// Calls that never return (held_calls.cc) take the place of what takes long, so that it could not
// have ended by itself.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sightline/base/compress/gzip.h"
#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;
using testing::CorpusPath;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TempDir;

constexpr int kHoldDescriptor = 100;
constexpr int kPatienceMilliseconds = 60'000;  // For what a right program does at once.

bool Ends(pid_t process) {
  const auto handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (handle < 0) return true;
  pollfd ended = {handle, POLLIN, 0};
  const int ready = poll(&ended, 1, kPatienceMilliseconds);
  close(handle);
  return ready == 1;
}

// The program while some of its calls are held back.
class HeldProgram {
 public:
  // `home`: where its cache and its state are.
  HeldProgram(const std::string& home, const std::vector<std::string>& arguments,
              const std::string& holds) {
    int held[2];
    int out[2];
    EXPECT_EQ(pipe2(held, O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    process_ = fork();
    if (process_ == 0) {
      for (const int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
      dup2(held[1], kHoldDescriptor);
      dup2(out[1], STDOUT_FILENO);
      dup2(out[1], STDERR_FILENO);
      setenv("XDG_CACHE_HOME", (home + "/cache").c_str(), 1);
      setenv("XDG_STATE_HOME", (home + "/state").c_str(), 1);
      setenv("LD_PRELOAD", SIGHTLINE_HELD_CALLS, 1);
      setenv("SIGHTLINE_HOLD", holds.c_str(), 1);
      setenv("SIGHTLINE_HOLD_FD", std::to_string(kHoldDescriptor).c_str(), 1);
      std::vector<std::string> words = {SIGHTLINE_PROGRAM};
      words.insert(words.end(), arguments.begin(), arguments.end());
      std::vector<char*> pointers;
      for (std::string& word : words) pointers.push_back(word.data());
      pointers.push_back(nullptr);
      execv(SIGHTLINE_PROGRAM, pointers.data());
      _exit(127);
    }
    close(held[1]);
    close(out[1]);
    held_ = held[0];
    out_ = out[0];
  }
  ~HeldProgram() {
    for (const pid_t process : holders_)
      if (process != process_) kill(process, SIGKILL);
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    close(held_);
    close(out_);
  }
  HeldProgram(const HeldProgram&) = delete;
  HeldProgram& operator=(const HeldProgram&) = delete;

  // Waits until a call is held back. Returns the process that made it; 0 if the program ended.
  pid_t AwaitHold() {
    pollfd ready = {held_, POLLIN, 0};
    pid_t holder = 0;
    if (poll(&ready, 1, kPatienceMilliseconds) != 1 ||
        read(held_, &holder, sizeof(holder)) != sizeof(holder)) {
      kill(process_, SIGKILL);
      ADD_FAILURE() << "no call was held back; the program printed: " << Output("");
      return 0;
    }
    holders_.insert(holder);
    return holder;
  }
  // What it printed, to its end or until that is in it.
  std::string Output(const std::string& until) const {
    std::string text;
    char buffer[4096];
    while (until.empty() || text.find(until) == text.npos) {
      const ssize_t got = read(out_, buffer, sizeof(buffer));
      if (got <= 0) break;
      text.append(buffer, static_cast<std::size_t>(got));
    }
    return text;
  }
  void Signal(int number) const { kill(process_, number); }
  // "signal 15" or "exit 0".
  std::string Wait() {
    if (!Ends(process_)) return "does not end";
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                               : "exit " + std::to_string(WEXITSTATUS(status));
  }

 private:
  pid_t process_ = -1;
  std::set<pid_t> holders_;
  int held_ = -1;
  int out_ = -1;
};

// The verbs below which there are none, as the program itself lists them: "ir info".
std::vector<std::string> Verbs() {
  const std::string script = testing::RunProgram({"completion", "bash"}).out;
  std::vector<std::string> verbs;
  const std::string before = "\") path=\" ";
  for (std::size_t at = script.find(before); at != script.npos; at = script.find(before, at)) {
    at += before.size();
    std::string verb = script.substr(at, script.find('"', at) - at);
    if (!verbs.empty() && verb.starts_with(verbs.back() + " ")) verbs.pop_back();
    verbs.push_back(std::move(verb));
  }
  return verbs;
}

class SignalProgramTest : public ::testing::Test {
 protected:
  SignalProgramTest() {
    fs::create_directories(In(""));
    for (const char* name : {"mindspore/lenet", "ir/mlp_level3", "profiler/xla"})
      fs::copy(CorpusPath(name), In(fs::path(name).filename()), fs::copy_options::recursive);
    fs::copy(CorpusPath("mindspore/lenet_landscape"), In("landscape"), fs::copy_options::recursive);
    fs::create_directory(dir_.File("out"));
    testing::WriteFileOrDie(In("plan.yaml"), "x: 1\n");
    testing::WriteFileOrDie(
        In("mlflow.db"),
        *Gunzip(testing::ReadFileOrDie(CorpusPath("mlflow/mlflow.db.gz")), 4 << 20));
  }

  std::string In(const std::string& name) const { return dir_.File("held_input/" + name); }
  std::string Out(const std::string& name) const { return dir_.File("out/" + name); }
  std::vector<std::string> NamesInOut() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(Out("")))
      names.push_back(entry.path().filename());
    return names;
  }
  static std::vector<std::string> Words(const std::string& verb,
                                        const std::vector<std::string>& arguments) {
    std::istringstream in(verb);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
  }

  const TempDir dir_;
};

// What each verb is given, and in which call it is held back.
struct Held {
  std::vector<std::string> arguments;
  std::string hold = "open:held_input";
};

TEST_F(SignalProgramTest, EveryVerbEndsWhateverItWaitsFor) {
  const std::string run = In("lenet");
  const std::string dumps = In("mlp_level3");
  std::string dump;
  for (const auto& entry : fs::recursive_directory_iterator(dumps))
    if (entry.path().extension() == ".ir") dump = entry.path();
  const std::string profile = In("xla");
  const std::map<std::string, Held> held = {
      {"cat", {{run}}},
      {"compare", {{run, run}}},
      {"completion", {{"bash"}, "print:"}},
      {"demo", {{In("demo")}}},
      {"export", {{run, "--format", "csv", "-o", Out("a.csv")}}},
      {"import", {{In("mlflow.db"), "-o", Out("runs")}}},
      {"info", {{run}}},
      {"ir anonymize", {{dumps, "-o", Out("copy")}}},
      {"ir blame", {{dumps, "--op", "Cast"}}},
      {"ir calls", {{dump}}},
      {"ir compare", {{dumps, dumps}}},
      {"ir diff", {{dump, dump}}},
      {"ir dot", {{dumps}}},
      {"ir fail", {{dumps}}},
      {"ir grep", {{dumps, "--op", "Cast"}}},
      {"ir info", {{dumps}}},
      {"ir show", {{dump}}},
      {"ir stats", {{dump}}},
      {"ir timeline", {{dumps}}},
      {"landscape export", {{In("landscape"), "--format", "csv"}}},
      {"landscape info", {{In("landscape")}}},
      {"landscape run", {{In("landscape")}}},
      {"log", {{run}}},
      {"ls", {{run}}},
      {"mv", {{run, In("moved")}}},
      {"plan", {{"--epochs", "3", "--steps", "200"}, "print:"}},
      {"profile compare", {{profile, profile}}},
      {"profile data", {{profile}}},
      {"profile export", {{profile, "-o", Out("a.json")}}},
      {"profile flame", {{profile}}},
      {"profile info", {{profile}}},
      {"profile memory", {{profile}}},
      {"profile ops", {{profile}}},
      {"profile sql", {{profile, "select 1"}}},
      {"profile cluster", {{profile}}},
      {"profile steps", {{profile}}},
      {"profile summary", {{profile}}},
      {"recover", {{run}}},
      {"rm", {{run}}},
      {"run", {{"--dir", dir_.File("recorded"), "--", "cat", In("plan.yaml")}}},
      {"serve", {{run, "--port", "0"}}},
      {"start", {{"--summary-base-dir", run, "--port", "0"}}},
      {"stop", {{}, "open:/state/"}},
      {"tail", {{run}}},
      {"trash empty", {{In("")}}},
      {"trash list", {{In("")}}},
      {"trash restore", {{"--in", In("")}}},
      {"url", {{}, "open:/state/"}},
      {"verify", {{run}}},
      {"watch", {{run, "--on", "nan"}}},
  };
  const std::vector<std::string> verbs = Verbs();
  EXPECT_GT(verbs.size(), 30U);
  for (const std::string& verb : verbs) {
    SCOPED_TRACE(verb);
    const auto row = held.find(verb);
    ASSERT_NE(row, held.end()) << "a new verb: say what holds it back";
    for (const int number : {SIGINT, SIGTERM}) {
      HeldProgram program(dir_.path(), Words(verb, row->second.arguments), row->second.hold);
      const pid_t holder = program.AwaitHold();
      program.Signal(number);
      EXPECT_EQ(program.Wait(), "signal " + std::to_string(number));
      EXPECT_TRUE(Ends(holder));
    }
  }
}

TEST_F(SignalProgramTest, NothingHalfWrittenIsLeft) {
  const std::string run = In("lenet");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"export", run, "--format", "csv", "-o", Out("out")},
           {"export", run, "--format", "jsonl", "-o", Out("out")},
           {"export", run, "--format", "html", "-o", Out("out")},
           {"export", run, "--format", "npz", "-o", Out("out")},
           {"export", run, "--format", "npy", "-o", Out("out")},
           {"export", run, "--format", "tensorboard", "-o", Out("out")},
           {"import", In("mlflow.db"), "-o", Out("out")},
           {"recover", run, "-o", Out("out")},
           {"ir", "anonymize", In("mlp_level3"), "-o", Out("out")},
           {"ir", "dot", In("mlp_level3"), "-o", Out("")},
           {"landscape", "export", In("landscape"), "--format", "csv", "-o", Out("")},
           {"profile", "export", In("xla"), "-o", Out("out.json")}}) {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
      HeldProgram program(dir_.path(), arguments, "write:/out/");
      EXPECT_NE(program.AwaitHold(), 0);
      EXPECT_EQ(NamesInOut().size(), 1U);
      program.Signal(number);
      EXPECT_EQ(program.Wait(), "signal " + std::to_string(number));
      EXPECT_THAT(NamesInOut(), IsEmpty());
    }
  }
}

TEST_F(SignalProgramTest, AnEarlierExportStaysUntilTheNewOneHasItsName) {
  std::vector<std::string> arguments = {"export", In("lenet"), "--format",   "npy",
                                        "-o",     Out("out"),  "--tags=loss"};
  ASSERT_EQ(testing::RunProgram(arguments).exit_code, 0);
  const auto files = [this] {
    std::ptrdiff_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(Out("out")))
      count += entry.is_regular_file() ? 1 : 0;
    return count;
  };
  const std::ptrdiff_t before = files();
  arguments.back() = "--force";
  {
    HeldProgram program(dir_.path(), arguments, "write:.sightline-");
    EXPECT_NE(program.AwaitHold(), 0);
    program.Signal(SIGTERM);
    EXPECT_EQ(program.Wait(), "signal 15");
    EXPECT_THAT(NamesInOut(), ElementsAre("out"));
    EXPECT_EQ(files(), before);
  }
  // While the earlier one is removed.
  HeldProgram program(dir_.path(), arguments, "remove:.sightline-export");
  EXPECT_NE(program.AwaitHold(), 0);
  EXPECT_EQ(NamesInOut().size(), 2U);
  program.Signal(SIGTERM);
  EXPECT_EQ(program.Wait(), "signal 15");
  EXPECT_THAT(NamesInOut(), ElementsAre("out"));
  EXPECT_GT(files(), before);
}

TEST_F(SignalProgramTest, ASecondSignalEndsItBeforeAllIsRemoved) {
  HeldProgram program(dir_.path(), {"export", In("lenet"), "--format", "csv", "-o", Out("out")},
                      "write:/out/,remove:/out/");
  EXPECT_NE(program.AwaitHold(), 0);
  program.Signal(SIGTERM);
  EXPECT_NE(program.AwaitHold(), 0);
  program.Signal(SIGTERM);
  EXPECT_EQ(program.Wait(), "signal 15");
}

TEST_F(SignalProgramTest, AnIndexThatWasBeingWrittenIsReadAndWrittenAgain) {
  HeldProgram program(dir_.path(), {"ls", In("lenet")}, "write:/cache/");
  EXPECT_NE(program.AwaitHold(), 0);
  program.Signal(SIGTERM);
  EXPECT_EQ(program.Wait(), "signal 15");
  HeldProgram again(dir_.path(), {"ls", In("lenet")}, "");
  HeldProgram plain(dir_.path(), {"ls", "--no-index", In("lenet")}, "");
  const std::string text = again.Output("");
  EXPECT_EQ(text, plain.Output(""));
  EXPECT_NE(text, "");
  EXPECT_EQ(again.Wait(), "exit 0");
}

// Its responses and its readers may be held back for any time.
TEST_F(SignalProgramTest, AServerEndsWhileItReads) {
  for (const int number : {SIGINT, SIGTERM}) {
    fs::create_directory(dir_.File("served"));
    fs::copy(In("lenet"), dir_.File("served/early"), fs::copy_options::recursive);
    HeldProgram program(dir_.path(), {"serve", dir_.File("served"), "--port", "0"}, "read:/late/");
    EXPECT_THAT(program.Output("#token="), ::testing::HasSubstr("#token="));
    fs::rename(In("lenet"), dir_.File("served/late"));
    EXPECT_NE(program.AwaitHold(), 0);
    program.Signal(number);
    EXPECT_EQ(program.Wait(), "exit 0");
    EXPECT_TRUE(fs::is_empty(dir_.File("state/sightline/servers")));
    fs::rename(dir_.File("served/late"), In("lenet"));
    fs::remove_all(dir_.File("served"));
  }
}

}  // namespace
}  // namespace sightline
