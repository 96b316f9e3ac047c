// What reading a large dump takes: memory, and bytes of the file. Not with sanitizers, which
// multiply it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "sightline/ir/model/text_window.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

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

// A gigabyte without a newline, that says how much of it was read.
class LongLine : public ReadableFile {
 public:
  explicit LongLine(std::uint64_t& read) : read_(read) {}

  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
    const std::size_t got = std::min<std::uint64_t>(buffer.size(), kBytes - offset);
    std::fill_n(buffer.data(), got, offset == 0 ? '#' : 'x');
    read_ += got;
    return got;
  }
  Result<std::uint64_t> Size() const override { return kBytes; }

  static constexpr std::uint64_t kBytes = std::uint64_t{1} << 30;

 private:
  std::uint64_t& read_;
};

TEST(LargeDumpTest, ALineOfAGigabyteIsRefusedWithoutBeingReadWhole) {
  std::uint64_t read = 0;
  auto window = TextWindow::Open(std::make_unique<LongLine>(read), LongLine::kBytes);
  ASSERT_TRUE(window);
  const Result<Module> module = ParseIr(*window);
  ASSERT_FALSE(module);
  EXPECT_THAT(module.error(), testing::IsStatus(StatusCode::kInvalidArgument, "line 1, column 1"));
  EXPECT_LE(read, 3 * kMaxLineBytes);
}

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
