// sightline run, as people run it: pipes, terminals, signals, and kills of what records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/cli/run/recorded_program.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing::kTalking;
using ::testing::Not;
using testing::Program;
using testing::ReadFileOrDie;
using testing::Words;

class RunProgramTest : public testing::RecordedProgramTest {};

TEST_F(RunProgramTest, OutputsErrorsAndTheExitCodePassThrough) {
  Program program = Start(On::kPipes, {"sh", "-c", "echo out; echo err >&2; exit 7"});
  EXPECT_EQ(program.Read(), "out\n");
  EXPECT_EQ(program.Errors(), "err\n");
  EXPECT_EQ(program.Wait(), "exit 7");
  EXPECT_THAT(Console(), AnyOf("out\nerr\n", "err\nout\n"));
}

TEST_F(RunProgramTest, OneFileForBothKeepsTheirOrder) {
  Words words = Recorded({"sh", "-c", "for i in 1 2 3; do echo out; echo err >&2; done"});
  words.insert(words.begin(), {"sh", "-c", "exec \"$@\" 2>&1", "sh"});
  Program program(On::kPipes, words, dir_.path());
  EXPECT_EQ(program.Read(), "out\nerr\nout\nerr\nout\nerr\n");
  EXPECT_EQ(program.Wait(), "exit 0");
  EXPECT_EQ(Console(), "out\nerr\nout\nerr\nout\nerr\n");
}

TEST_F(RunProgramTest, WordsOfTheCommandAreNotItsOwn) {
  Program program = Start(On::kPipes, {"printf", "%s|", "--name", "--", "[a,b]", "", "ls", "x=1"});
  EXPECT_EQ(program.Read(), "--name|--|[a,b]||ls|x=1|");
  EXPECT_EQ(program.Wait(), "exit 0");
}

TEST_F(RunProgramTest, ASignalThatEndsTheCommandEndsIt) {
  Program program = Start(On::kPipes, {"sh", "-c", "kill -USR1 $$"});
  EXPECT_EQ(program.Wait(), "signal " + std::to_string(SIGUSR1));
}

TEST_F(RunProgramTest, ACommandThatCannotBeStartedIsSaid) {
  Program missing = Start(On::kPipes, {"no-such-command"});
  EXPECT_THAT(missing.Errors(), HasSubstr("no-such-command: No such file or directory"));
  EXPECT_EQ(missing.Wait(), "exit 127");
  Program directory = Start(On::kPipes, {"/"});
  EXPECT_EQ(directory.Wait(), "exit 126");
  Program none(On::kPipes, {SIGHTLINE_PROGRAM, "run"}, dir_.path());
  EXPECT_THAT(none.Errors(), HasSubstr("a command is required, after --"));
  EXPECT_EQ(none.Wait(), "exit 2");
}

// A signal that came twice would be said twice before the last one, which has a greater number.
TEST_F(RunProgramTest, ASignalToTheProcessReachesTheCommandOnce) {
  for (const On where : {On::kPipes, On::kTerminal}) {
    Program program = StartTalking(where);
    program.Read("ready");
    for (const int number : {SIGTERM, SIGINT, SIGUSR1, SIGHUP}) {
      kill(program.process(), number);
      program.Read("got " + std::to_string(number));
      kill(program.process(), SIGRTMIN + 1);
      EXPECT_THAT(program.Read("got " + std::to_string(SIGRTMIN + 1)),
                  Not(HasSubstr("got " + std::to_string(number))));
    }
    program.Type("exit 3\n");
    EXPECT_EQ(program.Wait(), "exit 3");
  }
}

TEST_F(RunProgramTest, ASignalToTheGroupReachesTheCommandOnce) {
  for (const On where : {On::kPipes, On::kTerminal}) {
    Program program = StartTalking(where);
    program.Read("ready");
    kill(-program.process(), SIGTERM);
    program.Read("got 15");
    kill(program.process(), SIGRTMIN + 1);
    EXPECT_THAT(program.Read("got " + std::to_string(SIGRTMIN + 1)), Not(HasSubstr("got 15")));
    program.Type("exit 0\n");
    EXPECT_EQ(program.Wait(), "exit 0");
  }
}

// It signals its child, and then their group. What signals it, it passes on in the same way.
TEST_F(RunProgramTest, TimeoutReachesTheCommandOnce) {
  for (const On where : {On::kPipes, On::kTerminal}) {
    Words words = Recorded({kTalking});
    words.insert(words.begin(), {"timeout", "1000"});
    Program program(where, words, dir_.path());
    program.Read("ready");
    kill(program.process(), SIGTERM);
    program.Read("got 15");
    kill(FirstChildOf(program.process()), SIGRTMIN + 1);
    EXPECT_THAT(program.Read("got " + std::to_string(SIGRTMIN + 1)), Not(HasSubstr("got 15")));
    program.Type("exit 3\n");
    EXPECT_EQ(program.Wait(), "exit 3");
  }
}

TEST_F(RunProgramTest, ItStopsAndGoesOnWithTheCommand) {
  Program program = StartTalking(On::kPipes);
  program.Read("ready");
  kill(-program.process(), SIGSTOP);
  EXPECT_EQ(program.Wait(), "stopped");
  kill(-program.process(), SIGCONT);
  program.Read("got " + std::to_string(SIGCONT));
  program.Type("exit 4\n");
  EXPECT_EQ(program.Wait(), "exit 4");
}

TEST_F(RunProgramTest, TheCommandGoesOnWhenThisProcessIsKilled) {
  Program program = StartTalking(On::kPipes);
  program.Read("ready");
  kill(program.process(), SIGKILL);
  EXPECT_EQ(program.Wait(), "signal 9");
  program.Type("still here\n");
  program.Read("heard still here");
  program.CloseInput();
  EXPECT_EQ(program.Read(), "\n");
  EXPECT_EQ(Console(), "ready\nheard still here\n");
}

TEST_F(RunProgramTest, AKillOfTheGroupEndsTheCommand) {
  Program program = StartTalking(On::kPipes);
  program.Read("ready");
  kill(-program.process(), SIGKILL);
  EXPECT_EQ(program.Wait(), "signal 9");
  EXPECT_EQ(program.Read(), "\n");
}

TEST_F(RunProgramTest, TheCommandGoesOnWhenWhatRecordsIsKilled) {
  for (const On where : {On::kPipes, On::kTerminal}) {
    Program program = StartTalking(where);
    program.Read("ready");
    kill(RecorderOf(program), SIGKILL);
    program.Type("still here\n");
    program.Read("heard still here");
    kill(program.process(), SIGTERM);
    program.Read("got 15");
    program.Type("exit 5\n");
    EXPECT_EQ(program.Wait(), "exit 5");
    EXPECT_THAT(Console(),
                AllOf(HasSubstr("ready"), HasSubstr("heard still here"), HasSubstr("got 15")));
  }
}

TEST_F(RunProgramTest, WhatAProcessInTheBackgroundPrintsIsRecorded) {
  ASSERT_EQ(mkfifo(dir_.File("go").c_str(), S_IRUSR | S_IWUSR), 0);
  Program program = Start(On::kPipes, {"sh", "-c", "(read x <go; echo late) & echo early"});
  EXPECT_EQ(program.Wait(), "exit 0");
  EXPECT_EQ(Console(), "early\n");
  testing::WriteFileOrDie(dir_.File("go"), "\n");
  EXPECT_EQ(program.Read(), "early\nlate\n");
  EXPECT_EQ(Console(), "early\nlate\n");
}

TEST_F(RunProgramTest, AReaderThatGoesAwayDoesNotEndTheCommand) {
  Words words = Recorded({"sh", "-c", "yes | head -n 100000; echo end"});
  words.insert(words.begin(), {"bash", "-c", "\"$@\" | head -n 1; exit ${PIPESTATUS[0]}", "sh"});
  Program program(On::kPipes, words, dir_.path());
  EXPECT_EQ(program.Read(), "y\n");
  EXPECT_EQ(program.Wait(), "exit 0");
  EXPECT_THAT(Console(), ::testing::EndsWith("y\nend\n"));
}

TEST_F(RunProgramTest, WithoutAFolderTheCommandOnlyRuns) {
  testing::WriteFileOrDie(dir_.File("run"), "");
  Program program = Start(On::kPipes, {"echo", "out"});
  EXPECT_EQ(program.Read(), "out\n");
  EXPECT_THAT(program.Errors(), HasSubstr("nothing is recorded"));
  EXPECT_EQ(program.Wait(), "exit 0");
}

TEST_F(RunProgramTest, AConsoleThatCannotBeWrittenIsSaid) {
  fs::create_directories(dir_.File("run/console.log"));
  Program program = Start(On::kPipes, {"echo", "out"});
  EXPECT_EQ(program.Read(), "out\n");
  EXPECT_THAT(program.Errors(), HasSubstr("the console is not recorded"));
  EXPECT_EQ(program.Wait(), "exit 0");
}

// The user's terminal makes no line ends of its own meanwhile.
TEST_F(RunProgramTest, OnATerminalAFullDiskIsSaidInALineOfItsOwn) {
  Words words = Recorded({"echo", "out"});
  words.insert(words.begin(), {"env", "SIGHTLINE_CAPTURE=0", "sh", "-c",
                               "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"});
  Program program(On::kTerminal, words, dir_.path());
  EXPECT_THAT(program.Read("out\r\n"),
              HasSubstr("sightline run: the console is no longer recorded: writing it: "
                        "File too large\r\n"));
  EXPECT_EQ(program.Wait(), "exit 0");
}

TEST_F(RunProgramTest, ALaterCommandGoesOnAtTheEndOfTheConsoleThatOnlyItsOwnerMayRead) {
  for (const char* const word : {"first", "second"})
    EXPECT_EQ(Start(On::kPipes, {"echo", word}).Wait(), "exit 0");
  EXPECT_EQ(Console(), "first\nsecond\n");
  EXPECT_EQ(fs::status(dir_.File("run/console.log")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(RunProgramTest, TwoCommandsDoNotWriteOneConsole) {
  Program first = StartTalking(On::kPipes);
  first.Read("ready");
  Program second = Start(On::kPipes, {"echo", "second"});
  EXPECT_EQ(second.Read(), "second\n");
  EXPECT_THAT(second.Errors(), HasSubstr("another command is being recorded there"));
  first.CloseInput();
  EXPECT_EQ(first.Wait(), "exit 0");
  EXPECT_EQ(Console(), "ready\n");
}

TEST_F(RunProgramTest, AnInnerOneOnlyRunsItsCommand) {
  Program program = Start(On::kPipes, {SIGHTLINE_PROGRAM, "run", "--dir", "inner", "--", "pwd"});
  EXPECT_EQ(program.Read(), fs::canonical(dir_.path()).string() + "\n");
  EXPECT_EQ(program.Wait(), "exit 0");
  EXPECT_FALSE(fs::exists(dir_.File("inner")));
}

TEST_F(RunProgramTest, SwitchedOffItOnlyRunsItsCommand) {
  Words words = Recorded({"echo", "out"});
  words.insert(words.begin(), {"env", "SIGHTLINE_DISABLE=1"});
  Program program(On::kPipes, words, dir_.path());
  EXPECT_EQ(program.Read(), "out\n");
  EXPECT_EQ(program.Wait(), "exit 0");
  EXPECT_FALSE(fs::exists(dir_.File("run")));
}

TEST_F(RunProgramTest, TheCommandFindsTheFolderOfItsRun) {
  Program program = Start(On::kPipes, {"sh", "-c", "echo $SIGHTLINE_RUN"});
  EXPECT_EQ(program.Read(), fs::canonical(dir_.path()).string() + "/run\n");
}

TEST_F(RunProgramTest, PythonProgramsFindTheFolderInFront) {
  const Words command = {"sh", "-c", "echo $PYTHONPATH; echo $SIGHTLINE_CAPTURE"};
  const std::string folder = fs::canonical(dir_.path()).string() + "/run/.sightline-python";
  Words words = Recorded(command);
  Program program(On::kPipes, words, dir_.path());
  EXPECT_EQ(program.Read(), folder + "\n1\n");
  EXPECT_TRUE(fs::exists(folder + "/sitecustomize.py"));
  words.insert(words.begin(), {"env", "PYTHONPATH=/a:/b"});
  EXPECT_EQ(Program(On::kPipes, words, dir_.path()).Read(), folder + ":/a:/b\n1\n");
  words.insert(words.begin(), {"env", "SIGHTLINE_CAPTURE=0"});
  EXPECT_EQ(Program(On::kPipes, words, dir_.path()).Read(), "/a:/b\n0\n");
}

TEST_F(RunProgramTest, ACommandIsARunWithWhatItRanOnAndHowItEnded) {
  EXPECT_EQ(Start(On::kPipes, {"sh", "-c", "exit 3", "--token=s3cr3t"}).Wait(), "exit 3");
  Program listed(On::kPipes,
                 {SIGHTLINE_PROGRAM, "ls", "run", "--columns", "state", "last(command/exit_code)",
                  "run.command", "run.folder"},
                 dir_.path());
  const std::string table = listed.Read();
  EXPECT_THAT(table, HasSubstr(" 3 "));
  EXPECT_THAT(table, HasSubstr("sh -c 'exit 3' '--token=***'"));
  EXPECT_THAT(table, HasSubstr(fs::canonical(dir_.path()).string() + "/run\n"));
  EXPECT_THAT(table, HasSubstr("finished"));
}

TEST_F(RunProgramTest, ACommandOfWhichNobodyIsLeftToTellIsARunToo) {
  Program program = StartTalking(On::kPipes);
  program.Read("ready\n");
  Program state(On::kPipes, {SIGHTLINE_PROGRAM, "ls", "run", "--json"}, dir_.path());
  EXPECT_THAT(state.Read(), HasSubstr("\"running\""));
  kill(program.process(), SIGKILL);
  program.Type("exit 0\n");
  program.Read();
  for (std::string json; json.find("\"finished\"") == json.npos;) {
    Program ended(On::kPipes, {SIGHTLINE_PROGRAM, "ls", "run", "--json"}, dir_.path());
    json = ended.Read();
  }
}

TEST_F(RunProgramTest, OnATerminalTheCommandSeesOne) {
  Program program = Start(On::kTerminal, {"sh", "-c",
                                          "test -t 0 && test -t 1 && test -t 2 && tty; "
                                          "stty size; read x; echo \"read $x\""});
  EXPECT_THAT(program.Read("30 90"), HasSubstr("/dev/pts/"));
  program.Type("a line\n");
  EXPECT_THAT(program.Read("read a line"), HasSubstr("a line\r\n"));
  EXPECT_EQ(program.Wait(), "exit 0");
  EXPECT_THAT(Console(), HasSubstr("30 90\r\n"));
}

// Others print on it.
TEST_F(RunProgramTest, ATerminalThatIsNotItsOutputStaysAsItIs) {
  Words words = Recorded({kTalking});
  words.insert(words.begin(), {"sh", "-c", "\"$@\" | cat", "sh"});
  Program program(On::kTerminal, words, dir_.path());
  program.Read("ready\r\n");
  program.Type("hello\n");
  program.Read("heard hello\r\n");
  program.Type("exit 0\n");
  EXPECT_EQ(program.Wait(), "exit 0");
}

TEST_F(RunProgramTest, KeysMakeSignalsOnce) {
  Program program = StartTalking(On::kTerminal);
  program.Read("ready");
  program.Type("\x03");
  program.Read("got 2");
  kill(program.process(), SIGRTMIN + 1);
  EXPECT_THAT(program.Read("got " + std::to_string(SIGRTMIN + 1)), Not(HasSubstr("got 2")));
  program.Type("\x04");  // The end of its input.
  EXPECT_EQ(program.Wait(), "exit 0");
}

TEST_F(RunProgramTest, ATerminalThatIsGoneEndsTheInput) {
  ASSERT_EQ(mkfifo(dir_.File("done").c_str(), S_IRUSR | S_IWUSR), 0);
  Program program =
      Start(On::kTerminal, {"sh", "-c", "trap '' HUP; echo ready; cat; echo end >done"});
  program.Read("ready");
  program.CloseInput();
  EXPECT_EQ(ReadFileOrDie(dir_.File("done")), "end\n");
  EXPECT_EQ(program.Wait(), "exit 0");
}

TEST_F(RunProgramTest, TheSizeOfTheWindowFollows) {
  Program program = StartTalking(On::kTerminal);
  program.Read("ready");
  const winsize size = {.ws_row = 11, .ws_col = 22, .ws_xpixel = 0, .ws_ypixel = 0};
  ASSERT_EQ(ioctl(program.terminal(), TIOCSWINSZ, &size), 0);
  program.Read("size 11 22");
  program.Type("exit 0\n");
  EXPECT_EQ(program.Wait(), "exit 0");
}

TEST_F(RunProgramTest, CtrlZStopsItAndGivesTheTerminalBack) {
  const auto echoes = [](const Program& program) {
    termios modes = {};
    EXPECT_EQ(tcgetattr(program.terminal(), &modes), 0);
    return (modes.c_lflag & ECHO) != 0;
  };
  Program program = StartTalking(On::kTerminal);
  program.Read("ready");
  EXPECT_FALSE(echoes(program));  // The command's terminal does.
  program.Type("\x1a");
  EXPECT_EQ(program.Wait(), "stopped");
  EXPECT_TRUE(echoes(program));
  kill(-program.process(), SIGCONT);
  program.Type("again\n");
  program.Read("heard again");
  EXPECT_FALSE(echoes(program));
  program.Type("exit 6\n");
  EXPECT_EQ(program.Wait(), "exit 6");
  EXPECT_TRUE(echoes(program));
}

TEST_F(RunProgramTest, OnATerminalWhatIsLeftInTheBackgroundGetsTheHangUp) {
  for (const char* const fifo : {"set", "never", "done"})
    ASSERT_EQ(mkfifo(dir_.File(fifo).c_str(), S_IRUSR | S_IWUSR), 0);
  Program program = Start(On::kTerminal, {"sh", "-c",
                                          "(trap 'echo hung up >done; exit' HUP; echo >set; "
                                          "read x <never) & read x <set"});
  EXPECT_EQ(ReadFileOrDie(dir_.File("done")), "hung up\n");
  EXPECT_EQ(program.Wait(), "exit 0");
}

TEST_F(RunProgramTest, OnATerminalTheCommandGoesOnWhenThisProcessIsKilled) {
  ASSERT_EQ(mkfifo(dir_.File("go").c_str(), S_IRUSR | S_IWUSR), 0);
  ASSERT_EQ(mkfifo(dir_.File("done").c_str(), S_IRUSR | S_IWUSR), 0);
  Program program =
      Start(On::kTerminal, {"sh", "-c", "echo ready; read x <go; echo late; echo end >done"});
  program.Read("ready");
  kill(program.process(), SIGKILL);
  EXPECT_EQ(program.Wait(), "signal 9");
  testing::WriteFileOrDie(dir_.File("go"), "\n");
  EXPECT_EQ(ReadFileOrDie(dir_.File("done")), "end\n");
}

TEST_F(RunProgramTest, TheFirstProcessOfAMachineRecordsTheMachine) {
  for (const bool is_first : {false, true}) {
    Words words = Recorded({"true"});
    words[3] = is_first ? "first" : "second";
    words.insert(words.begin(),
                 {"env", "RANK=4", "WORLD_SIZE=8", is_first ? "LOCAL_RANK=0" : "LOCAL_RANK=1"});
    words.resize(words.size() - 1);
    words.emplace_back(kTalking);
    Program program(On::kPipes, words, dir_.path());
    program.Read("ready");
    std::string info;
    while (info.find("command/processes") == info.npos) {
      info = Program(On::kPipes, {SIGHTLINE_PROGRAM, "info", words[7]}, dir_.path()).Read();
    }
    EXPECT_EQ(info.find("machine/memory_available_bytes") != info.npos, is_first);
    EXPECT_THAT(info, HasSubstr("rank 4 of 8"));
    program.CloseInput();
    EXPECT_EQ(program.Wait(), "exit 0");
  }
}

}  // namespace
}  // namespace sightline
