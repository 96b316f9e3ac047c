#include "sightline/ir/model/text_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using testing::IsOk;
using testing::IsStatus;

constexpr std::size_t kLineLimit = 2048;  // Longer than the lines here, and half of a page.
constexpr char kPath[] = "dump.ir";

class TextWindowTest : public ::testing::Test {
 protected:
  TextWindow Open(const std::string& text, FileSystem& files) {
    files_.Put(kPath, text);
    auto file = files.OpenForRead(kPath);
    EXPECT_THAT(file, IsOk());
    auto window = TextWindow::Open(*std::move(file), text.size(), kLineLimit);
    EXPECT_THAT(window, IsOk());
    return *std::move(window);
  }

  testing::MemoryFileSystem files_;
};

TEST_F(TextWindowTest, ADumpReadThroughItIsTheSameDump) {
  for (const char* name :
       {"ir/mlp_level1/20_validate_0074.ir", "ir/control_flow_grad/23_execute_2001.ir"}) {
    const std::string text = testing::ReadFileOrDie(testing::CorpusPath(name));
    TextWindow window = Open(text, files_);
    const Result<Module> module = ParseIr(window);
    ASSERT_THAT(module, IsOk()) << name;
    EXPECT_EQ(PrintIr(*module), text) << name;
    EXPECT_EQ(module->problem_count, 0) << name;
  }
}

TEST_F(TextWindowTest, ATextIsReadToItsEndWhetherItHasALastNewlineOrNot) {
  for (const std::string text : {"", "\n", "# a", "# a\n", "# a\n\n\n\n# b"}) {
    TextWindow window = Open(text, files_);
    const Result<Module> module = ParseIr(window);
    ASSERT_THAT(module, IsOk());
    EXPECT_EQ(PrintIr(*module), text);
  }
}

TEST_F(TextWindowTest, ALineAsLongAsAllowedIsReadWhereverItBegins) {
  for (std::size_t before = 0; before < 3 * kLineLimit; before += 97) {
    std::string text(before, '\n');
    text += "# " + std::string(kLineLimit - 2, 'x') + "\n# end\n";
    TextWindow window = Open(text, files_);
    const Result<Module> module = ParseIr(window);
    ASSERT_THAT(module, IsOk()) << before;
    EXPECT_EQ(PrintIr(*module), text) << before;
  }
}

// A string without an end could end wherever the window does.
TEST_F(TextWindowTest, AStatementDoesNotEndWhereTheWindowEnds) {
  const std::string begin = "# IR entry: @f\n\nsubgraph @f() {\n  Return(\"open\n";
  const std::size_t seen = 2 * kLineLimit + 1;
  for (std::size_t pad = seen - 200; pad < seen; ++pad) {
    std::string text = begin;
    while (text.size() + 60 < pad) text += "      # Comment:\n";
    text += std::string(pad - text.size(), 'x') + "\n  %0(a) = H(\"one\", @h)[\n";
    text += std::string(3 * kLineLimit, '\n');
    TextWindow window = Open(text, files_);
    const Result<Module> module = ParseIr(window);
    ASSERT_THAT(module, IsOk()) << pad;
    ASSERT_EQ(PrintIr(*module), text) << pad;
  }
}

TEST_F(TextWindowTest, ALongerLineIsNamed) {
  for (std::size_t before = 0; before < 9 * kLineLimit; before += 1001) {
    TextWindow window =
        Open(std::string(before, '\n') + std::string(kLineLimit + 1, 'x') + "\n", files_);
    EXPECT_THAT(ParseIr(window).error(),
                IsStatus(StatusCode::kInvalidArgument,
                         "line " + std::to_string(before + 1) + ", column 1"));
  }
}

TEST_F(TextWindowTest, AFileThatCannotBeReadOnIsNamed) {
  const std::string text(9 * kLineLimit, '\n');
  testing::FaultyFileSystem faulty(files_);
  for (std::uint64_t call = 2; call < 4; ++call) {
    TextWindow window = Open(text, faulty);
    faulty.FailCall(call, StatusCode::kIoError);
    EXPECT_THAT(ParseIr(window).error(), IsStatus(StatusCode::kIoError, kPath));
    faulty.Heal();
  }
}

TEST_F(TextWindowTest, AFileThatIsCutOffWhileItIsReadEndsThere) {
  TextWindow window = Open(std::string(9 * kLineLimit, '\n'), files_);
  const std::string_view begin = window.MoveTo(nullptr, 1);
  files_.Put(kPath, std::string(5 * kLineLimit, '\n'));
  EXPECT_FALSE(window.complete());
  std::string_view end = begin;
  for (std::uint32_t line = kLineLimit; !window.complete(); line += kLineLimit)
    end = window.MoveTo(begin.data() + line, line + 1);
  EXPECT_EQ(end.data() + end.size() - begin.data(), 5 * kLineLimit);
}

}  // namespace
}  // namespace sightline::ir
