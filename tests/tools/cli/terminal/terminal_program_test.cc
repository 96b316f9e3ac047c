// What the program prints on a terminal about files that want to take it over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using ::testing::AllOf;
using testing::CorpusPath;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RunProgram;
using testing::TempDir;

// Runs the program with a terminal for its output and its errors, and returns what it wrote there.
std::string OnTerminal(const std::vector<std::string>& arguments) {
  const TempDir cache;
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    setenv("NO_COLOR", "1", 1);                         // NOLINT(concurrency-mt-unsafe)
    std::vector<char*> words = {const_cast<char*>("sightline")};
    for (const std::string& argument : arguments)
      words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    execv(SIGHTLINE_PROGRAM, words.data());
    _exit(127);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(terminal, buffer, sizeof(buffer))) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(terminal);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) <= 2) << text;
  return text;
}

std::string WithoutLineEnds(std::string text) {
  for (std::size_t at = 0; (at = text.find("\r\n", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

TEST(TerminalProgramTest, TheImportOfALargeProfileShowsItsProgress) {
  constexpr std::size_t kLarge = std::size_t{33} << 20U;
  const std::string events = R"({"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 2})";
  const TempDir dir;
  const auto info = [&](std::size_t spaces) {
    testing::WriteFileOrDie(dir.File("t.json"), events + std::string(spaces, ' ') + "]}");
    return OnTerminal({"profile", "info", dir.File("t.json")});
  };
  EXPECT_THAT(info(kLarge), AllOf(HasSubstr("\r\x1b[Ksightline profile: 0 %, 0.0 MB of 35 MB"),
                                  HasSubstr("\r\x1b[K" + dir.path())));
  EXPECT_THAT(info(0), Not(HasSubstr("sightline profile: ")));
}

TEST(TerminalProgramTest, NoVerbPassesOnWhatATerminalObeys) {
  const std::string run = CorpusPath("attack/cat_csv_escape");
  const std::string dumps = CorpusPath("attack/ir_escape");
  const std::string dump = dumps + "/01_a_0001.ir";
  const std::string evil = "x\x1b]0;owned\x07\x1b[31m\u202e";
  const TempDir dir;
  std::filesystem::copy(run, dir.File(evil));
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"cat", "--csv", run},
                                             {"cat", run},
                                             {"info", run},
                                             {"info", "--json", run},
                                             {"ls", dir.path()},
                                             {"ls", "--json", dir.path()},
                                             {"tail", run},
                                             {"verify", dir.path()},
                                             {"ir", "show", dump},
                                             {"ir", "info", dump},
                                             {"ir", "grep", dump},
                                             {"ir", "dot", dump},
                                             {"ir", "stats", dump},
                                             {"ir", "show", "--json", dump},
                                             {"ir", "info", dir.File("none" + evil)},
                                             {"info", dir.File("none" + evil)},
                                             {"ls", dir.path(), "--where", evil},
                                             {"ls", "--" + evil},
                                             {evil},
                                             {"plan", "--config", dir.File(evil)}}) {
    const std::string text = WithoutLineEnds(OnTerminal(arguments));
    EXPECT_NE(text, "") << arguments[0];
    for (const char* obeyed : {"\x1b", "\x07", "\r", "\b", "\x7f", "\u009b", "\u009d", "\u202e"})
      EXPECT_THAT(text, Not(HasSubstr(obeyed))) << arguments[0] << " " << arguments.back();
  }
}

TEST(TerminalProgramTest, ATerminalShowsEscapesAndAPipeGetsTheBytes) {
  const std::string run = CorpusPath("attack/cat_csv_escape");
  EXPECT_THAT(OnTerminal({"cat", "--csv", run}), HasSubstr("loss\\x1b]0;owned\\x07\\x1b[31m"));
  EXPECT_THAT(RunProgram({"cat", "--csv", run}).out, HasSubstr("loss\x1b]0;owned\x07\x1b[31m"));
  const std::string dump = CorpusPath("attack/ir_escape/01_a_0001.ir");
  EXPECT_EQ(RunProgram({"ir", "show", dump}).out, testing::ReadFileOrDie(dump));
  EXPECT_THAT(RunProgram({"info", "--json", run}).out,
              AllOf(HasSubstr("c1 \\u009b31mred"), Not(HasSubstr("\u009b"))));
}

}  // namespace
}  // namespace sightline
