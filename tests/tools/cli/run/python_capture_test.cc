#include "sightline/tools/cli/run/python_capture.h"

#include <gtest/gtest.h>

namespace sightline {
namespace {

using Words = std::vector<std::string>;

TEST(OptionWithoutCaptureTest, PythonThatTakesNoFolderOfOursIsNamed) {
  EXPECT_EQ(OptionWithoutCapture({"python3", "-I", "train.py"}), "-I");
  EXPECT_EQ(OptionWithoutCapture({"/usr/bin/python3.11", "-uE", "train.py"}), "-E");
  EXPECT_EQ(OptionWithoutCapture({"pypy3", "-X", "utf8", "-W", "error", "-S", "-c", "1"}), "-S");
  EXPECT_EQ(OptionWithoutCapture({"python", "--check-hash-based-pycs", "never", "-I"}), "-I");
}

TEST(OptionWithoutCaptureTest, OptionsOfTheProgramAreNotPythons) {
  for (const Words& command :
       {Words{"python3", "train.py", "-I"}, Words{"python3", "-u", "train.py", "-E"},
        Words{"python3", "-c", "print()", "-S"}, Words{"python3", "-m", "torchrun", "-E"},
        Words{"python3", "-mSite", "-E"}, Words{"python3", "-XE", "train.py"},
        Words{"python3", "-", "-I"}, Words{"grep", "-I", "x"}, Words{"pythonista", "-I"},
        Words{"python3"}, Words{}}) {
    EXPECT_EQ(OptionWithoutCapture(command), "")
        << (command.empty() ? "" : command.front()) << ", of " << command.size() << " words";
  }
}

}  // namespace
}  // namespace sightline
