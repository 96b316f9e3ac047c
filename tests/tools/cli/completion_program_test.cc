// sightline completion bash: what bash completes with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

// What bash offers when the words stand on the line and the last one is to be completed.
std::vector<std::string> Completed(const std::vector<std::string>& words) {
  const testing::TempDir dir;
  std::string script = testing::RunProgram({"completion", "bash"}).out + "COMP_WORDS=(";
  for (const std::string& word : words) script += "'" + word + "' ";
  script += ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
            "\n_sightline\n(( ${#COMPREPLY[@]} )) && printf '%s\\n' \"${COMPREPLY[@]}\"\nexit 0\n";
  testing::WriteFileOrDie(dir.File("script"), script);
  std::FILE* pipe = popen(("bash --norc " + dir.File("script") + " 2>&1").c_str(), "r");
  std::string text;
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;)
    text.append(buffer, got);
  EXPECT_EQ(pclose(pipe), 0) << text;
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(CompletionProgramTest, VerbsComplete) {
  EXPECT_THAT(Completed({"sightline", ""}),
              IsSupersetOf({"cat", "completion", "export", "ir", "ls", "serve", "verify"}));
  EXPECT_THAT(Completed({"sightline", "ex"}), ElementsAre("export"));
  EXPECT_THAT(Completed({"sightline", "ir", "di"}), ElementsAre("diff"));
}

TEST(CompletionProgramTest, EveryVerbOfTheHelpIsThere) {
  const std::string help = testing::RunProgram({"--help"}).out;
  const std::vector<std::string> verbs = Completed({"sightline", ""});
  EXPECT_GE(verbs.size(), 15U);
  for (const std::string& verb : verbs)
    EXPECT_NE(help.find("\n  " + verb + " "), std::string::npos) << verb;
}

TEST(CompletionProgramTest, OptionsComplete) {
  EXPECT_THAT(Completed({"sightline", "export", "run", "--f"}), ElementsAre("--format", "--force"));
  EXPECT_THAT(
      Completed({"sightline", "export", "-"}),
      AllOf(Contains("-o"), Contains("--help"), Not(Contains("--where")), Each(StartsWith("-"))));
  EXPECT_THAT(Completed({"sightline", "ir", "dot", "--s"}), Contains("--svg"));
}

TEST(CompletionProgramTest, ValuesOfAFixedSetComplete) {
  EXPECT_THAT(Completed({"sightline", "export", "run", "--format", "np"}),
              ElementsAre("npy", "npz"));
  EXPECT_THAT(Completed({"sightline", "export", "run", "--format", "=", "par"}),
              ElementsAre("parquet"));
  EXPECT_THAT(Completed({"sightline", "export", "run", "--format", "="}), Contains("csv"));
  EXPECT_THAT(Completed({"sightline", "completion", ""}), ElementsAre("bash"));
}

// Nothing is offered: bash completes the names of files then.
TEST(CompletionProgramTest, FilesAreLeftToBash) {
  EXPECT_THAT(Completed({"sightline", "export", "ru"}), IsEmpty());
  EXPECT_THAT(Completed({"sightline", "export", "run", "-o", "c"}), IsEmpty());
  EXPECT_THAT(Completed({"sightline", "ls", "export", "--where", ""}), IsEmpty());
}

}  // namespace
}  // namespace sightline
