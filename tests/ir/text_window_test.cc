#include "sightline/ir/text_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/ir/printer.h"
#include "sightline/ir/reader.h"
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

// A dump that is made up while it is read: statements with names of their own, and below each the
// lines that repeat, as many as in MindSpore's dumps.
class LargeDump : public ReadableFile {
 public:
  explicit LargeDump(std::uint64_t size) : size_(size / body_.size() * body_.size()) {}

  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
    const std::size_t end = std::min<std::uint64_t>(size_, offset + buffer.size());
    std::size_t got = 0;
    for (std::string body = body_; offset + got < end;) {
      const std::size_t at = (offset + got) % body.size();
      SetNumber(body, (offset + got) / body.size());
      const std::size_t size = std::min(body.size() - at, end - offset - got);
      std::memcpy(buffer.data() + got, body.data() + at, size);
      got += size;
    }
    return got;
  }
  Result<std::uint64_t> Size() const override { return size_; }

 private:
  static constexpr std::size_t kDigits = 8;

  static std::string Body() {
    std::string body = "subgraph @g_00000000() {\n";
    for (int i = 0; i < 4; ++i) {
      body += "  %" + std::to_string(i) + "(CNode_00000000) = PrimFunc_Add(%para1_x, %para2_w)\n" +
              "      : (<Tensor[Float32], (2, 4)>, <Tensor[Float32], (4)>) -> (<Tensor[Float32], "
              "(2, 4)>)\n";
      for (int line = 1; line < 10; ++line) {
        body += "      # In file /usr/lib/python3/site-packages/mindspore/nn/layer/basic.py:42" +
                std::to_string(line) + "~439, 9~14/            x = self.reshape(x, (-1, shape))/\n";
      }
    }
    return body + "  Return(%3)\n      : (<Tensor[Float32], (2, 4)>)\n}\n\n";
  }

  static void SetNumber(std::string& body, std::uint64_t number) {
    const std::string digits = std::to_string(number);
    for (std::size_t at = 0; (at = body.find('_', at)) != std::string::npos; ++at) {
      if (at + 1 < body.size() && body[at + 1] >= '0' && body[at + 1] <= '9')
        body.replace(at + 1 + kDigits - digits.size(), digits.size(), digits);
    }
  }

  std::string body_ = Body();
  std::uint64_t size_;
};

// In a process of its own, whose peak tells.
TEST(LargeDumpTest, ALargeDumpIsReadInLessMemoryThanItsSize) {
  auto dump = std::make_unique<LargeDump>(std::uint64_t{200} << 20);
  const std::uint64_t size = *dump->Size();
  const pid_t child = fork();
  if (child == 0) {
    auto window = TextWindow::Open(std::move(dump), size);
    const Result<Module> module = ParseIr(*window);
    _exit(module && module->problem_count == 0 && module->nodes.size() > 150'000 ? 0 : 1);
  }
  int status = 0;
  rusage used{};
  ASSERT_EQ(wait4(child, &status, 0, &used), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_LT(static_cast<std::uint64_t>(used.ru_maxrss) * 1024, size);
}

}  // namespace
}  // namespace sightline::ir
